import { indexOf, rawOffset } from "../1-parse/text/page.js";
import { type Cell, cellText } from "../1-parse/text/scan.js";
import type { Page, Range, RecordSpan, Row } from "../ir.js";

/** Where an offset of a file stands: a cell, and an offset in the cell's decoded text. */
export interface Spot {
  readonly record: number;
  readonly column: number;
  readonly offset: number;
}

/** The cell at an offset; null before the first record and in a page without any. An end of line is the last cell's. */
export function spotAt(page: Page, offset: number): Spot | null {
  const { records, recordAt } = indexOf(page);
  const record = lastAtMost(records, offset);
  const cells = recordAt(record)?.cells ?? [];
  if (cells.length === 0) return null;
  const found = cells.findIndex(({ end }) => offset <= end);
  const column = found < 0 ? cells.length - 1 : found;
  return { record, column, offset: decodedOffset(page.text, cells[column] as Cell, offset) };
}

/** The index of the last number in an ascending list that is not above the limit; -1 when all are. */
function lastAtMost(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The offset in a cell's decoded text of an offset in the file. Inside a doubled quote it is before that quote. */
function decodedOffset(text: string, cell: Cell, offset: number): number {
  const at = Math.max(cell.from, Math.min(offset, cell.to));
  if (!cell.doubled) return at - cell.from;
  const before = text.slice(cell.from, at);
  const quotes = before.length - before.replaceAll('"', "").length;
  return before.length - Math.ceil(quotes / 2);
}

/** The stretch of the file that holds a stretch of a cell's decoded text; the record's end for a cell that is not there. */
export function rangeOf(page: Page, { record, column, start, end }: RecordSpan): Range {
  const scan = indexOf(page).recordAt(record);
  const cell = scan?.cells[column];
  if (cell === undefined) return { start: scan?.end ?? 0, end: scan?.end ?? 0 };
  return { start: rawOffset(page.text, cell, start), end: rawOffset(page.text, cell, end) };
}

/** The stretch of the file that a whole record takes, without its line end. */
export function rangeOfRecord(page: Page, record: number): Range {
  const scan = indexOf(page).recordAt(record);
  return { start: scan?.cells[0]?.start ?? 0, end: scan?.end ?? 0 };
}

/** The decoded text of a cell; empty for one that is not there. */
export function cellTextAt(page: Page, record: number, column: number): string {
  const cell = indexOf(page).recordAt(record)?.cells[column];
  return cell === undefined ? "" : cellText(page.text, cell);
}

/** The row that was read from a record; null for a record that is no row. */
export function rowAt(rows: readonly Row[], record: number): Row | null {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as Row).record < record) low = middle + 1;
    else high = middle;
  }
  const row = rows[low];
  return row?.record === record ? row : null;
}
