import { indexOf } from "../../../compiler/1-parse/text/page.js";
import type { GraphIR, Range, Row } from "../../../compiler/ir.js";
import type { View } from "../../../compiler/service/document.js";

/** The row under an offset of a sheet; the one before it when it stands on a comment or an empty line. */
export function rowAt({ sheet }: View, offset: number): Row | null {
  if (sheet === null) return null;
  const { records } = indexOf(sheet);
  return sheet.rows.findLast(({ record }) => (records[record] ?? 0) <= offset) ?? sheet.rows[0] ?? null;
}

/** The graph of that row; of a test sheet, the graph that is tested when there is only one. */
export function graphAt(view: View, offset: number): GraphIR | null {
  if (view.sheet === null) return view.graphs.length === 1 ? (view.graphs[0] ?? null) : null;
  const name = rowAt(view, offset)?.graph.name;
  return view.graphs.find((graph) => graph.name === name) ?? null;
}

/** The stretch of the file that a row's record takes. */
export function rangeOfRow({ sheet }: View, { record }: Pick<Row, "record">): Range {
  const scan = sheet === null ? null : indexOf(sheet).recordAt(record);
  const start = scan?.cells[0]?.start ?? 0;
  return { start, end: scan?.end ?? start };
}
