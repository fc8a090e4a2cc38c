import { createBranchItems } from "../branch-items.js";
import { type Branches, createBranches } from "../branches.js";
import type { FieldType, GraphIR, MergeKind, NodeIR } from "../ir.js";
import {
  createMerged,
  findMerges,
  isToldByKind,
  type Merged,
  type Merges,
  type Successors,
} from "../merged.js";
import { itemText, sortedTypes } from "../types/typescript.js";
import { typeMembers } from "./field-type.js";

/** A type that a field can have, in TypeScript's words. */
export interface Member {
  readonly text: string;
  /** What it adds to a list that is held: the items of a list, else itself; null when only TypeScript can tell. */
  readonly items: readonly string[] | null;
}

export const plainMember = (text: string): Member => ({ text, items: [text] });
/** A type by the name that an agent's code gives it. */
export const toldMember = (text: string): Member => ({ text, items: null });

/** A list of items that have one of some types. */
export function listMember(items: readonly string[]): Member {
  const types = sortedTypes(items);
  const [only = "unknown"] = types;
  if (types.length > 1) return { text: `readonly (${types.join(" | ")})[]`, items: types };
  const text = /^[\w.]+(?:<.*>)?$|^\{.*\}$|^"[^"]*"$/.test(only) ? only : `(${only})`;
  return { text: `readonly ${text}[]`, items: [only] };
}

/** A type of the sheet. */
export function sheetMembers(type: FieldType): readonly Member[] {
  if (type.kind === "union") return type.members.flatMap(sheetMembers);
  if (type.kind === "list") return [listMember([])];
  if (type.kind === "list-of") return [listMember([itemText(type.item)])];
  return typeMembers(type).map(plainMember);
}

/** The types without those lists whose items another list can have, too. */
export function memberTexts(members: readonly Member[]): readonly string[] {
  const lists = [...new Map(members.filter(isList).map((list) => [list.text, list])).values()];
  const isPart = (one: Member): boolean => {
    const at = lists.findIndex(({ text }) => text === one.text);
    // Of lists of the same items in another order the first stays.
    return lists.some(
      (list, i) => i !== at && at >= 0 && holdsAll(list, one) && (i < at || !holdsAll(one, list)),
    );
  };
  return sortedTypes(members.filter((one) => !isPart(one)).map(({ text }) => text));
}

const isList = ({ text, items }: Member): boolean => items !== null && !items.includes(text);

const holdsAll = ({ items: all }: Member, { items }: Member): boolean =>
  items?.every((item) => all?.includes(item) || all?.includes("unknown")) === true;

/** What the merge at the end of a split makes of the types that its branches write, and of what is held before. */
export function mergedMembers(
  merge: MergeKind,
  written: readonly (readonly Member[])[],
  held: readonly (readonly Member[])[],
): readonly Member[] {
  if (merge === "sum") return [plainMember("number")];
  const before = held.flat().flatMap(({ text, items }) => items ?? [`Item<${text}>`]);
  return [listMember([...written.flat().map(({ text }) => text), ...before])];
}

/** What the merges of a graph make of what its nodes write. */
export function mergedOf(graph: GraphIR): Merged {
  const shape = { size: graph.nodes.length, splits: graph.splits, branches: branchesOf(graph) };
  return createMerged(shape, successorsOf(graph));
}

const successorsOf =
  ({ nodes }: GraphIR): Successors =>
  (v) => {
    const { next, onSuccess, onFailure, cases, otherwise, maxVisits, onLimit } = nodes[v]!;
    return [
      ...next,
      ...onSuccess,
      ...onFailure,
      ...cases.map(({ target }) => target),
      ...(otherwise === null ? [] : [otherwise]),
      ...(maxVisits === null ? [] : [onLimit]),
    ];
  };

const branchesByGraph = new WeakMap<GraphIR, Branches>();

/** Who is in which branch of a graph. */
export function branchesOf(graph: GraphIR): Branches {
  const known = branchesByGraph.get(graph) ?? createBranches(graph.nodes.length, graph.splits);
  branchesByGraph.set(graph, known);
  return known;
}

/** What the merges of splits do with what the nodes of a graph write. */
export const mergesOf = (graph: GraphIR): Merges => findMerges(graph.splits, branchesOf(graph));

/** The fields that are one item of a list to a node, to what it writes and to what it reads. */
export interface Items {
  /** A field of which several merges around the node make lists is named as often. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

/** Says it of each node: what a node reads of a field before its branch has written it was there at the split. */
export function itemsIn(graph: GraphIR): (node: NodeIR, index: number) => Items {
  const merges = mergesOf(graph);
  const writers = new Map(graph.fields.map((field) => [field.name, field.writers]));
  const items = createBranchItems(branchesOf(graph), merges, {
    next: successorsOf(graph),
    writers: (field) => writers.get(field) ?? [],
  });
  // Where only is told that they are lists, one layer says all, and the names would be many times longer than the sheet.
  const told = (field: string, lists: number): number =>
    isToldByKind(merges.naming(field)) ? Math.min(lists, 1) : lists;
  return ({ reads, writes }, index) => {
    const read = countItems(reads, (field) => told(field, items.around(index, field).length));
    const written = countItems(writes, (field) =>
      told(field, merges.around(index, field).filter((kind) => kind === "append").length),
    );
    return { writes: repeated({ ...read, ...written }), reads: repeated({ ...written, ...read }) };
  };
}

type Counts = { readonly [field: string]: number };

function countItems(of: readonly { readonly field: string }[], count: (field: string) => number): Counts {
  const counts: { [field: string]: number } = Object.create(null);
  for (const { field } of of) counts[field] = count(field);
  return counts;
}

const repeated = (counts: Counts): readonly string[] =>
  Object.entries(counts)
    .flatMap(([field, count]) => new Array<string>(count).fill(field))
    .sort();
