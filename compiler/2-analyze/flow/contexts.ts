import type { SplitIR } from "../../ir.js";
import { type Branches, type BranchNumber, NO_BRANCH } from "./branches.js";
import { inherited } from "./once.js";

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
    if (isPlain(splitOf(branch)) && !others(v).includes(branch)) return true;
    for (let at = around(splitOf(branch)); at !== NO_BRANCH; at = around(splitOf(at)))
      if (!has(at, v)) return false;
    return true;
  };
  const all = (v: number): readonly BranchNumber[] => {
    const found = [...others(v)];
    for (let at = inmost(v); at !== NO_BRANCH; at = branches.around(at)) found.push(at);
    return found.filter((branch) => owns(branch, v));
  };
  const innermost = (v: number): readonly BranchNumber[] => {
    const own = inmost(v);
    if (others(v).length === 0 && own === NO_BRANCH) return [];
    if (others(v).length === 0 && isPlain(splitOf(own))) return [own];
    const found = all(v);
    const outer = new Set(found.map((branch) => around(splitOf(branch))));
    return found.filter((branch) => !outer.has(branch));
  };
  return { innermost, around, owns };
}
