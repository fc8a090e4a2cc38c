import { type Draft, type DraftNode, reportAt } from "../draft.js";
import type { Ways } from "../flow/edges.js";
import { groupBy } from "../group-by.js";
import { mayFail } from "./calls.js";
import type { FieldUse, Read } from "./field-use.js";
import { namedInputs, usesError } from "./placeholders.js";
import type { FlowSystem } from "./set-flow.js";
import { solveUnset } from "./unset.js";

interface Setting {
  readonly draft: Draft;
  readonly dominators: Ways["dominators"];
  readonly leads: (w: number, v: number) => boolean;
  readonly visited: Uint8Array;
  readonly unset: ReadonlySet<Read>;
  readonly system: () => FlowSystem;
}

/** `never`: no writer comes before the read at all. */
type Verdict = "required" | "silent" | "warn" | "never" | "optional";

/** Judges every read that may find nothing. A field that the caller must give counts as set for all its reads. */
export function judgeReads(setting: Setting, byName: ReadonlyMap<string, FieldUse>): void {
  const uses = [...byName.values()];
  const verdicts = new Map<Read, Verdict>();
  const doubtful: { readonly use: FieldUse; readonly read: Read; readonly verdict: Verdict }[] = [];
  for (const use of uses) {
    for (const read of use.reads)
      if (setting.unset.has(read)) verdicts.set(read, judgeRead(setting, use, read));
    const required = use.reads.some((read) => verdicts.get(read) === "required");
    const given = use.asked || use.reads.some((read) => verdicts.has(read) && use.name !== "error");
    use.input = required ? "required" : given ? "optional" : null;
    if (required) use.setAtEnd = use.setAtSuccess = true;
    for (const read of use.reads) {
      const verdict = required ? undefined : verdicts.get(read);
      read.sure = verdict === undefined;
      // A formula says itself where it needs a value.
      const isSaid = setting.draft.nodes[read.node]?.formula != null;
      if (!isSaid && (verdict === "never" || verdict === "warn")) doubtful.push({ use, read, verdict });
    }
  }
  if (setting.draft.incomplete || verdicts.size === 0) return;
  for (const use of uses) if (use.asked && use.name !== "error") warnAskedAgain(setting, use, verdicts);
  if (doubtful.length === 0) return;
  const silent = findSilent(
    setting,
    byName,
    doubtful.map(({ read }) => read),
  );
  for (const { use, read, verdict } of doubtful)
    if (verdict === "never" || !silent.has(read.node)) warn(setting.draft, use, read);
}

/** Text agents skip what is unset: no warning is needed where something is always set. */
function findSilent(
  { draft, system }: Setting,
  byName: ReadonlyMap<string, FieldUse>,
  doubtful: readonly Read[],
): ReadonlySet<number> {
  const texts = new Set(doubtful.map(({ node }) => node).filter((v) => isText(draft, v)));
  const silent = new Set<number>();
  for (const { reads } of byName.values())
    for (const { node, sure } of reads) if (sure && texts.has(node)) silent.add(node);
  const open = [...texts].filter((v) => !silent.has(v)).map((v) => draft.nodes[v] as DraftNode);
  for (const v of findJoining(open, byName, system)) silent.add(v);
  return silent;
}

/** The order of these rules counts. */
function judgeRead({ draft, dominators, leads, visited }: Setting, use: FieldUse, read: Read): Verdict {
  if (use.name === "error") return "silent";
  if (read.item.optional) return "optional";
  if (use.writers.length === 0) return "required";
  // A writer that this node dominates can come before it only in a later round of a loop.
  const earlier = use.writers.filter(
    (writer) => visited[writer] === 1 && (writer === read.node || leads(writer, read.node)),
  );
  if (earlier.length === 0) return "never";
  const { dominates } = dominators();
  if (!earlier.every((writer) => dominates(read.node, writer))) return "warn";
  return isText(draft, read.node) ? "silent" : "required";
}

const isText = (draft: Draft, v: number): boolean => (draft.nodes[v] as DraftNode).facts?.text === true;

function warn(draft: Draft, use: FieldUse, read: Read): void {
  const node = draft.nodes[read.node] as DraftNode;
  const writers = use.writers.map((v) => draft.nodes[v] as DraftNode);
  const names = (nodes: readonly DraftNode[]): readonly string[] => nodes.map(({ row }) => row.node.name);
  // Without either list a failure ends the run.
  const failing = writers.filter(
    (writer) => mayFail(draft, writer) && writer.row.onFailure.length === 0 && writer.row.next.length > 0,
  );
  const params = {
    field: use.name,
    reader: node.row.node.name,
    writers: names(writers),
    failing: names(failing),
  };
  reportAt(draft, node, "maybe-unset", params, { span: read.item.at, column: "input_fields" });
}

/**
 * Warns where the first round of a loop uses what the caller gives, and `input` then asks for the same field.
 * The caller gives what is required, or what is annotated.
 */
function warnAskedAgain(
  { draft, leads }: Setting,
  { name: field, reads, writers }: FieldUse,
  verdicts: ReadonlyMap<Read, Verdict>,
): void {
  const told = new Set<number>();
  for (const read of reads) {
    const verdict = verdicts.get(read);
    if (verdict !== "required" && (verdict !== "silent" || read.item.type === null)) continue;
    for (const v of writers) {
      const node = draft.nodes[v] as DraftNode;
      const output = node.row.outputs.find((one) => one.field === field);
      if (node.facts?.type !== "input" || output === undefined || told.has(v)) continue;
      if (v !== read.node && !leads(v, read.node)) continue;
      told.add(v);
      const reader = (draft.nodes[read.node] as DraftNode).row.node.name;
      const params = { field, reader, asker: node.row.node.name };
      reportAt(draft, node, "asked-again", params, { span: output.at, column: "output_field" });
    }
  }
}

/** The limit of writers over all sets of fields. Sets beyond it keep their warnings. */
const MOST_WRITERS = 2_000_000;

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
function findJoining(
  nodes: readonly DraftNode[],
  byName: ReadonlyMap<string, FieldUse>,
  system: () => FlowSystem,
): ReadonlySet<number> {
  const joins = nodes.map((node) => ({ v: node.index, fields: joinedFields(node) }));
  const sets = groupBy(
    joins.filter(({ fields }) => fields.length > 1),
    ({ fields }) => fields.join(),
  );
  const writersOf = (name: string): readonly number[] => byName.get(name)?.sureWriters ?? [];
  let writers = 0;
  const followed = [...sets.values()].flatMap((readers) => {
    const fields = readers[0]?.fields ?? [];
    for (const name of fields) writers += writersOf(name).length;
    return writers <= MOST_WRITERS ? [{ fields, readers }] : [];
  });
  const joining = new Set<number>();
  if (followed.length === 0) return joining;
  const tracked = followed.map(({ fields }) => ({
    writers: fields.flatMap(writersOf),
    isError: fields.includes("error"),
  }));
  solveUnset(system(), tracked, (first, count, isUnset) => {
    for (let i = first; i < first + count; i++) {
      for (const { v } of followed[i]?.readers ?? []) if (!isUnset(i, v)) joining.add(v);
    }
  });
  return joining;
}
