import type { SplitIR } from "../../ir.js";
import { type BranchNumber, createBranches, NO_BRANCH } from "./branches.js";

/** Removes splits that no run can take; the branch around a removed split then owns the nodes of its branches. */
export function onlyTaken(
  size: number,
  splits: readonly SplitIR[],
  isTaken: (split: SplitIR) => boolean,
): readonly SplitIR[] {
  const taken = splits.map(isTaken);
  if (!taken.includes(false)) return splits;
  const { at, around, splitOf } = createBranches(size, splits);
  const own = new Map<BranchNumber, number[]>();
  splits.forEach(({ branches }, split) => {
    branches.forEach((branch, place) => {
      let owner = at(split, place);
      while (owner !== NO_BRANCH && taken[splitOf(owner)] === false) owner = around(owner);
      const nodes = own.get(owner) ?? [];
      for (const v of branch.own) nodes.push(v);
      own.set(owner, nodes);
    });
  });
  return splits.flatMap((split, i) => {
    if (taken[i] === false) return [];
    const branches = split.branches.map((branch, place) => ({ ...branch, own: own.get(at(i, place)) ?? [] }));
    return [{ ...split, branches }];
  });
}
