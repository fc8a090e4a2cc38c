import type { Checked } from "../../formula/check.js";
import type { FieldType, InputItem, Items, MergeKind, OutputItem, PromptItem } from "../../ir.js";
import { givesRows, readStatement } from "../../sql-statement.js";
import { isAssignable } from "../../types/compare.js";
import {
  BOOLEAN,
  isList,
  isOpen,
  isString,
  isUnknown,
  itemOf,
  LIST,
  listOf,
  NUMBER,
  OBJECT,
  RECEIPT_ENTRIES,
  STRING,
  UNKNOWN,
} from "../../types/field-type.js";
import { formatType } from "../../types/format-type.js";
import { isRunValue, mayBeNobody } from "../../types/run-values.js";
import { sheetType, unionOf } from "../../types/union.js";
import { inputOfParam } from "../by-name.js";
import type { Draft, DraftNode } from "../draft.js";
import type { BranchNumber } from "../flow/branches.js";
import { memo } from "../flow/once.js";
import { compute, type Known } from "../formulas/compute.js";
import { demandedBy, fieldsOfFormula } from "../formulas/node-formula.js";
import { groupBy } from "../group-by.js";
import { statementOf } from "../statements/statement-of.js";
import { type BranchItems, createBranchItems, itemsAt, NO_ITEMS } from "./branch-items.js";
import {
  askedOf,
  calledBy,
  calledOutput,
  collected,
  fieldOf,
  isSurelyWritten,
  leavesGaps,
  tellsOfAnswer,
} from "./calls.js";
import type { FieldUse } from "./field-use.js";
import type { Fields } from "./fields.js";
import { looksInside } from "./input-names.js";
import { createMerged, findMerges, type Piece, type Shape } from "./merged.js";

export interface FieldTypes {
  /** The type in words that a sheet has. */
  readonly of: (field: string) => FieldType;
  /** The type with references to the code of agents and to other graphs. */
  readonly full: (field: string) => FieldType;
  /** Whether every node that writes a field may leave it out: a copy of what may be unset, an output of a graph. */
  readonly mayBeLeftOut: (field: string) => boolean;
  /** The type of an output: its annotation, else what the agent produces. */
  readonly written: (node: DraftNode, output: OutputItem) => FieldType;
  /** The type of a node's write after all merges, which make lists and sums. */
  readonly arrives: (node: DraftNode, field: string) => FieldType;
  /** The merge of a field at the splits around a node; undefined without one. */
  readonly merge: (node: DraftNode, field: string) => MergeKind | undefined;
  readonly items: BranchItems;
  readonly itemsAt: (node: DraftNode) => Items;
  /** The type of a node's write for a reader inside the given branches, before their merges. */
  readonly inBranches: (node: DraftNode, field: string, within: readonly BranchNumber[]) => FieldType;
  /** The formula of a node, checked when all types are known; null without one that can be read. */
  readonly computed: (node: DraftNode) => Checked | null;
  /** Whether the value that an annotated input reads may have another type: then a run checks it. */
  readonly isHeld: (item: InputItem) => boolean;
  /** Whether built-in agents may write values of any type into a field. */
  readonly isOpen: (field: string) => boolean;
}

