import { textAt } from "../../1-parse/text/places.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import { isSpelling, suggest } from "../../diagnostics/suggest.js";
import type { FieldIR, FieldType, GraphIR, InputItem, OutputItem } from "../../ir.js";
import { isAssignable } from "../../types/compare.js";
import {
  type FieldOfGraph,
  isObject,
  isUnknown,
  itemOf,
  LIST,
  listOf,
  OBJECT,
  UNKNOWN,
} from "../../types/field-type.js";
import { formatType } from "../../types/format-type.js";
import { fieldsByName, nearFields, requiredFields } from "../by-name.js";
import {
  type At,
  type Draft,
  type DraftNode,
  inputNamed,
  inputNames,
  reportAt,
  reporterAt,
  settingAt,
  writeFix,
} from "../draft.js";
import { inputFix, writeSetting } from "../settings/setting-fix.js";
import { addInput, nameTheirs } from "./field-fix.js";
import { oneOf } from "./input-names.js";

export function calledBy({ facts, settings }: DraftNode): string | null {
  const name = facts?.type === "graph" ? settings["graph"] : undefined;
  return typeof name === "string" ? name : null;
}

/** Null also for a graph that is not analyzed yet. */
function calledGraph(draft: Draft, node: DraftNode): GraphIR | null {
  const name = calledBy(node);
  return name === null ? null : draft.analysis.graphOf(name);
}

const fieldNamed = (graph: GraphIR | null, name: string): FieldIR | undefined =>
  graph === null ? undefined : fieldsByName(graph).get(name);

/** Whether a node may signal failure because its agent declares it, or because the graph that it runs may end so. */
export function mayFail(draft: Draft, node: DraftNode): boolean {
  if (node.declaresFailure) return true;
  const name = calledBy(node);
  // An item that fails is as if it had thrown.
  return name !== null && node.settings["over"] === undefined && draft.analysis.graphMayFail(name);
}

/**
 * Whether all that a node writes is set also when the graph that it runs ends right after a failure. Without an edge of
 * its own for failures it then goes on as it does after a success; a throw, which writes nothing, ends the run.
 */
export function keepsOutputs(draft: Draft, node: DraftNode): boolean {
  const graph = calledGraph(draft, node);
  const takesState = (output: OutputItem): boolean => isObject(output.type) && takesAll(node, output);
  const isSet = (output: OutputItem): boolean =>
    output.key === "error" || (fieldNamed(graph, output.key)?.setAtEnd ?? takesState(output));
  return node.row.onFailure.length === 0 && node.row.outputs.every(isSet);
}

/** A node that runs a graph once for each item of a list. */
export interface Each {
  /** The input that holds the list; null when there is none of the name. */
  readonly param: string | null;
  /** The field of the graph that gets the item. */
  readonly as: string;
}

function eachOf(node: DraftNode): Each | null {
  const { over, as } = node.settings;
  if (node.facts?.type !== "graph" || typeof over !== "string") return null;
  return { param: inputNamed(node, over), as: typeof as === "string" ? as : "item" };
}

/** The type that a called graph checks the given value against. */
export function askedOf(draft: Draft, node: DraftNode, item: InputItem): FieldType | null {
  // The type of the items is seldom known; checkItems compares it where it is.
  if (eachOf(node)?.param === item.param) return LIST;
  return fieldNamed(calledGraph(draft, node), item.param)?.checks[0] ?? null;
}

/** The type of an output of a called graph. A type that is not known here refers to the graph's module. */
export function calledOutput(draft: Draft, node: DraftNode, output: OutputItem): FieldType {
  const { key } = output;
  const graph = calledGraph(draft, node);
  const field = fieldNamed(graph, key);
  if (eachOf(node) !== null) {
    if (key === "errors" && leavesGaps(node)) return collected(node);
    const as = leavesGaps(node) ? "each-with-gaps" : "each";
    return fieldOf(node, { name: key, as, known: listOf(field?.type) });
  }
  const known = field?.type ?? (graph !== null && takesAll(node, output) ? OBJECT : UNKNOWN);
  return isUnknown(known) ? fieldOf(node, { name: key, as: "state", known }) : known;
}

/** The errors that a loop over items collects. */
export const collected = (node: DraftNode): FieldType =>
  fieldOf(node, { name: "errors", as: "each-with-gaps", known: listOf(OBJECT) });

export function fieldOf(node: DraftNode, field: Omit<FieldOfGraph, "kind" | "graph">): FieldType {
  const graph = calledBy(node);
  return graph === null ? field.known : { kind: "field", graph, ...field };
}

