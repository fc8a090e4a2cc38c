import type { BranchNodes } from "../contract/contract.js";

/** True when a node belongs to one of the branches of a split; all others are shared. */
export interface Owned {
  readonly has: (node: number) => boolean;
}

/** A split with the nodes of its branches, as the definition lists them. */
export interface WrittenSplit {
  readonly node: number;
  readonly branches: readonly BranchNodes[];
}

const isList = (branch: BranchNodes): branch is readonly string[] => Array.isArray(branch);
const ownOf = (branch: BranchNodes): readonly string[] => (isList(branch) ? branch : branch.own);

/**
 * Finds the owned nodes of each split. Nested splits become ranges of one walk over all splits, so that deep nesting
 * needs no more memory. Cost: linear in the lists.
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

/** Numbers the splits so that those inside one are a range. No recursion, because splits nest deep. */
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