/** Infers types on demand, each once; a field that is copied round in a circle is unknown. Linear. */
export function inferTypes(draft: Draft, { byName, readsOf }: Fields, shape: Shape): FieldTypes {
  const { splits, branches, graph } = shape;
  const merges = findMerges(splits, branches);
  const merged = createMerged(shape, merges);
  const hasLists = splits.some(({ merge }) => Object.values(merge).includes("append"));
  const nodeAt = (v: number): DraftNode => draft.nodes[v] as DraftNode;
  const writersOf = (field: string): readonly number[] => byName.get(field)?.writers ?? [];
  const items = createBranchItems(branches, merges, { graph, writers: writersOf });
  const copiesIn = (field: string, isCopy: (output: OutputItem, item: InputItem) => boolean) =>
    writersOf(field).flatMap((v) => {
      const output = outputOf(nodeAt(v), field);
      const item = output === undefined ? null : copied(nodeAt(v), output);
      const isWhole = output !== undefined && item !== null && item.path.length === 0;
      return isWhole && isCopy(output, item) ? [item.field] : [];
    });
  const computedFrom = (field: string): readonly string[] =>
    writersOf(field).flatMap((v) => {
      const { formula, row } = nodeAt(v);
      return formula === null ? [] : fieldsOfFormula(formula, row.inputs);
    });
  const full: FieldTypes["full"] = inOrder(
    UNKNOWN,
    (field) => [
      ...copiesIn(field, (output, item) => output.type === null && item.type === null),
      ...computedFrom(field),
    ],
    (field) => (isRunValue(field) ? STRING : infer(byName.get(field))),
  );
  const of = (field: string): FieldType => sheetType(full(field));
  const left = (node: DraftNode, output: OutputItem): FieldType =>
    output.type === null
      ? produced(draft, node, output, { of, computed: () => computedBy(node)?.type ?? UNKNOWN })
      : withGaps(node, output);
  const computedBy = (node: DraftNode): Checked | null => compute(node, knownAt(node));
  const settled = memo((v: number) => ({ checked: computedBy(nodeAt(v)) }));
  /** Inside of branches a field may be one item of it. */
  const knownAt = ({ index }: DraftNode): Known => ({
    reads: readsOf[index] ?? [],
    typeOf: (field) => (items.around(index, field).length > 0 ? UNKNOWN : of(field)),
    mayBeLeftOut: (field) => mayBeLeftOut(field),
    table: draft.analysis.world.table,
  });
  const leaves = (node: DraftNode, field: string): Piece => {
    const output = outputOf(node, field);
    // Only the errors that a loop over items collects are written without an output.
    return { node: node.index, type: output === undefined ? collected(node) : left(node, output) };
  };
  const infer = (use: FieldUse | undefined): FieldType => {
    if (use === undefined) return UNKNOWN;
    const { name, writers, input } = use;
    if (name === "error") return STRING;
    if (writers.length === 0) return askedType(draft, use);
    const pieces = writers.map((v) => leaves(nodeAt(v), name));
    return unionOf(merged({ name, pieces, isGiven: input !== null }));
  };
  const arrives = (node: DraftNode, field: string): FieldType =>
    sheetType(unionOf(merged({ name: field, pieces: [leaves(node, field)], isGiven: false })));
  const readsAt = memo((v: number) => new Map((readsOf[v] ?? []).map((read) => [read.item, read])));
  const leavesOut = (node: DraftNode, output: OutputItem): boolean => {
    if (!isSurelyWritten(draft, node, output)) return true;
    const item = copied(node, output);
    const read = item === null ? undefined : readsAt(node.index).get(item);
    if (item === null || read === undefined) return false;
    return !read.sure || item.optional || (item.path.length === 0 && mayBeLeftOut(item.field));
  };
  const mayBeLeftOut: FieldTypes["mayBeLeftOut"] = inOrder<boolean>(
    false,
    (field) => copiesIn(field, () => true),
    (field) =>
      mayBeNobody(field) ||
      (field !== "error" &&
        writersOf(field).length > 0 &&
        byName.get(field)?.input !== "required" &&
        writersOf(field).every((v) => {
          const outputs = outputsOf(nodeAt(v), field);
          const isLeft = outputs.length > 0 && outputs.every((output) => leavesOut(nodeAt(v), output));
          return isLeft && merges.around(v, field).length === 0;
        })),
  );
  const merge = (node: DraftNode, field: string): MergeKind | undefined =>
    merges.around(node.index, field).at(-1);
  const isHeld = (item: InputItem): boolean =>
    isHeldRead(draft, item, { merge, writers: writersOf(item.field) });
  // Custom agents and other graphs say themselves what they give.
  const writesAnything = (node: DraftNode, field: string): boolean => {
    const output = node.facts === null || node.facts.type === "graph" ? undefined : outputOf(node, field);
    return output !== undefined && isUnknown(sheetType(left(node, output)));
  };
  const inBranches: FieldTypes["inBranches"] = (node, field, within) => {
    const lists = merges.around(node.index, field).filter((kind) => kind === "append");
    // An inner merge has made it a list there.
    return lists.length > within.length ? UNKNOWN : sheetType(leaves(node, field).type);
  };
  return {
    of,
    full,
    mayBeLeftOut,
    written: (node, output) => sheetType(left(node, output)),
    arrives,
    merge,
    items,
    itemsAt: (node) => (hasLists ? itemsAt(node, items, merges) : NO_ITEMS),
    inBranches,
    computed: (node) => settled(node.index).checked,
    isHeld,
    isOpen: (field) => isUnknown(of(field)) && writersOf(field).some((v) => writesAnything(nodeAt(v), field)),
  };
}

