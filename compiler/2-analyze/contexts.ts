import type { SplitIR } from "../ir.js";

/** A branch of a split in which a node runs alone. */
export interface Context {
  readonly split: number;
  readonly branch: number;
}

/** Which branches a node runs in, and how they nest. */
export interface Contexts {
  /** The branches that a node belongs to, less those around others of them. */
  readonly innermost: (v: number) => readonly Context[];
  /** The branch in which a split itself stands. */
  readonly around: (split: number) => Context | null;
  readonly owns: (context: Context, v: number) => boolean;
}

/** The branch of each node of a region. */
type Region = ReadonlyMap<number, number>;

const NONE: readonly Context[] = [];

/**
 * Where a split around another one stops, the inner one stops too: a node beyond belongs to neither.
 * Linear in the regions, plus the square of how many splits stand within each other.
 */
export function createContexts(
  splits: readonly SplitIR[],
  passes: (split: number, v: number) => boolean,
): Contexts {
  const raw = splits.map(
    ({ branches }) => new Map(branches.flatMap((nodes, i) => nodes.map((v) => [v, i] as const))),
  );
  const parents = findParents(splits, raw, passes);
  const regions: Region[] = [];
  const byNode = new Map<number, Context[]>();
  for (const split of outerFirst(parents)) {
    const parent = parents[split] ?? null;
    const outer = parent === null ? null : (regions[parent.split] as Region);
    const region = new Map(
      [...(raw[split] as Region)].filter(([v]) => outer === null || outer.get(v) === parent?.branch),
    );
    regions[split] = region;
    for (const [v, branch] of region) {
      const others = (byNode.get(v) ?? NONE).filter((context) => context.split !== parent?.split);
      byNode.set(v, [...others, { split, branch }]);
    }
  }
  return {
    innermost: (v) => byNode.get(v) ?? NONE,
    around: (split) => parents[split] ?? null,
    owns: ({ split, branch }, v) => regions[split]?.get(v) === branch,
  };
}

/** An order of the splits in which each comes after those around it. */
function outerFirst(parents: readonly (Context | null)[]): readonly number[] {
  const inside: number[][] = parents.map(() => []);
  const order: number[] = [];
  parents.forEach((parent, split) => {
    if (parent === null) order.push(split);
    else inside[parent.split]?.push(split);
  });
  for (let i = 0; i < order.length; i++)
    for (const split of inside[order[i] as number] ?? []) order.push(split);
  return order;
}

/** The innermost branch around each split: of all around it, the one that stands deepest itself. */
function findParents(
  splits: readonly SplitIR[],
  raw: readonly Region[],
  passes: (split: number, v: number) => boolean,
): readonly (Context | null)[] {
  const nodeOf = (split: number): number => (splits[split] as SplitIR).node;
  const splitsAt = new Map<number, number[]>();
  splits.forEach(({ node }, split) => {
    splitsAt.set(node, [...(splitsAt.get(node) ?? []), split]);
  });
  // In a loop each may stand in a branch of the other: the one that a run comes to first is the outer one.
  const encloses = (outer: number, inner: number): boolean =>
    outer !== inner &&
    passes(outer, nodeOf(inner)) &&
    !(raw[inner]?.has(nodeOf(outer)) === true && passes(inner, nodeOf(outer)));
  const around: number[][] = splits.map(() => []);
  raw.forEach((region, outer) => {
    for (const v of region.keys()) {
      for (const inner of splitsAt.get(v) ?? []) if (encloses(outer, inner)) around[inner]?.push(outer);
    }
  });
  const depth = (split: number): number => around[split]?.length ?? 0;
  return around.map((outers, inner): Context | null => {
    const split = outers.reduce(
      (best, outer) => (best === -1 || depth(outer) > depth(best) ? outer : best),
      -1,
    );
    return split === -1 ? null : { split, branch: raw[split]?.get(nodeOf(inner)) ?? 0 };
  });
}
