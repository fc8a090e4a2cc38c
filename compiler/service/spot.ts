import { indexOf, rawOffset } from "../1-parse/text/page.js";
import { type Cell, cellText } from "../1-parse/text/scan.js";
import type { Page, Range, RecordSpan, Row } from "../ir.js";
import { leading } from "./leading.js";

/** Where an offset of a file stands: a cell, and an offset in the cell's decoded text. */
export interface Spot {
  readonly record: number;
  readonly column: number;
  readonly offset: number;
}

/** The cell at an offset; null before the first record and in a page without any. An end of line is the last cell's. */
export function spotAt(page: Page, offset: number): Spot | null {
  const record = recordAt(page, offset);
  const cells = indexOf(page).recordAt(record)?.cells ?? [];
  if (cells.length === 0) return null;
  const found = cells.findIndex(({ end }) => offset <= end);
  const column = found < 0 ? cells.length - 1 : found;
  return { record, column, offset: decodedOffset(page.text, cells[column] as Cell, offset) };
}

/** The record that an offset stands in or behind; -1 before the first. */
export function recordAt(page: Page, offset: number): number {
  const { records } = indexOf(page);
  return leading(records.length, (i) => (records[i] as number) <= offset) - 1;
}

/** The offset in a cell's decoded text of an offset in the file. Inside a doubled quote it is before that quote. */
export function decodedOffset(text: string, cell: Cell, offset: number): number {
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

interface ReadCell {
  readonly record: number;
  readonly column: number;
  readonly text: string;
}

/** The last cell of each page: names stand side by side, so it is mostly asked for again. */
const lastCells = new WeakMap<Page, ReadCell>();

/** The decoded text of a cell; empty for one that is not there. */
export function cellTextAt(page: Page, record: number, column: number): string {
  const last = lastCells.get(page);
  if (last?.record === record && last.column === column) return last.text;
  const cell = indexOf(page).recordAt(record)?.cells[column];
  const text = cell === undefined ? "" : cellText(page.text, cell);
  lastCells.set(page, { record, column, text });
  return text;
}

/** The row that was read from a record; null for a record that is no row. */
export function rowAt(rows: readonly Row[], record: number): Row | null {
  const row = rows[rowFrom(rows, record)];
  return row?.record === record ? row : null;
}

/** The index of the first row, or case, that was read from a record or from one behind it. */
export const rowFrom = (rows: readonly { readonly record: number }[], record: number): number =>
  leading(rows.length, (i) => (rows[i] as { readonly record: number }).record < record);