/**
 * Only annotations count, since a run enforces them: a stand-in in a test may give what its agent never produces.
 * Given values are checked before a run begins, but not at paths inside of them.
 */
function isHeldRead(
  draft: Draft,
  { field, path, type }: InputItem,
  { merge, writers }: Pick<FieldTypes, "merge"> & { readonly writers: readonly number[] },
): boolean {
  if (type === null || isOpen(type) || isRunValue(field)) return false;
  if (path.length > 0) return true;
  if (field === "error") return !isString(type);
  return writers.some((v) => {
    const node = draft.nodes[v] as DraftNode;
    const written = outputOf(node, field)?.type ?? null;
    const isKept = written !== null && !isOpen(written) && isAssignable(written, type);
    return !isKept || merge(node, field) !== undefined;
  });
}

/**
 * Memoizes a value for each name; its sources come first. No recursion: chains of copies can be long. `open` is the
 * value for a name that depends on itself.
 */
function inOrder<T>(
  open: T,
  sources: (name: string) => readonly string[],
  make: (name: string) => T,
): (name: string) => T {
  const known = new Map<string, T>();
  const begin = (name: string) => {
    known.set(name, open);
    return { name, sources: sources(name), next: 0 };
  };
  return (name) => {
    const done = known.get(name);
    if (done !== undefined) return done;
    const path = [begin(name)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const source = top.sources[top.next++];
      if (source === undefined) {
        path.pop();
        known.set(top.name, make(top.name));
      } else if (!known.has(source)) path.push(begin(source));
    }
    return known.get(name) ?? open;
  };
}

const givenAnnotations = (draft: Draft, use: FieldUse): readonly FieldType[] => {
  const annotated = distinct(
    use.reads.flatMap(({ node, item }) => annotationOf(draft, draft.nodes[node] as DraftNode, item) ?? []),
  );
  // What a node writes has the type of its writer: a formula is checked against that.
  if (annotated.length > 0 || use.writers.length > 0) return annotated;
  const demanded = distinct(
    use.reads.flatMap(({ node, item }) => demandedBy(draft.nodes[node] as DraftNode, item) ?? []),
  );
  return demanded.length === 1 ? demanded : NO_TYPES;
};

const NO_TYPES: readonly FieldType[] = [];

const distinct = (types: readonly FieldType[]): readonly FieldType[] =>
  types.length < 2 ? types : [...new Map(types.map((type) => [formatType(type), type])).values()];

/** The types that a given value is checked against: annotations of readers and writers, and what agents require. */
export function givenChecks(draft: Draft, use: FieldUse, types: FieldTypes): readonly FieldType[] {
  const checks = givenAnnotations(draft, use);
  const annotated = use.writers
    .map((v) => draft.nodes[v] as DraftNode)
    .filter((node) => (outputOf(node, use.name)?.type ?? null) !== null);
  if (annotated.length === 0) return checks;
  return distinct([...checks, ...annotated.map((node) => types.arrives(node, use.name))]);
}

