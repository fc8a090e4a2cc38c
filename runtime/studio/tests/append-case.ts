import { TEST_WORDS, type TestSheet } from "../../../compiler/1-parse/test-sheet.js";
import { cellText, scanRecord } from "../../../compiler/1-parse/text/scan.js";
import { isSkipped } from "../../../compiler/1-parse/text/skipped-rows.js";
import { TEST_COLUMNS } from "../../../compiler/ir.js";
import type { CaseCells } from "./case-of-run.js";

/** A test sheet that holds one case. The graph is named only where the sheet has several. */
export function firstCase(cells: CaseCells): string {
  const columns = TEST_COLUMNS.filter((column) => column !== "graph_name" || (cells.graph_name ?? "") !== "");
  return `${columns.join(",")}\n${columns.map((column) => written(cells[column] ?? "", ",")).join(",")}\n`;
}

/** The text with one more case at its end. Columns that it needs and that are lacking come behind the others. */
export function withCase(
  sheet: Pick<TestSheet, "text" | "delimiter" | "start" | "header">,
  cells: CaseCells,
): string {
  const { text, delimiter, start, header } = sheet;
  const head = recordAt(sheet, header.record);
  const columns = head.cells.map((cell) => TEST_WORDS.named(cellText(text, cell)));
  const lacking = TEST_COLUMNS.filter((column) => (cells[column] ?? "") !== "" && !columns.includes(column));
  const before = lacking.length === 0 ? text : widened(sheet, lacking);
  const row = [...columns, ...lacking].map((column) =>
    written(column === null ? "" : (cells[column] ?? ""), delimiter),
  );
  const end = /\r\n|\r|\n/.exec(text.slice(start))?.[0] ?? "\n";
  const joint = /[\r\n]$/.test(before) ? "" : end;
  return `${before}${joint}${row.join(delimiter)}${end}`;
}

type Page = Parameters<typeof withCase>[0];

function recordAt({ text, delimiter, start }: Page, wanted: number) {
  let at = start;
  for (let record = 0; record < wanted; record++) at = scanRecord(text, at, delimiter).next;
  return scanRecord(text, at, delimiter);
}

/** Each row is as wide as the header. */
function widened({ text, delimiter, start, header }: Page, columns: readonly string[]): string {
  const parts = [text.slice(0, start)];
  for (let at = start, record = 0; at < text.length; record++) {
    const { end, next, cells } = scanRecord(text, at, delimiter);
    const isRow = record > header.record && !isSkipped(cells.map((cell) => cellText(text, cell)));
    const more = record === header.record ? columns : isRow ? columns.map(() => "") : [];
    parts.push([text.slice(at, end), ...more].join(delimiter), text.slice(end, next));
    at = next;
  }
  return parts.join("");
}

function written(cell: string, delimiter: string): string {
  const needsQuotes = cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell);
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}
