import type { BranchNodes } from "../contract/contract.js";

/** Whether a node belongs to one of the branches of a split; all others are shared. */
export interface Owned {
  readonly has: (node: number) => boolean;
}

/** A split with the nodes of its branches as they are written down. */
export interface WrittenSplit {
  readonly node: number;
  readonly branches: readonly BranchNodes[];
}

const isList = (branch: BranchNodes): branch is readonly string[] => Array.isArray(branch);
const ownOf = (branch: BranchNodes): readonly string[] => (isList(branch) ? branch : branch.own);

/**
 * Who belongs to the branches of each split. Lists that leave out what splits within them own become ranges of one walk
 * through all splits, so that splits that nest deep take no more room than others. Linear in the lists.
 */
export function findOwned(splits: readonly WrittenSplit[], find: (name: string) => number): readonly Owned[] {
  const owner = new Map<number, number>();
  splits.forEach(({ branches }, split) => {
    for (const name of branches.flatMap(ownOf)) owner.set(find(name), split);
  });
  let ranges: Ranges | undefined;
  return splits.map(({ branches }, split) => {
    const listed = new Set(
      branches.flatMap((branch) => (isList(branch) ? branch : (branch.others ?? []))).map(find),
    );
    if (branches.every(isList)) return listed;
    ranges ??= rangesOf(splits.map(({ node }) => owner.get(node) ?? NOBODY));
    const { first, last } = ranges;
    const from = first[split] as number;
    const to = last[split] as number;
    return {
      has: (node) => {
        const at = first[owner.get(node) ?? NOBODY];
        return (at !== undefined && from <= at && at <= to) || listed.has(node);
      },
    };
  });
}

const NOBODY = -1;

interface Ranges {
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/** Numbers the splits so that those within one are a range. No recursion: splits nest deep. */
function rangesOf(around: readonly number[]): Ranges {
  const inside: number[][] = around.map(() => []);
  const roots: number[] = [];
  around.forEach((outer, split) => {
    (inside[outer] ?? roots).push(split);
  });
  const first: number[] = [];
  const last: number[] = [];
  let clock = 0;
  const open = roots.reverse().map((split) => ({ split, isDone: false }));
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { split, isDone } = top;
    if (isDone) {
      last[split] = clock - 1;
      continue;
    }
    first[split] = clock++;
    open.push({ split, isDone: true });
    for (const inner of inside[split] ?? []) open.push({ split: inner, isDone: false });
  }
  return { first, last };
}
