/** What nodes in the branches of a split read of a field of which the merge makes a list. */

import { type Branches, type BranchNumber, NO_BRANCH } from "./branches.js";
import { type Merges, MOST, type Successors } from "./merged.js";

/**
 * The branches around a node in which what it reads of a field has been written: as long as they have not met, it is an
 * item of the list that their merge makes. What is read before that was there at the split.
 */
export type ItemBranches = (node: number, field: string) => readonly BranchNumber[];

interface Writing {
  readonly next: Successors;
  readonly writers: (field: string) => readonly number[];
}

export function createItemBranches(branches: Branches, { naming }: Merges, writing: Writing): ItemBranches {
  const known = new Map<string, ReadonlySet<number>>();
  const written = (branch: BranchNumber, field: string): ReadonlySet<number> => {
    const key = `${branch} ${field}`;
    const found = known.get(key) ?? findWritten((v) => branches.has(branch, v), field, writing);
    known.set(key, found);
    return found;
  };
  return (node, field) => {
    const around = naming(field)
      .filter(({ kind }) => kind === "append")
      .map(({ split }) => branches.find(split, node))
      .filter((branch) => branch !== NO_BRANCH);
    return around.length > MOST ? around : around.filter((branch) => written(branch, field).has(node));
  };
}

/** The nodes of a branch that its writers of a field lead to without leaving it. */
function findWritten(
  isInside: (v: number) => boolean,
  field: string,
  { next, writers }: Writing,
): ReadonlySet<number> {
  const found = new Set<number>();
  const pending = writers(field).filter(isInside);
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    for (const w of Array.from(next(v))) {
      if (found.has(w) || !isInside(w)) continue;
      found.add(w);
      pending.push(w);
    }
  }
  return found;
}