const outputOf = (node: DraftNode, field: string): OutputItem | undefined => outputsOf(node, field)[0];

const byField = new WeakMap<readonly OutputItem[], ReadonlyMap<string, readonly OutputItem[]>>();

/** The outputs of a node that write a field. It is asked for each field, so they are sorted once. */
function outputsOf({ row: { outputs } }: DraftNode, field: string): readonly OutputItem[] {
  if (outputs.length < 2) return outputs[0]?.field === field ? outputs : [];
  const known = byField.get(outputs) ?? groupBy(outputs, (output) => output.field);
  byField.set(outputs, known);
  return known.get(field) ?? [];
}

/** The type that a node asks for; null for a read of a path inside of the field. */
export function annotationOf(draft: Draft, node: DraftNode, item: InputItem): FieldType | null {
  if (item.path.length > 0) return null;
  return item.type ?? (node.facts?.type === "graph" ? askedOf(draft, node, item) : null);
}

/** True when a node uses an input only as text, in its prompt or in settings. */
function readsWhole(node: DraftNode, item: InputItem): boolean {
  const { facts, prompt } = node;
  if (facts === null || item.path.length > 0) return false;
  if (facts.text ? prompt === null : !sendsTexts(node)) return false;
  const isWhole = prompt === null || !lookedInto(prompt).has(item.param);
  return isWhole && !looksInside(node, item.param);
}

const looked = new WeakMap<PromptItem, ReadonlySet<string>>();

/** The names of which placeholders take an entry. A node may have very many inputs, and asks for each. */
function lookedInto(prompt: PromptItem): ReadonlySet<string> {
  const heads = () =>
    prompt.parts.flatMap((part) =>
      part.kind === "text" || part.path.length === 1 ? [] : part.path.slice(0, 1),
    );
  const known = looked.get(prompt) ?? new Set(heads());
  looked.set(prompt, known);
  return known;
}

/** True for a call whose inputs are not its body. */
function sendsTexts({ facts, settings, prompt }: DraftNode): boolean {
  if (facts?.produces !== "answer") return false;
  const hasNone = /^(?:get|head|delete)$/i.test(String(settings["method"] ?? "GET"));
  const body = settings["body"] ?? (hasNone ? "none" : "json");
  return body === "none" || body === "text" || (body === "json" && prompt !== null);
}

/** A loop that collects errors leaves null for an item that failed, whatever the annotation says. */
function withGaps(node: DraftNode, { key, type }: OutputItem): FieldType {
  const item = leavesGaps(node) && key !== "errors" ? itemOf(type) : null;
  return item === null ? (type ?? UNKNOWN) : { kind: "items", of: unionOf([item, { kind: "null" }]) };
}

/** The type of a field that only the caller gives: the intersection of what its readers ask for. */
function askedType(draft: Draft, use: FieldUse): FieldType {
  const checks = givenAnnotations(draft, use);
  const onlyPrompts =
    use.reads.length > 0 &&
    use.reads.every(({ node, item }) => readsWhole(draft.nodes[node] as DraftNode, item));
  const type = checks[0] ?? (onlyPrompts ? unionOf([STRING, NUMBER, BOOLEAN]) : UNKNOWN);
  if (!isUnknown(type) && checks.length < 2) return type;
  const asked = use.reads.flatMap(({ node: v, item }): readonly FieldType[] => {
    const node = draft.nodes[v] as DraftNode;
    if (item.path.length > 0 || item.type !== null) return [];
    if (node.facts === null) return [{ kind: "asked", agent: node.agent.written, key: item.param }];
    if (calledBy(node) === null || node.settings["over"] !== undefined) return [];
    return [fieldOf(node, { name: item.param, as: "input", known: UNKNOWN })];
  });
  return checks.length + asked.length === 0 ? type : { kind: "all", members: [...checks, ...asked] };
}