/** True for a loop that continues after an item has failed. */
export const leavesGaps = ({ facts, settings }: DraftNode): boolean =>
  facts?.type === "graph" && settings["over"] !== undefined && settings["on_error"] === "collect";

/** Who answered, and when: outputs of a node that asks, beside the answer. */
export const tellsOfAnswer = ({ facts, row }: DraftNode, { key }: OutputItem): boolean =>
  facts?.asks === true && row.outputs.length > 1 && (key === "by" || key === "at");

/**
 * Whether an output is set whenever its node succeeds. With several outputs a person's answer is for the first that is
 * not called `comment`; a graph may end well without having written what is taken from it.
 */
export function isSurelyWritten(draft: Draft, node: DraftNode, output: OutputItem): boolean {
  if (node.facts?.asks === true && node.row.outputs.length > 1) return isAnswer(node, output);
  if (output.key.startsWith("$headers.")) return false;
  const graph = eachOf(node) === null ? calledGraph(draft, node) : null;
  return fieldNamed(graph, output.key)?.setAtSuccess ?? true;
}

function isAnswer(node: DraftNode, output: OutputItem): boolean {
  const { outputs } = node.row;
  const asked = outputs.filter((one) => !tellsOfAnswer(node, one));
  if (node.facts?.type === "human") return output === asked.find(({ key }) => key !== "comment");
  return asked.length === 0 ? output === outputs[0] : asked.includes(output);
}

/** A single output of type `object` takes the whole state. */
const takesAll = ({ row }: DraftNode, { key }: OutputItem): boolean =>
  row.outputs.length === 1 && row.outputs[0]?.key === key;

/** Compares inputs and outputs of nodes that run graphs with the fields of those graphs. */
export function checkCalls(draft: Draft): void {
  for (const node of draft.nodes) {
    if (node.facts?.type !== "graph" || node.row.damaged) continue;
    const each = eachOf(node);
    const graph = calledGraph(draft, node);
    if (each?.param === null) reportOver(draft, node);
    else if (graph !== null && !draft.incomplete)
      for (const check of [checkInputs, checkOutputs, checkItems, checkGiven])
        check(draft, node, { graph, each });
  }
}

function reportOver(draft: Draft, node: DraftNode): void {
  const item = node.row.settings.find(({ name }) => name === "over");
  if (item === undefined) return;
  const inputs = inputNames(node);
  const listed = oneOf(inputs.params);
  const expected =
    listed === "" ? "the name of an input that holds a list" : `an input of this node: ${listed}`;
  const params = { setting: "over", expected, found: JSON.stringify(item.spot.value) };
  const mention = { name: String(item.spot.value), spot: item.spot };
  const fix = inputFix(draft, item, mention, inputs);
  reportAt(draft, node, "bad-setting", params, { ...settingAt(item), fix });
}

interface Call {
  readonly graph: GraphIR;
  readonly each: Each | null;
}

/** So many missing inputs of one node are told one by one: very many nodes may run one graph of very many fields. */
const MOST_MISSING = 10;

function checkMissing(
  draft: Draft,
  { row }: DraftNode,
  graph: GraphIR,
  given: ReadonlyMap<string, InputItem>,
): void {
  const setting = row.settings.find(({ name }) => name === "graph");
  if (setting === undefined) return;
  const known = fieldsByName(graph);
  let left = requiredFields(graph).length;
  for (const name of given.keys()) if (known.get(name)?.input === "required") left--;
  let told = 0;
  const report = reporterAt(draft.analysis, row, settingAt(setting));
  for (const { name: field } of requiredFields(graph)) {
    if (left === 0) return;
    if (given.has(field)) continue;
    const count = told++ === MOST_MISSING ? left : 1;
    left -= count;
    // Another field would be an input of this graph, too, which its callers do not give.
    const isFixed = count === 1 && draft.fieldNames().has(field);
    const fix = isFixed ? addInput(draft, row, field, false) : null;
    report("missing-input", { graph: graph.name, field, count }, { fix });
  }
}

function checkInputs(draft: Draft, node: DraftNode, { graph, each }: Call): void {
  const given = new Map(
    node.row.inputs.map((item) => [item.param === each?.param ? each.as : item.param, item]),
  );
  checkMissing(draft, node, graph, given);
  const names = fieldsByName(graph);
  for (const [name, item] of given) {
    if (names.has(name)) continue;
    const swapped = isSwapped(draft, graph, item, given) ? swap(draft, item) : null;
    const near = suggest(
      name,
      nearFields(graph, name).filter((one) => !given.has(one)),
    );
    const params = { graph: graph.name, field: name, suggestion: swapped?.text ?? near };
    const nearFix = near === null ? null : nearInput(draft, node, { item, near, each });
    const at: At = { span: item.at, column: "input_fields", fix: swapped?.fix ?? nearFix };
    reportAt(draft, node, "unknown-input", params, at);
  }
}

