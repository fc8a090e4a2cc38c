import type { Items } from "../../ir.js";
import { type DraftNode, writtenFields } from "../draft.js";
import { type Branches, type BranchNumber, NO_BRANCH } from "../flow/branches.js";
import type { Digraph } from "../flow/digraph.js";
import { memo } from "../flow/once.js";
import { groupBy } from "../group-by.js";
import { isToldByKind, type Merges } from "./merged.js";

export interface BranchItems {
  /**
   * The branches around a node that have written a field before it. Until they meet, the field is one item of the
   * list that their merge makes. Before they write it, it is what was there at the split.
   */
  readonly around: (node: number, field: string) => readonly BranchNumber[];
  /** The nodes inside all the given branches that write a field; empty where its type is just a list. */
  readonly writers: (within: readonly BranchNumber[], field: string) => readonly number[];
}

interface Writing {
  readonly graph: Digraph;
  readonly writers: (field: string) => readonly number[];
}

const NO_WRITERS: readonly number[] = [];

export function createBranchItems(
  { find, has }: Branches,
  { naming }: Merges,
  { graph, writers }: Writing,
): BranchItems {
  const appending = (node: number, field: string): readonly BranchNumber[] =>
    naming(field).flatMap(({ split, kind }) => {
      const branch = kind === "append" ? find(split, node) : NO_BRANCH;
      return branch === NO_BRANCH ? [] : [branch];
    });
  const byBranch = memo((field: string) => {
    const all = writers(field).flatMap((v) => appending(v, field).map((branch) => ({ branch, v })));
    return groupBy(all, ({ branch }) => branch);
  });
  const writersIn = (branch: BranchNumber, field: string): readonly number[] =>
    byBranch(field)
      .get(branch)
      ?.map(({ v }) => v) ?? NO_WRITERS;
  const behindWriters = memo((field: string) =>
    memo((branch: BranchNumber) => ledTo(writersIn(branch, field), graph, (v) => has(branch, v))),
  );
  return {
    around: (node, field) => {
      const around = appending(node, field);
      if (isToldByKind(naming(field))) return around;
      return around.filter((branch) => behindWriters(field)(branch).has(node));
    },
    writers: ([first, ...others], field) =>
      first === undefined || isToldByKind(naming(field))
        ? NO_WRITERS
        : writersIn(first, field).filter((v) => others.every((branch) => has(branch, v))),
  };
}

/** The nodes that can be reached from the given ones without leaving the branch. */
function ledTo(
  from: readonly number[],
  { start, to }: Digraph,
  isInside: (v: number) => boolean,
): ReadonlySet<number> {
  const found = new Set<number>();
  const pending = [...from];
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    for (const w of to.subarray(start[v], start[v + 1])) {
      if (found.has(w) || !isInside(w)) continue;
      found.add(w);
      pending.push(w);
    }
  }
  return found;
}

export const NO_ITEMS: Items = { writes: [], reads: [] };

/** The fields that are one item to a node. A field that its branch has not written yet has its value from the split. */
export function itemsAt(node: DraftNode, { around }: BranchItems, merges: Merges): Items {
  if (merges.isEmpty) return NO_ITEMS;
  const { index, row } = node;
  // A field that very many splits merge counts once: the repeated names could be longer than the sheet.
  const told = (field: string, lists: number): number =>
    isToldByKind(merges.naming(field)) ? Math.min(lists, 1) : lists;
  const read = row.inputs.map(({ field }) => [field, told(field, around(index, field).length)] as const);
  const written = writtenFields(node).map((field) => {
    const lists = merges.around(index, field).filter((kind) => kind === "append");
    return [field, told(field, lists.length)] as const;
  });
  const items = { writes: repeated([...read, ...written]), reads: repeated([...written, ...read]) };
  return items.writes.length + items.reads.length === 0 ? NO_ITEMS : items;
}

/** Of two counts of a field the last one holds. */
const repeated = (counts: readonly (readonly [field: string, count: number])[]): readonly string[] =>
  [...new Map(counts)].flatMap(([field, count]) => new Array<string>(count).fill(field)).sort();