function produced(
  draft: Draft,
  node: DraftNode,
  output: OutputItem,
  { of, computed }: Pick<FieldTypes, "of"> & { readonly computed: () => FieldType },
): FieldType {
  const { facts } = node;
  if (facts === null) return { kind: "result", agent: node.agent.written, key: output.key };
  if (facts.type === "graph") return calledOutput(draft, node, output);
  if (facts.produces === "string") return STRING;
  if (facts.produces === "boolean") return BOOLEAN;
  if (tellsOfAnswer(node, output)) return STRING;
  if (facts.produces === "typed") return choicesOf(node) ?? STRING;
  if (facts.produces === "echo") return echoed(node, output, of);
  if (facts.produces === "formula") return computed();
  if (facts.produces === "list") return listed(node, of);
  if (facts.produces === "answer") return ofAnswer(output);
  if (facts.produces === "rows") return ofRows(node, output);
  if (facts.produces === "receipt") return receiptOf(node, output);
  return UNKNOWN;
}

/** Items stay what they are, but for those that are made of them. */
function listed({ row, settings }: DraftNode, of: FieldTypes["of"]): FieldType {
  const { do: deed } = settings;
  if (deed === "group" || deed === "pick") return listOf(OBJECT);
  const [first] = row.inputs;
  if (deed === "flatten" || first === undefined) return LIST;
  const type = first.type ?? (first.path.length > 0 ? UNKNOWN : of(first.field));
  return isList(type) ? type : LIST;
}

/** The status is a number and a header text; the body is known when it is read. */
const ofAnswer = ({ key }: OutputItem): FieldType =>
  key === "$status" ? NUMBER : key.startsWith("$") ? STRING : UNKNOWN;

/** Rows are a list. Several outputs, and one of another type, take columns of one row. A change tells how many it was. */
function ofRows(node: DraftNode, { key }: OutputItem): FieldType {
  const statement = statementOf(node);
  if (statement === null) return UNKNOWN;
  if (!givesRows(readStatement(statement.parts))) return key === "changes" ? NUMBER : OBJECT;
  const [only, another] = node.row.outputs;
  const isWhole = another === undefined && (!only?.type || isList(only.type));
  return isWhole ? listOf(OBJECT) : UNKNOWN;
}

/** An output named as an entry of the receipt takes that entry. Any other single output takes the whole receipt. */
function receiptOf({ row }: DraftNode, { key }: OutputItem): FieldType {
  const entry = RECEIPT_ENTRIES.find((one) => one === key) ?? null;
  return entry === null && row.outputs.length > 1 ? UNKNOWN : { kind: "receipt", entry };
}

function choicesOf(node: DraftNode): FieldType | null {
  const choices = node.settings["choices"];
  if (!Array.isArray(choices) || choices.length === 0) return null;
  const values = choices.filter((value): value is string => typeof value === "string");
  return values.length === choices.length ? { kind: "choice", values } : null;
}

/** An echo gives its prompt, else its one input, else the mapping of its inputs. */
function echoed(node: DraftNode, output: OutputItem, of: FieldTypes["of"]): FieldType {
  if (node.row.prompt !== null) return STRING;
  const only = copied(node, output);
  if (only === null) return node.row.inputs.length === 0 ? UNKNOWN : OBJECT;
  return only.type ?? (only.path.length > 0 ? UNKNOWN : of(only.field));
}

/** The input that an echo without a prompt copies; null when there is none. */
function copied({ facts, row }: DraftNode, output: OutputItem): InputItem | null {
  if (facts?.produces !== "echo" || row.prompt !== null) return null;
  const { inputs } = row;
  return (inputs.length === 1 ? inputs[0] : inputOfParam(inputs, output.key)) ?? null;
}
