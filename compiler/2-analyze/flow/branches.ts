import type { SplitIR } from "../../ir.js";
import { createDigraph, searchDepthFirst } from "./digraph.js";
import { inherited, memo } from "./once.js";

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
  /** The branches that have a node among their others, ascending. */
  readonly others: (v: number) => readonly BranchNumber[];
  readonly has: (branch: BranchNumber, v: number) => boolean;
  /** The branch of a split that a node belongs to. */
  readonly find: (split: number, v: number) => BranchNumber;
  /** All nodes of a branch, ascending. */
  readonly nodes: (branch: BranchNumber) => readonly number[];
}

const NONE: readonly BranchNumber[] = [];

/** Most graphs have no split, and large sheets have many graphs. */
const NO_BRANCHES: Branches = {
  count: 0,
  splitOf: () => NO_BRANCH,
  at: () => NO_BRANCH,
  inmost: () => NO_BRANCH,
  around: () => NO_BRANCH,
  others: () => NONE,
  has: () => false,
  find: () => NO_BRANCH,
  nodes: () => NONE,
};

/**
 * Numbers the branches in preorder: the branches within one are a range.
 * A test of membership then costs the same at any depth of nesting. Linear in the lists.
 */
export function createBranches(size: number, splits: readonly SplitIR[]): Branches {
  if (splits.length === 0) return NO_BRANCHES;
  /** The first branch of each split; the last entry is the count. */
  const base = [0];
  const splitOf: number[] = [];
  const owner = new Int32Array(size).fill(NO_BRANCH);
  const others = new Map<number, BranchNumber[]>();
  splits.forEach(({ branches }, split) => {
    for (const branch of branches) {
      const number = splitOf.push(split) - 1;
      for (const v of branch.own) owner[v] = number;
      for (const v of branch.others) {
        const listed = others.get(v);
        if (listed === undefined) others.set(v, [number]);
        else listed.push(number);
      }
    }
    base.push(splitOf.length);
  });
  const around = (branch: BranchNumber): BranchNumber =>
    owner[(splits[splitOf[branch] as number] as SplitIR).node] as BranchNumber;
  const { first, last } = rangesOf(splitOf.map((_, branch) => around(branch)));
  const isWithin = (inner: BranchNumber, from: BranchNumber, to: BranchNumber): boolean =>
    inner !== NO_BRANCH &&
    (first[from] as number) <= (first[inner] as number) &&
    (last[inner] as number) <= (last[to] as number);
  const listed = (v: number): readonly BranchNumber[] => others.get(v) ?? NONE;
  const has = (branch: BranchNumber, v: number): boolean =>
    isWithin(owner[v] as number, branch, branch) || isAmong(listed(v), branch);
  const find = (split: number, v: number): BranchNumber => {
    const from = base[split] as number;
    const to = (base[split + 1] as number) - 1;
    if (!isWithin(owner[v] as number, from, to)) {
      const found = listed(v)[firstFrom(listed(v), from)] ?? NO_BRANCH;
      return found <= to ? found : NO_BRANCH;
    }
    let low = from;
    for (let high = to; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((first[middle] as number) <= (first[owner[v] as number] as number)) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    count: splitOf.length,
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

/** The index of the first number of an ascending list that is not less. */
function firstFrom(list: readonly BranchNumber[], least: BranchNumber): number {
  let low = 0;
  for (let high = list.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isAmong = (list: readonly BranchNumber[], branch: BranchNumber): boolean =>
  list[firstFrom(list, branch)] === branch;

/** The range of each branch in a preorder walk, from the branch around each. */
function rangesOf(around: readonly BranchNumber[]): Record<"first" | "last", Int32Array> {
  // The last node of the tree holds those that stand in no branch.
  const root = around.length;
  const outer = around.map((branch) => (branch === NO_BRANCH ? root : branch));
  const tree = createDigraph(root + 1, { from: outer, to: [...outer.keys()] });
  const { entered, left } = searchDepthFirst(tree, [root]);
  const first = new Int32Array(root + 1);
  for (let i = 0; i < entered.length; i++) first[entered[i] as number] = i;
  const last = first.slice();
  for (const branch of left) {
    const above = outer[branch] ?? root;
    last[above] = Math.max(last[above] as number, last[branch] as number);
  }
  return { first, last };
}

/** The branches that a node runs in, and their nesting. */
export interface Contexts {
  /** The branches of a node that enclose no other branch of it. */
  readonly innermost: (v: number) => readonly BranchNumber[];
  /** The branch in which a split itself stands. */
  readonly around: (split: number) => BranchNumber;
  readonly owns: (branch: BranchNumber, v: number) => boolean;
}

/**
 * An inner split ends where the split around it ends: a node behind that point belongs to neither. What a branch owns is
 * also owned by the branches around it, so only its `others` are looked up there.
 */
export function createContexts(
  splits: readonly SplitIR[],
  branches: Branches,
  passes: (split: number, v: number) => boolean,
): Contexts {
  const { inmost, others, splitOf, has } = branches;
  const nodeOf = (split: number): number => (splits[split] as SplitIR).node;
  // Every split around a split dominates it. The innermost one is dominated by all others.
  const isInside = (branch: BranchNumber, outer: BranchNumber): boolean =>
    passes(splitOf(outer), nodeOf(splitOf(branch)));
  const parents = splits.map(({ node }) =>
    [inmost(node), ...others(node)]
      .filter((branch) => branch !== NO_BRANCH && passes(splitOf(branch), node))
      .reduce((best, branch) => (best === NO_BRANCH || isInside(branch, best) ? branch : best), NO_BRANCH),
  );
  const around = (split: number): BranchNumber => parents[split] as BranchNumber;
  // True when a split, and each split around it, stands in the innermost branch that owns its node.
  const isPlain = inherited((split) => {
    const parent = around(split);
    if (parent === NO_BRANCH) return true;
    return inmost(nodeOf(split)) === parent && splitOf(parent);
  });
  const owns = (branch: BranchNumber, v: number): boolean => {
    if (!has(branch, v)) return false;
    if (isPlain(splitOf(branch)) && !isAmong(others(v), branch)) return true;
    for (let at = around(splitOf(branch)); at !== NO_BRANCH; at = around(splitOf(at)))
      if (!has(at, v)) return false;
    return true;
  };
  const all = (v: number): readonly BranchNumber[] => {
    const found = [...others(v)];
    for (let at = inmost(v); at !== NO_BRANCH; at = branches.around(at)) found.push(at);
    // Branches within each other share the way outwards.
    const isOwned = inherited((branch) => {
      const parent = around(splitOf(branch));
      return has(branch, v) && (parent === NO_BRANCH || parent);
    });
    return found.filter(isOwned);
  };
  // Every field asks for it on its way through the graph.
  const innermost = memo((v: number): readonly BranchNumber[] => {
    const own = inmost(v);
    if (others(v).length === 0 && own === NO_BRANCH) return [];
    if (others(v).length === 0 && isPlain(splitOf(own))) return [own];
    const found = all(v);
    const outer = new Set(found.map((branch) => around(splitOf(branch))));
    return found.filter((branch) => !outer.has(branch));
  });
  return { innermost, around, owns };
}
