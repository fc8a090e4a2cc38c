import type { ColumnName, NameItem, PromptItem, Row } from "../../ir.js";
import { graphNameFault, type NameFault, nodeNameFault } from "../cells/name-rules.js";
import { parsePromptText, parseReference } from "../cells/prompt.js";
import { isBlank, trimRange, trimText } from "../text/white-space.js";
import {
  columnOf,
  holdsError,
  isLong,
  prepareRow,
  type RawRow,
  type RowCells,
  type RowSource,
  reportErrors,
  spanOf,
  textOf,
} from "./row-cells.js";
import { createListReader, readTargets } from "./row-lists.js";
import { reportCell } from "./row-report.js";
import { createSettingsReader, type RowSettings } from "./row-settings.js";

export type RowReader = (raw: RawRow) => Row;

/**
 * Reads the rows of one sheet, from the first to the last: a merged graph name comes from the row above. It may begin
 * below a row of a graph.
 */
export function createRowReader(source: RowSource, graphAbove: string | null = null): RowReader {
  const lists = createListReader();
  const readSettings = createSettingsReader();
  // A row without a graph leaves none to the rows below.
  let above = graphAbove === null || graphAbove === "" ? null : graphOfName(graphAbove);
  return (raw) => {
    const row = prepareRow(source, raw);
    const named = readGraphName(row, above);
    above = named.above;
    const node = readName(row, "node_name");
    row.reporter.graph = named.graph.name || null;
    row.reporter.node = node.name || null;
    reportErrors(row, raw);
    reportNames(row, { graph: named.own, node }, above);
    const { settings, text, faulty } = readSettings(row);
    return {
      index: raw.index,
      record: raw.record,
      damaged: faulty || isDamaged(row, raw),
      long: raw.unreadableFrom === null && isLong(row.header, raw.cells) ? raw.cells : null,
      graph: named.graph,
      node,
      agent: columnOf(row, "agent_type") < 0 ? { name: "", at: node.at } : readName(row, "agent_type"),
      next: readTargets(row, "next_node"),
      onSuccess: readTargets(row, "next_on_success"),
      onFailure: readTargets(row, "next_on_failure"),
      inputs: lists.inputs(row),
      outputs: lists.outputs(row),
      settings,
      description: describe(row, settings, text),
      context: text,
      prompt: readPrompt(row),
    };
  };
}

/** The columns without which a row's place in its graph is not known whole. */
const STRUCTURE = [
  "graph_name",
  "node_name",
  "next_node",
  "context",
  "next_on_success",
  "next_on_failure",
  "input_fields",
  "output_field",
] as const;

/** A row that is not known whole: bad quotes, or a spreadsheet's error where the graph's structure should stand. */
function isDamaged(row: RowCells, raw: RawRow): boolean {
  if (row.errors.length === 0) return raw.hasFault;
  return raw.hasFault || STRUCTURE.some((column) => holdsError(row, column));
}

/** The description column beats the setting, the setting beats free text in the context. */
function describe(row: RowCells, settings: RowSettings["settings"], text: string): string {
  const own = trimText(textOf(row, "description"));
  if (own !== "") return own;
  const setting = settings.find(({ name }) => name === "description")?.spot.value;
  return typeof setting === "string" ? setting : text;
}

function readPrompt(row: RowCells): PromptItem | null {
  const text = textOf(row, "prompt");
  if (isBlank(text)) return null;
  const at = spanOf(row, columnOf(row, "prompt"), { start: 0, end: text.length });
  return { text, parts: parsePromptText(text).parts, reference: parseReference(text), at };
}

/** The graph of the rows above, which a merged cell leaves to the rows below it. */
interface GraphAbove {
  readonly name: string;
  /** It may be written into another cell. */
  readonly sound: boolean;
}

const graphOfName = (name: string): GraphAbove => ({ name, sound: graphNameFault(name) === null });

/** Reads a cell that holds one name, trimmed. */
function readName(row: RowCells, name: ColumnName): NameItem {
  const text = textOf(row, name);
  const range = trimRange(text);
  return { name: text.slice(range.start, range.end), at: spanOf(row, columnOf(row, name), range) };
}

/** The graph of a row; `own` is the name that its own cell holds. */
interface NamedGraph {
  readonly graph: NameItem;
  readonly own: NameItem;
  /** The name that a merged cell leaves to the rows below. */
  readonly above: GraphAbove | null;
}

/** The row's graph: its own, or the one above where the cell is empty. */
function readGraphName(row: RowCells, above: GraphAbove | null): NamedGraph {
  const own = readName(row, "graph_name");
  if (own.name === "") {
    if (holdsError(row, "graph_name")) return { graph: own, own, above: null };
    return { graph: { name: above?.name ?? "", at: own.at }, own, above };
  }
  // Rows of one graph mostly stand together: they share its name.
  if (own.name === above?.name) return { graph: { name: above.name, at: own.at }, own, above };
  return { graph: own, own, above: graphOfName(own.name) };
}

function reportNames(
  row: RowCells,
  { graph, node }: { readonly graph: NameItem; readonly node: NameItem },
  above: GraphAbove | null,
): void {
  if (graph.name !== "") {
    if (above?.sound !== true) reportName(row, "graph", graph, graphNameFault(graph.name));
  } else if (!holdsError(row, "graph_name")) reportMissing(row, "graph_name", above);
  if (node.name !== "") reportName(row, "node", node, nodeNameFault(node.name));
  else if (!holdsError(row, "node_name")) reportMissing(row, "node_name", null);
}

function reportName(
  row: RowCells,
  what: "graph" | "node",
  { name, at }: NameItem,
  fault: NameFault | null,
): void {
  if (fault === null) return;
  const stretch = { column: at.column, name: `${what}_name`, start: at.start, end: at.end } as const;
  if (fault.kind === "reserved") reportCell(row.reporter, stretch, "reserved-name", { what, name });
  else reportCell(row.reporter, stretch, "bad-name", { what, name, why: fault.why });
}

function reportMissing(row: RowCells, name: "graph_name" | "node_name", above: GraphAbove | null): void {
  const { length } = textOf(row, name);
  const at = { column: columnOf(row, name), name, start: 0, end: length };
  const parts = [{ start: 0, end: length, text: above?.name ?? "" }];
  const title = `write ${JSON.stringify(above?.name)}, the graph of the rows above`;
  const cure = above === null || !above.sound ? null : { title, safe: true, parts };
  reportCell(row.reporter, at, "missing-name", { column: name, above: above?.name ?? null }, cure);
}
