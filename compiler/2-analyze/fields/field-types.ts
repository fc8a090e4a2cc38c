import { type BranchItems, createBranchItems } from "../../branch-items.js";
import type { Branches, BranchNumber } from "../../branches.js";
import type { FieldType, InputItem, MergeKind, OutputItem, SplitIR } from "../../ir.js";
import { createMerged, findMerges, type Piece } from "../../merged.js";
import { isAssignable } from "../../types/compare.js";
import { BOOLEAN, isOpen, isString, NUMBER, OBJECT, STRING, UNKNOWN } from "../../types/field-type.js";
import { formatType } from "../../types/format-type.js";
import { mergedType, unionOf } from "../../types/union.js";
import type { Draft, DraftNode } from "../draft.js";
import type { Digraph } from "../flow/digraph.js";
import { askedOf, calledOutput } from "./calls.js";
import type { FieldUse, Read } from "./field-use.js";

/** The type of every field of a graph, and of everything that is written. */
export interface FieldTypes {
  readonly of: (field: string) => FieldType;
  /** What a node puts into one of its outputs: the annotation, else what its agent produces. */
  readonly written: (node: DraftNode, output: OutputItem) => FieldType;
  /** What a node's write has become when it is read: a merge of branches makes a list or a sum of it. */
  readonly arrives: (node: DraftNode, field: string) => FieldType;
  /** How a field that a node writes is merged where its branches meet. */
  readonly merge: (node: DraftNode, field: string) => MergeKind | undefined;
  /** Where nodes read an item of the list that a field becomes, and who has written it. */
  readonly items: BranchItems;
  /** What a node's write is to whoever reads it inside of some branches. */
  readonly inBranches: (node: DraftNode, field: string, within: readonly BranchNumber[]) => FieldType;
  /** Whether what an annotated input reads may be of another type than it says. */
  readonly isHeld: (item: InputItem) => boolean;
}

/** Infers types on demand, each once; a field that is copied round in a circle is unknown. Linear. */
export function inferTypes(
  draft: Draft,
  byName: ReadonlyMap<string, FieldUse>,
  {
    splits,
    branches,
    graph,
  }: { readonly splits: readonly SplitIR[]; readonly branches: Branches; readonly graph: Digraph },
): FieldTypes {
  const merges = findMerges(splits, branches);
  const next = (v: number): ArrayLike<number> => graph.to.subarray(graph.start[v], graph.start[v + 1]);
  const merged = createMerged({ size: draft.nodes.length, splits, branches }, next);
  const items = createBranchItems(branches, merges, {
    next,
    writers: (field) => byName.get(field)?.writers ?? [],
  });
  const known = new Map<string, FieldType>();
  const written = (node: DraftNode, output: OutputItem): FieldType =>
    output.type ?? produced(draft, node, { output, of });
  const writersOf = ({ field }: InputItem): readonly number[] => byName.get(field)?.writers ?? [];
  const leaves = (node: DraftNode, field: string): Piece<FieldType> => {
    const output = outputOf(node, field);
    // Only the errors that a loop over items collects are written without an output.
    const type: FieldType =
      output === undefined ? { kind: "list-of", item: "object" } : written(node, output);
    return { node: node.index, type };
  };
  const arrives = (node: DraftNode, field: string): FieldType =>
    unionOf(merged({ name: field, pieces: [leaves(node, field)], isGiven: false }, mergedType));
  const left = ({ name, writers, input }: FieldUse): readonly FieldType[] => {
    const pieces = writers.map((v) => leaves(draft.nodes[v] as DraftNode, name));
    return merged({ name, pieces, isGiven: input !== null }, mergedType);
  };
  const begin = (field: string): OpenField => {
    known.set(field, UNKNOWN);
    const use = byName.get(field);
    return { field, use, sources: use === undefined ? NO_SOURCES : sourcesOf(draft, use), next: 0 };
  };
  // No recursion: a field may be copied on and on, by every node of a sheet.
  const of = (field: string): FieldType => {
    const done = known.get(field);
    if (done !== undefined) return done;
    const open = [begin(field)];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const source = top.sources[top.next++];
      if (source === undefined) {
        open.pop();
        if (top.use !== undefined) known.set(top.field, infer(draft, top.use, left));
      } else if (!known.has(source)) open.push(begin(source));
    }
    return known.get(field) ?? UNKNOWN;
  };
  const merge = (node: DraftNode, field: string): MergeKind | undefined =>
    merges.around(node.index, field).at(-1);
  const isHeld = (item: InputItem): boolean => isHeldRead(draft, item, { merge, writers: writersOf(item) });
  const inBranches: FieldTypes["inBranches"] = (node, field, within) => {
    const lists = merges.around(node.index, field).filter((kind) => kind === "append");
    // What branches further in have made of it is a list there.
    return lists.length > within.length ? UNKNOWN : leaves(node, field).type;
  };
  return { of, written, arrives, merge, items, inBranches, isHeld };
}

interface Written extends Pick<FieldTypes, "merge"> {
  readonly writers: readonly number[];
}

/**
 * Only annotations are relied on, since a run keeps them: what an agent is known to produce, a stand-in need not. What is
 * given is checked before a run begins, but only as a whole.
 */
