import { isComment, isSkipped } from "../../../../compiler/1-parse/text/skipped-rows.js";
import type { ColumnName, HeaderCell } from "../../../../compiler/ir.js";
import type { SheetRecords } from "../../edits/records.js";
import type { Column, TableRow } from "../engine/messages.js";

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

/** The records behind the header, with all their text; none where there is no header. */
export function rowsOf(records: SheetRecords): readonly TableRow[] {
  const rows: TableRow[] = [];
  for (let record = records.headerRecord + 1; records.hasHeader && record < records.count; record++) {
    const cells = records.cells(record);
    const { graph = null, node = null } = records.rowAt(record) ?? {};
    rows.push({ record, cells, isComment: isSkipped(cells) && isComment(cells[0] ?? ""), graph, node });
  }
  return rows;
}

/** The columns in the file's order, but the node's first. */
export function columnsOf({ header }: SheetRecords, rows: readonly TableRow[]): readonly Column[] {
  const filled = new Set<number>();
  for (const { cells, node } of rows)
    if (node !== null) for (const [i, text] of cells.entries()) if (text !== "") filled.add(i);
  const columns = header.map((cell, index): Column => {
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
