import type { Items } from "../../ir.js";
import type { DraftNode } from "../draft.js";
import { writtenFields } from "../draft.js";
import { type Branches, type BranchNumber, NO_BRANCH } from "../flow/branches.js";
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

/** The targets of a node's edges. */
type Successors = (node: number) => ArrayLike<number>;

interface Writing {
  readonly next: Successors;
  readonly writers: (field: string) => readonly number[];
}

type Writers = ReadonlyMap<BranchNumber, readonly number[]>;

const NO_WRITERS: readonly number[] = [];

export function createBranchItems(
  branches: Branches,
  { naming }: Merges,
  { next, writers }: Writing,
): BranchItems {
  const { find, has } = branches;
  const appending = (node: number, field: string): readonly BranchNumber[] =>
    naming(field).flatMap(({ split, kind }) => {
      const branch = kind === "append" ? find(split, node) : NO_BRANCH;
      return branch === NO_BRANCH ? [] : [branch];
    });
  const writersByField = new Map<string, Writers>();
  const writersIn = (branch: BranchNumber, field: string): readonly number[] => {
    const known = writersByField.get(field) ?? grouped(writers(field), (v) => appending(v, field));
    writersByField.set(field, known);
    return known.get(branch) ?? NO_WRITERS;
  };
  const behindWriters = new Map<string, ReadonlySet<number>>();
  const isWritten = (branch: BranchNumber, field: string, node: number): boolean => {
    const key = `${branch} ${field}`;
    const known = behindWriters.get(key) ?? ledTo(writersIn(branch, field), next, (v) => has(branch, v));
    behindWriters.set(key, known);
    return known.has(node);
  };
  return {
    around: (node, field) => {
      const around = appending(node, field);
      return isToldByKind(naming(field)) ? around : around.filter((one) => isWritten(one, field, node));
    },
    writers: ([first, ...others], field) =>
      first === undefined || isToldByKind(naming(field))
        ? NO_WRITERS
        : writersIn(first, field).filter((v) => others.every((branch) => has(branch, v))),
  };
}

function grouped(nodes: readonly number[], around: (v: number) => readonly BranchNumber[]): Writers {
  const found = new Map<BranchNumber, number[]>();
  for (const v of nodes) {
    for (const branch of around(v)) {
      const known = found.get(branch);
      if (known === undefined) found.set(branch, [v]);
      else known.push(v);
    }
  }
  return found;
}

/** The nodes that can be reached from the given ones without leaving the branch. */
function ledTo(
  from: readonly number[],
  next: Successors,
  isInside: (v: number) => boolean,
): ReadonlySet<number> {
  const found = new Set<number>();
  const pending = [...from];
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    for (const w of Array.from(next(v))) {
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
  const read: Counts = Object.create(null);
  const written: Counts = Object.create(null);
  for (const { field } of row.inputs) read[field] = told(field, around(index, field).length);
  for (const field of writtenFields(node)) {
    const lists = merges.around(index, field).filter((kind) => kind === "append");
    written[field] = told(field, lists.length);
  }
  const items = { writes: repeated({ ...read, ...written }), reads: repeated({ ...written, ...read }) };
  return items.writes.length + items.reads.length === 0 ? NO_ITEMS : items;
}

interface Counts {
  [field: string]: number;
}

const repeated = (counts: Counts): readonly string[] =>
  Object.entries(counts)
    .flatMap(([field, count]) => new Array<string>(count).fill(field))
    .sort();
