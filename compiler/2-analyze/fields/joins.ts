import type { DraftNode } from "../draft.js";
import type { FieldUse } from "./field-use.js";
import { namedInputs, usesError } from "./placeholders.js";
import type { FlowSystem } from "./set-flow.js";
import { solveUnset } from "./unset.js";

/** The limit of writers over all sets of fields. Sets beyond it keep their warnings. */
const MOST_WRITERS = 2_000_000;

/** Fields, and the text agents that join exactly these. */
interface Joined {
  readonly fields: readonly string[];
  readonly readers: number[];
}

/** A text agent joins the fields that its prompt names, else all that it reads. */
function joinedFields(node: DraftNode): readonly string[] {
  const named = namedInputs(node);
  const { inputs } = node.row;
  const joined = named.size === 0 ? inputs : inputs.filter(({ param }) => named.has(param));
  const fields = new Set(joined.map(({ field }) => field));
  if (usesError(node)) fields.add("error");
  return [...fields].sort();
}

/**
 * The text agents where at least one of the joined fields is always set.
 * The solver sees the fields of such a set as one field that has all their writers.
 */
export function findJoining(
  nodes: readonly DraftNode[],
  byName: ReadonlyMap<string, FieldUse>,
  system: () => FlowSystem,
): ReadonlySet<number> {
  const sets = new Map<string, Joined>();
  for (const node of nodes) {
    const fields = joinedFields(node);
    const key = fields.join();
    const known = sets.get(key);
    if (known !== undefined) known.readers.push(node.index);
    else if (fields.length > 1) sets.set(key, { fields, readers: [node.index] });
  }
  const writersOf = (name: string): readonly number[] => byName.get(name)?.sureWriters ?? [];
  let writers = 0;
  const followed = [...sets.values()].filter(({ fields }) => {
    for (const name of fields) writers += writersOf(name).length;
    return writers <= MOST_WRITERS;
  });
  const joining = new Set<number>();
  if (followed.length === 0) return joining;
  const tracked = followed.map(({ fields }) => ({
    writers: fields.flatMap(writersOf),
    isError: fields.includes("error"),
  }));
  solveUnset(system(), tracked, (first, count, isUnset) => {
    for (let i = first; i < first + count; i++) {
      for (const v of followed[i]?.readers ?? []) if (!isUnset(i, v)) joining.add(v);
    }
  });
  return joining;
}
