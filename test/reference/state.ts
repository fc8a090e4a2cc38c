import { nodeAt, type RefGraph } from "./graph.js";
import type { Value } from "./script.js";
import type { Split } from "./splits.js";

/** A state that remembers which fields were written on it. A branch has one of its own. */
export interface State {
  readonly values: Map<string, Value>;
  readonly written: Set<string>;
}

/** A state with the same values on which nothing was written yet. */
export const copyOf = (state: State): State => ({ values: new Map(state.values), written: new Set() });

/** Sets a field. */
export function write(state: State, field: string, value: Value): void {
  state.values.set(field, value);
  state.written.add(field);
}

/** Writes what the branches of a split wrote, in list order, as the split's node wants it merged. */
export function merge(
  graph: RefGraph,
  split: Split,
  { state, branches }: { state: State; branches: readonly State[] },
): void {
  const kinds = nodeAt(graph, split.node).merge;
  const held = new Map(state.values);
  for (const field of new Set(branches.flatMap((branch) => [...branch.written]))) {
    const values = branches
      .filter((branch) => branch.written.has(field))
      .map((branch) => branch.values.get(field) ?? null);
    write(state, field, merged(Object.hasOwn(kinds, field) ? kinds[field] : "last", held.get(field), values));
  }
}

/** `append` takes a held value that is no list as a list of one, unset and null as an empty one. */
function merged(kind: string | undefined, held: Value | undefined, values: readonly Value[]): Value {
  if (kind === "append") {
    const before = held === undefined || held === null ? [] : Array.isArray(held) ? held : [held];
    return [...before, ...values];
  }
  if (kind === "sum") return values.reduce<number>((sum, value) => sum + Number(value), 0);
  return values[values.length - 1] ?? null;
}
