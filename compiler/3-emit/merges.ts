import type { GraphIR, MergeKind } from "../ir.js";
import { sortedTypes } from "./field-type.js";

/** What the merge at the end of a split makes of the types that its branches write. */
export function mergedMembers(merge: MergeKind, written: readonly (readonly string[])[]): readonly string[] {
  if (merge === "sum") return ["number"];
  const types = sortedTypes(written.flat());
  const [only = "unknown"] = types;
  if (types.length > 1) return [`readonly (${types.join(" | ")})[]`];
  return [`readonly ${/^[\w.]+(?:<.*>)?$|^\{.*\}$|^"[^"]*"$/.test(only) ? only : `(${only})`}[]`];
}

/** What the merges of splits do, by a node of their branches and its field. */
export function findMerges({ nodes, splits }: GraphIR): ReadonlyMap<string, MergeKind> {
  const merges = new Map<string, MergeKind>();
  for (const { branches, merge } of splits) {
    if (Object.keys(merge).length === 0) continue;
    for (const v of branches.flat())
      for (const { field } of nodes[v]!.writes)
        if (Object.hasOwn(merge, field)) merges.set(`${v} ${field}`, merge[field]!);
  }
  return merges;
}

/**
 * The fields of each node's branch that a merge makes lists of: inside, each is one item; a field that several merges
 * around the node make lists of is named as often. Linear in such branches.
 */
export function findItems({ nodes, splits }: GraphIR): ReadonlyMap<number, readonly string[]> {
  const items = new Map<number, string[]>();
  for (const { branches, merge } of splits) {
    const fields = Object.keys(merge).filter((field) => merge[field] === "append");
    if (fields.length === 0) continue;
    for (const v of branches.flat()) {
      const { reads, writes } = nodes[v]!;
      const used = fields.filter((name) => [...reads, ...writes].some(({ field }) => field === name));
      if (used.length > 0) items.set(v, [...(items.get(v) ?? []), ...used]);
    }
  }
  return new Map([...items].map(([v, fields]) => [v, fields.sort()]));
}
