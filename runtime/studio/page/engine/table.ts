import { indexOf } from "../../../../compiler/1-parse/text/page.js";
import { cellText } from "../../../../compiler/1-parse/text/scan.js";
import { isComment, isSkipped } from "../../../../compiler/1-parse/text/skipped-rows.js";
import type { ColumnName, HeaderCell, Sheet } from "../../../../compiler/ir.js";
import type { Column, TableRow } from "./messages.js";

const NAMES: { readonly [C in ColumnName]: string } = {
  graph_name: "Graph",
  node_name: "Node",
  next_node: "Next",
  context: "Context",
  agent_type: "Agent",
  next_on_success: "On success",
  next_on_failure: "On failure",
  input_fields: "Inputs",
  output_field: "Output",
  prompt: "Prompt",
  description: "Description",
};

/** The records behind the header, with all their text. */
export function rowsOf(sheet: Sheet): readonly TableRow[] {
  const index = indexOf(sheet);
  const known = new Map(sheet.rows.map((row) => [row.record, row]));
  const rows: TableRow[] = [];
  for (let record = sheet.headerRecord + 1; record < index.records.length; record++) {
    const cells = (index.recordAt(record)?.cells ?? []).map((cell) => cellText(sheet.text, cell));
    const row = known.get(record);
    const names = { graph: row?.graph.name ?? null, node: row?.node.name ?? null };
    rows.push({ record, cells, isComment: isSkipped(cells) && isComment(cells[0] ?? ""), ...names });
  }
  return rows;
}

/** The columns in the file's order, but the node's first. */
export function columnsOf(sheet: Sheet, rows: readonly TableRow[]): readonly Column[] {
  const filled = new Set<number>();
  for (const { cells, node } of rows)
    if (node !== null) for (const [i, text] of cells.entries()) if (text !== "") filled.add(i);
  const columns = sheet.header.map((cell, index): Column => {
    const { meaning, text } = cell;
    const name = meaning.kind === "column" ? meaning.name : null;
    const is = { isNode: name === "node_name", isGraph: name === "graph_name" };
    return { index, name: nameOf(cell), header: text, ...is, isFilled: filled.has(index) };
  });
  return columns.sort((a, b) => Number(b.isNode) - Number(a.isNode));
}

function nameOf({ meaning, text }: HeaderCell): string {
  if (meaning.kind === "column") return NAMES[meaning.name];
  return meaning.kind === "setting" ? meaning.name : text;
}