/** The cure for an input of a called graph that is misspelt; for the item of a loop the setting `as` names it. */
function nearInput(
  draft: Draft,
  { row }: DraftNode,
  { item, near, each }: { readonly item: InputItem; readonly near: string; readonly each: Each | null },
): Fix | null {
  if (item.param !== each?.param) return nameTheirs(draft, item.at, near, false);
  const as = row.settings.find(({ name }) => name === "as");
  return as === undefined ? null : writeSetting(draft, as, as.spot, near, false);
}

/** Whether an input is written as `mine=theirs` instead of `theirs=mine`. */
function isSwapped(
  draft: Draft,
  graph: GraphIR,
  { param, field, path, optional }: InputItem,
  given: ReadonlyMap<string, InputItem>,
): boolean {
  if (path.length > 0 || optional || given.has(field)) return false;
  if (fieldNamed(graph, field)?.input !== "required") return false;
  return draft.outputNames().has(param);
}

function checkOutputs(draft: Draft, node: DraftNode, { graph, each }: Call): void {
  const names = fieldsByName(graph);
  const collects = each !== null && node.settings["on_error"] === "collect";
  for (const output of node.row.outputs) {
    const isOwn = output.key === "error" || (collects && output.key === "errors");
    const isAll = isObject(output.type) && takesAll(node, output);
    if (isOwn || isAll || names.has(output.key)) continue;
    // A graph that runs itself has the same fields on both sides: exchanging them would not help.
    const isOther = graph.name !== draft.name && names.has(output.field);
    const swapped = isOther ? swap(draft, output) : null;
    const near = suggest(output.key, nearFields(graph, output.key));
    const params = { graph: graph.name, field: output.key, suggestion: swapped?.text ?? near };
    const isSafe = near !== null && isSpelling(output.key, near, nearFields(graph, output.key));
    const nearFix = near === null ? null : nameTheirs(draft, output.at, near, isSafe);
    const at: At = { span: output.at, column: "output_field", fix: swapped?.fix ?? nearFix };
    reportAt(draft, node, "unknown-output", params, at);
  }
}

/** The fix for `mine=theirs`: it exchanges the two sides. */
function swap(
  draft: Draft,
  { at, type }: Pick<OutputItem, "at" | "type">,
): { text: string; fix: Fix } | null {
  const { sheet } = draft.analysis;
  const item = textAt(sheet, at);
  const colon = type === null ? item.length : item.indexOf(":");
  const [left, right, ...more] = item.slice(0, colon).split("=");
  if (left === undefined || right === undefined || more.length > 0) return null;
  const text = `${right.trim()}=${left.trim()}${item.slice(colon)}`;
  return { text, fix: writeFix(draft, at, text, true) };
}

/** An annotated input must have the type that the graph asks for. Inputs without annotation are compared by field. */
function checkGiven(draft: Draft, node: DraftNode, { graph, each }: Call): void {
  for (const { param, field, type, at: span } of node.row.inputs) {
    const wanted = fieldNamed(graph, param)?.checks[0];
    if (type === null || wanted === undefined || param === each?.param || isAssignable(type, wanted))
      continue;
    const first = { first: formatType(type), firstReader: node.row.node.name };
    const params = { field, ...first, second: formatType(wanted), secondReader: graph.name };
    reportAt(draft, node, "type-mismatch", params, { span, column: "input_fields" });
  }
}

/** Items whose type is known must have the type that the graph asks for. */
function checkItems(draft: Draft, node: DraftNode, { graph, each }: Call): void {
  const item = node.row.inputs.find(({ param }) => param === each?.param);
  const wanted = fieldNamed(graph, each?.as ?? "")?.checks[0];
  if (item === undefined || wanted === undefined || item.path.length > 0) return;
  const field = fieldNamed(draft.analysis.graphOf(draft.name), item.field);
  const type = item.type ?? field?.type;
  const known = itemOf(type);
  if (known === null || isAssignable(known, wanted)) return;
  const [writer] = field?.writers ?? [];
  const params = {
    field: item.field,
    written: formatType(listOf(known)),
    writer: writer === undefined ? "the caller" : (draft.nodes[writer] as DraftNode).row.node.name,
    read: `a list of ${formatType(wanted)}`,
    reader: node.row.node.name,
  };
  reportAt(draft, node, "type-mismatch", params, { span: item.at, column: "input_fields" });
}
