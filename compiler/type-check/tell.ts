import { editCell } from "../1-parse/text/edit-cell.js";
import { cellSpan, locatedIn } from "../1-parse/text/places.js";
import { type TakenType, untypedInputs } from "../2-analyze/fields/untyped-inputs.js";
import type { Params } from "../diagnostics/catalogue.js";
import type { Problems } from "../diagnostics/collect.js";
import type { Fix } from "../diagnostics/diagnostic.js";
import type { CellSpan, ColumnName, GraphIR, NodeIR, Sheet } from "../ir.js";
import { isOpen } from "../types/field-type.js";
import { formatType } from "../types/format-type.js";
import { parseType } from "../types/parse-type.js";
import type { Misfit } from "./misfits.js";
import type { Spot } from "./module-shape.js";

export interface GraphOfSheet {
  readonly graph: GraphIR;
  readonly sheet: Sheet;
}

const NOWHERE = { place: null };

export function tellMisfit(
  misfit: Misfit,
  node: NodeIR,
  { graph, sheet }: GraphOfSheet,
  problems: Problems,
): void {
  const { column, at } = cellOf(misfit, node, sheet);
  const located = at === null ? NOWHERE : locatedIn(sheet, at);
  const fix = misfit.kind === "read" ? annotation(misfit, at, sheet) : null;
  const where = { ...located, graph: graph.name, node: node.name, column, fix };
  problems.report("type-mismatch", clashOf(misfit, node, graph), where);
}

function clashOf(misfit: Misfit, node: NodeIR, graph: GraphIR): Params<"type-mismatch"> {
  const common = { agent: node.agent.written, node: node.name };
  if (misfit.kind === "read") return readClash(misfit, common, graph);
  if (misfit.kind === "missing-input")
    return { ...common, field: misfit.input, notGiven: true, takes: misfit.takes };
  const { write, gives } = misfit;
  if (misfit.kind === "missing-key") return { ...common, field: write.key, gives };
  const declared = write.annotated && write.type !== null ? formatType(write.type) : misfit.declared;
  return { ...common, field: write.field, declared, produces: gives };
}

/** Proposes the agent's type for an untyped value inside a field. Runs then check the value. */
function annotation(
  { read, unset, exact, is, takes }: Extract<Misfit, { kind: "read" }>,
  at: CellSpan | null,
  sheet: Sheet,
): Fix | null {
  // The type of a whole field belongs to the agent or to the output that writes it.
  if (at === null || read.path.length === 0 || is !== "unknown" || read.type !== null || unset || exact)
    return null;
  const type = parseType(takes);
  if (type === null || isOpen(type)) return null;
  return appendedType(at, [read.field, ...read.path].join("."), formatType(type), sheet);
}

function readClash(
  { read, unset, exact, is, takes }: Extract<Misfit, { kind: "read" }>,
  reader: { readonly agent: string; readonly node: string },
  graph: GraphIR,
): Params<"type-mismatch"> {
  const { field } = read;
  if (exact) return { ...reader, field, exact: read.param, takes };
  if (unset) return { ...reader, field, maybeUnset: true, takes };
  const writer = writerOf(field, takes, graph);
  if (writer === null || read.path.length > 0) return { ...reader, field, given: is, takes };
  return { field, written: is, writer, read: takes, reader: reader.node };
}

function writerOf(field: string, takes: string, { fields, nodes }: GraphIR): string | null {
  const writers = (fields.find(({ name }) => name === field)?.writers ?? []).flatMap((v) => nodes[v] ?? []);
  const typeOf = (node: NodeIR): string => {
    const type = node.writes.find((write) => write.field === field)?.type ?? null;
    return type === null ? "" : formatType(type);
  };
  return (writers.find((node) => typeOf(node) !== takes) ?? writers[0])?.name ?? null;
}

function cellOf(
  misfit: Misfit,
  node: NodeIR,
  sheet: Sheet,
): { readonly column: ColumnName; readonly at: CellSpan | null } {
  const row = sheet.rows[node.index];
  if (misfit.kind === "read") {
    const { read } = misfit;
    const item = row?.inputs.find(({ param, field }) => param === read.param && field === read.field);
    return { column: "input_fields", at: item?.at ?? whole(sheet, node, "input_fields") };
  }
  if (misfit.kind === "missing-input") {
    const span = cellSpan(sheet, node.index, "input_fields");
    // An empty cell has no text to mark, so the agent's cell is marked.
    const isEmpty = span === null || span.start === span.end;
    return { column: "input_fields", at: isEmpty ? whole(sheet, node, "agent_type") : span };
  }
  const item = row?.outputs.find(({ field }) => field === misfit.write.field);
  return { column: "output_field", at: item?.at ?? whole(sheet, node, "output_field") };
}

const whole = (sheet: Sheet, node: NodeIR, column: ColumnName): CellSpan | null =>
  cellSpan(sheet, node.index, column) ?? cellSpan(sheet, node.index, "node_name");

const COLUMNS: { readonly [part: string]: ColumnName } = {
  inputs: "input_fields",
  prompt: "prompt",
  writes: "output_field",
  agent: "agent_type",
  next: "next_node",
  success: "next_on_success",
  failure: "next_on_failure",
};

export type Plain =
  | { readonly says: string; readonly inFile?: true }
  | { readonly untyped: string; readonly declarations: string };

/** The fallback: TypeScript's own message, where no misfit explains it. */
export function tellPlainly(
  what: Plain,
  spot: Spot,
  { graph, sheet }: GraphOfSheet,
  problems: Problems,
): void {
  const node = nodeOf(spot, graph);
  const part = spot.kind === "field" ? "writes" : spot.kind === "node" ? spot.part : "agent";
  const column = COLUMNS[part] ?? (spot.kind === "node" && part !== "" ? "context" : "agent_type");
  const span = node === undefined ? null : whole(sheet, node, column);
  const located = span === null ? NOWHERE : locatedIn(sheet, span);
  const names = { graph: graph.name, node: node?.name ?? null };
  problems.report("type-mismatch", what, { ...located, ...names, column });
}

function nodeOf(spot: Spot, { nodes, fields }: GraphIR): NodeIR | undefined {
  if (spot.kind === "node") return nodes.find(({ name }) => name === spot.node);
  if (spot.kind === "elsewhere") return undefined;
  const field = fields.find(({ name }) => name === spot.field);
  return nodes[field?.writers[0] ?? field?.readers[0] ?? 0];
}

/** A command line gives text, so a field that only the caller sets needs a type in the sheet. */
export function tellUntypedInputs(
  { graph, sheet }: GraphOfSheet,
  takes: TakenType,
  problems: Problems,
): void {
  for (const { node, read, type } of untypedInputs(graph, takes)) {
    const { param, field } = read;
    const item = sheet.rows[node.index]?.inputs.find((one) => one.param === param && one.field === field);
    if (item === undefined) continue;
    const written = formatType(type);
    const fix = appendedType(item.at, field, written, sheet);
    const where = { ...locatedIn(sheet, item.at), graph: graph.name, node: node.name, fix };
    const params = { field, agent: node.agent.written, type: written };
    problems.report("untyped-input", params, { ...where, column: "input_fields" });
  }
}

function appendedType(at: CellSpan, name: string, type: string, sheet: Sheet): Fix {
  const edits = [editCell(sheet, { ...at, start: at.end }, `:${type}`)];
  return { title: `write ":${type}" behind "${name}"`, safe: true, edits };
}
