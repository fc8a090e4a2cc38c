import type { PromptItem, Row } from "../../ir.js";
import { parsePromptText, parseReference } from "../cells/prompt.js";
import { isBlank, trimText } from "../text/white-space.js";
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
import { type GraphAbove, readGraphName, readName, reportNames } from "./row-names.js";
import { createSettingsReader, type RowSettings } from "./row-settings.js";

/** Reads the rows of one sheet, from the first to the last: a merged graph name comes from the row above. */
export function createRowReader(source: RowSource): (raw: RawRow) => Row {
  const lists = createListReader();
  const readSettings = createSettingsReader();
  let above: GraphAbove | null = null;
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