function isHeldRead(draft: Draft, { field, path, type }: InputItem, { merge, writers }: Written): boolean {
  if (type === null || isOpen(type)) return false;
  if (path.length > 0) return true;
  if (field === "error") return !isString(type);
  return writers.some((v) => {
    const node = draft.nodes[v] as DraftNode;
    const written = outputOf(node, field)?.type ?? null;
    const isKept = written !== null && !isOpen(written) && isAssignable(written, type);
    return !isKept || merge(node, field) !== undefined;
  });
}

/** A field whose type waits for those of the fields that it is a copy of. */
interface OpenField {
  readonly field: string;
  readonly use: FieldUse | undefined;
  readonly sources: readonly string[];
  next: number;
}

const NO_SOURCES: readonly string[] = [];

/** The fields that the writers of a field copy into it. */
function sourcesOf(draft: Draft, use: FieldUse): readonly string[] {
  let sources: string[] | null = null;
  for (const v of use.writers) {
    const node = draft.nodes[v] as DraftNode;
    const output = outputOf(node, use.name);
    const source = output === undefined || output.type !== null ? null : copied(node, output);
    if (source === null || source.type !== null || source.path.length > 0) continue;
    sources ??= [];
    sources.push(source.field);
  }
  return sources ?? NO_SOURCES;
}

function infer(draft: Draft, use: FieldUse, left: (use: FieldUse) => readonly FieldType[]): FieldType {
  if (use.name === "error") return STRING;
  return use.writers.length > 0 ? unionOf(left(use)) : givenType(draft, use);
}

/** A field that only the caller gives: what its readers say, else what their agents need. */
function givenType(draft: Draft, use: FieldUse): FieldType {
  const nodeOf = (read: Read): DraftNode => draft.nodes[read.node] as DraftNode;
  for (const read of use.reads) {
    const type = annotationOf(draft, nodeOf(read), read.item);
    if (type !== null) return type;
  }
  const onlyPrompts = use.reads.length > 0 && use.reads.every((read) => readsWhole(nodeOf(read), read.item));
  return onlyPrompts ? unionOf([STRING, NUMBER, BOOLEAN]) : UNKNOWN;
}

/** What a value given by the caller must be: the annotations of its readers and writers, and what agents require. */
export function givenChecks(draft: Draft, use: FieldUse, types: FieldTypes): readonly FieldType[] {
  const checks: FieldType[] = [];
  for (const { node, item } of use.reads) {
    const type = annotationOf(draft, draft.nodes[node] as DraftNode, item);
    if (type !== null) checks.push(type);
  }
  for (const v of use.writers) {
    const node = draft.nodes[v] as DraftNode;
    if ((outputOf(node, use.name)?.type ?? null) !== null) checks.push(types.arrives(node, use.name));
  }
  return checks.length < 2 ? checks : [...new Map(checks.map((type) => [formatType(type), type])).values()];
}

const outputOf = (node: DraftNode, field: string): OutputItem | undefined =>
  node.row.outputs.find((output) => output.field === field);

/** What a node asks of the whole of a field, or null. */
export function annotationOf(draft: Draft, node: DraftNode, item: InputItem): FieldType | null {
  return item.path.length > 0 ? null : (item.type ?? requiredType(draft, node, item));
}

/** A loop over items needs a list, and a graph that is run what it asks of its own caller. */
function requiredType(draft: Draft, node: DraftNode, item: InputItem): FieldType | null {
  return node.facts?.type === "graph" ? askedOf(draft, node, item) : null;
}

/** True when a node does nothing with an input but put it into its prompt as it is. */
function readsWhole(node: DraftNode, item: InputItem): boolean {
  if (node.facts === null || !node.facts.text || node.prompt === null || item.path.length > 0) return false;
  return node.prompt.parts.every(
    (part) => part.kind === "text" || part.path.length === 1 || part.path[0] !== item.param,
  );
}

/** What a built-in agent is known to put into an output; a custom agent's result is known to nobody here. */
function produced(
  draft: Draft,
  node: DraftNode,
  { output, of }: { readonly output: OutputItem; readonly of: (field: string) => FieldType },
): FieldType {
  const { facts } = node;
  if (facts === null) return UNKNOWN;
  if (facts.type === "graph") return calledOutput(draft, node, output);
  if (facts.produces === "string") return STRING;
  if (facts.produces === "boolean") return BOOLEAN;
  if (facts.produces === "typed") return choicesOf(node) ?? STRING;
  if (facts.produces === "echo") return echoed(node, output, of);
  return UNKNOWN;
}

function choicesOf(node: DraftNode): FieldType | null {
  const choices = node.settings["choices"];
  if (!Array.isArray(choices) || choices.length === 0) return null;
  const values = choices.filter((value): value is string => typeof value === "string");
  return values.length === choices.length ? { kind: "choice", values } : null;
}

/** An echo gives its prompt, else its one input, else the mapping of its inputs. */
function echoed(node: DraftNode, output: OutputItem, of: (field: string) => FieldType): FieldType {
  if (node.row.prompt !== null) return STRING;
  const only = copied(node, output);
  if (only === null) return node.row.inputs.length === 0 ? UNKNOWN : OBJECT;
  return only.type ?? (only.path.length > 0 ? UNKNOWN : of(only.field));
}

/** The input that an echo without a prompt gives as it is; null when there is none. */
function copied({ facts, row }: DraftNode, output: OutputItem): InputItem | null {
  if (facts?.produces !== "echo" || row.prompt !== null) return null;
  const { inputs } = row;
  const only = inputs.length === 1 ? inputs[0] : inputs.find(({ param }) => param === output.key);
  return only ?? null;
}
