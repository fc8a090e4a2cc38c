import type { SplitIR } from "./ir.js";

/** The branches of one split have consecutive numbers. */
export type BranchNumber = number;

export const NO_BRANCH = -1;

export interface Branches {
  readonly count: number;
  readonly splitOf: (branch: BranchNumber) => number;
  readonly at: (split: number, place: number) => BranchNumber;
  /** The innermost branch that owns a node, and the innermost one around the split of a branch. */
  readonly inmost: (v: number) => BranchNumber;
  readonly around: (branch: BranchNumber) => BranchNumber;
  /** The branches that have a node among their others. */
  readonly others: (v: number) => readonly BranchNumber[];
  readonly has: (branch: BranchNumber, v: number) => boolean;
  /** The branch of a split that a node belongs to. */
  readonly find: (split: number, v: number) => BranchNumber;
  /** All nodes of a branch, ascending. */
  readonly nodes: (branch: BranchNumber) => readonly number[];
}

const NONE: readonly BranchNumber[] = [];

/**
 * Numbers the branches in preorder: the branches within one are a range.
 * A test of membership then costs the same at any depth of nesting. Linear in the lists.
 */
export function createBranches(size: number, splits: readonly SplitIR[]): Branches {
  const { base, count, splitOf } = numberBranches(splits);
  const owner = new Int32Array(size).fill(NO_BRANCH);
  const others = new Map<number, BranchNumber[]>();
  splits.forEach(({ branches }, split) => {
    branches.forEach((branch, place) => {
      const number = (base[split] as number) + place;
      for (const v of branch.own) owner[v] = number;
      for (const v of branch.others) others.set(v, [...(others.get(v) ?? NONE), number]);
    });
  });
  const around = (branch: BranchNumber): BranchNumber =>
    owner[(splits[splitOf[branch] as number] as SplitIR).node] as BranchNumber;
  const { first, last } = rangesOf(count, around);
  const isWithin = (inner: BranchNumber, from: BranchNumber, to: BranchNumber): boolean =>
    inner !== NO_BRANCH &&
    (first[from] as number) <= (first[inner] as number) &&
    (last[inner] as number) <= (last[to] as number);
  const listed = (v: number): readonly BranchNumber[] => others.get(v) ?? NONE;
  const has = (branch: BranchNumber, v: number): boolean =>
    isWithin(owner[v] as number, branch, branch) || listed(v).includes(branch);
  const find = (split: number, v: number): BranchNumber => {
    const from = base[split] as number;
    const to = (base[split + 1] as number) - 1;
    if (!isWithin(owner[v] as number, from, to))
      return listed(v).find((branch) => splitOf[branch] === split) ?? NO_BRANCH;
    let low = from;
    for (let high = to; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((first[middle] as number) <= (first[owner[v] as number] as number)) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    count,
    splitOf: (branch) => splitOf[branch] as number,
    at: (split, place) => (base[split] as number) + place,
    inmost: (v) => owner[v] as number,
    around,
    others: listed,
    has,
    find,
    nodes: (branch) => Array.from(owner.keys()).filter((v) => has(branch, v)),
  };
}

interface Numbers {
  /** The first branch of each split; the last entry is the count. */
  readonly base: Int32Array;
  readonly count: number;
  readonly splitOf: Int32Array;
}

function numberBranches(splits: readonly SplitIR[]): Numbers {
  const base = new Int32Array(splits.length + 1);
  splits.forEach(({ branches }, split) => {
    base[split + 1] = (base[split] as number) + branches.length;
  });
  const count = base[splits.length] as number;
  const splitOf = new Int32Array(count);
  for (let split = 0; split < splits.length; split++)
    splitOf.fill(split, base[split] as number, base[split + 1] as number);
  return { base, count, splitOf };
}

/** The range of each branch in a preorder walk. No recursion. */
function rangesOf(
  count: number,
  around: (branch: BranchNumber) => BranchNumber,
): { readonly first: Int32Array; readonly last: Int32Array } {
  const first = new Int32Array(count);
  const last = new Int32Array(count);
  const head = new Int32Array(count + 1).fill(NO_BRANCH);
  const next = new Int32Array(count).fill(NO_BRANCH);
  // The last slot holds those that stand in no branch.
  for (let branch = count - 1; branch >= 0; branch--) {
    const outer = around(branch);
    const slot = outer === NO_BRANCH ? count : outer;
    next[branch] = head[slot] as number;
    head[slot] = branch;
  }
  let clock = 0;
  const open: BranchNumber[] = [];
  const enter = (branch: BranchNumber): void => {
    if (branch === NO_BRANCH) return;
    first[branch] = clock++;
    open.push(branch);
  };
  enter(head[count] as number);
  for (let top = open[open.length - 1]; top !== undefined; top = open[open.length - 1]) {
    const inner = head[top] as number;
    if (inner !== NO_BRANCH) {
      head[top] = NO_BRANCH;
      enter(inner);
      continue;
    }
    last[top] = clock - 1;
    open.pop();
    enter(next[top] as number);
  }
  return { first, last };
}
