/** What the merges of splits make of what their branches write: analysis and printing follow the same order. */

import type { GraphIR, MergeKind, SplitIR } from "./ir.js";

/** A type that some node leaves in a field. */
export interface Piece<T> {
  readonly node: number;
  readonly type: T;
}

/** The types that are left in a field, after `merge` has made one of all that the branches of a split write. */
export type Merged = <T>(
  field: string,
  pieces: readonly Piece<T>[],
  merge: (kind: MergeKind, types: readonly T[]) => T,
) => readonly T[];

interface Meeting {
  readonly node: number;
  readonly inside: ReadonlySet<number>;
  readonly merge: SplitIR["merge"];
}

/** Inner splits come first: their regions are parts of one branch of the splits around them. */
export function createMerged(splits: GraphIR["splits"]): Merged {
  const meetings: readonly Meeting[] = splits
    .filter(({ merge }) => Object.keys(merge).length > 0)
    .map(({ node, branches, merge }) => ({ node, inside: new Set(branches.flat()), merge }))
    .sort((one, other) => one.inside.size - other.inside.size);
  return (field, pieces, merge) => {
    let left = pieces;
    for (const { node, inside, merge: kinds } of meetings) {
      const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
      if (kind === undefined || kind === "last") continue;
      const types = left.flatMap((piece) => (inside.has(piece.node) ? [piece.type] : []));
      if (types.length === 0) continue;
      left = [...left.filter((piece) => !inside.has(piece.node)), { node, type: merge(kind, types) }];
    }
    return left.map(({ type }) => type);
  };
}
