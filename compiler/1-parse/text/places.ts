import type { CellSpan, ColumnName, Page, Place, Range, RecordSpan, Sheet } from "../../ir.js";
import { decodedText, indexOf, rawOffset, recordAtOffset } from "./page.js";

/** The name that a spreadsheet gives a cell, such as `F5`; both numbers count from 0. */
export function cellName(column: number, record: number): string {
  let letters = "";
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  }
  return letters + (record + 1);
}

/** The record that a row of the sheet was read from; -1 is the header. */
export function recordOf(sheet: Sheet, row: number): number {
  return row < 0 ? sheet.headerRecord : (sheet.rows[row]?.record ?? sheet.headerRecord);
}

/** Where a report stands: its place in the file, and its stretch of a cell. */
export interface Located {
  readonly place: Place;
  readonly span: RecordSpan;
}

export function locate(sheet: Sheet, span: CellSpan): Place {
  return placeOf(sheet, { ...span, record: recordOf(sheet, span.row) });
}

export function locatedIn(sheet: Sheet, { row, ...span }: CellSpan): Located {
  return located(sheet, { ...span, record: recordOf(sheet, row) });
}

export function located(page: Page, { record, column, start, end }: RecordSpan): Located {
  const span = { record, column, start, end };
  return { place: placeOf(page, span), span };
}

/** The whole text of a row's cell in a column; null when the file has no such column. */
export function cellSpan(sheet: Sheet, row: number, name: ColumnName): CellSpan | null {
  const column = sheet.header.findIndex(({ meaning }) => meaning.kind === "column" && meaning.name === name);
  if (column < 0) return null;
  const cell = indexOf(sheet).recordAt(recordOf(sheet, row))?.cells[column];
  return { row, column, start: 0, end: cell === undefined ? 0 : decodedText(sheet.text, cell).length };
}

export function textAt(sheet: Sheet, { row, column, start, end }: CellSpan): string {
  const cell = indexOf(sheet).recordAt(recordOf(sheet, row))?.cells[column];
  return cell === undefined ? "" : decodedText(sheet.text, cell).slice(start, end);
}

/** A cell that its record is too short for gets the place of the record's end. */
export function placeOf(page: Page, { record, column, start, end }: RecordSpan): Place {
  const scan = indexOf(page).recordAt(record);
  const found = scan?.cells[column];
  const offsetOf = (offset: number): number =>
    found === undefined ? (scan?.end ?? 0) : rawOffset(page.text, found, offset);
  return stretch(page, { start: offsetOf(start), end: offsetOf(end), cell: cellName(column, record) });
}

/** The place of the text between two offsets of the file. */
export function stretch(page: Page, at: Range & { readonly cell: string | null }): Place {
  if (page.worksheet !== undefined) return placeInWorksheet(page, page.worksheet, at);
  const { positionOf } = indexOf(page);
  const { line, column } = positionOf(at.start);
  const to = positionOf(at.end);
  return { file: page.file, line, column, endLine: to.line, endColumn: to.column, cell: at.cell };
}

/** A worksheet has no lines: its rows and columns stand for them. */
function placeInWorksheet(
  page: Page,
  worksheet: string,
  { start, cell }: Range & { readonly cell: string | null },
): Place {
  const record = Math.max(0, recordAtOffset(page, start));
  const cells = indexOf(page).recordAt(record)?.cells ?? [];
  const found = cells.findIndex(({ end }) => start <= end);
  const column = (found < 0 ? cells.length : found) + 1;
  const at = { line: record + 1, column, endLine: record + 1, endColumn: column };
  return { file: page.file, ...at, cell, worksheet };
}

/** The name of the cell that an offset of the file stands in; null before the first record and past the last. */
export function cellAt(page: Page, offset: number): string | null {
  const record = recordAtOffset(page, offset);
  const column =
    indexOf(page)
      .recordAt(record)
      ?.cells.findIndex((cell) => offset <= cell.end) ?? -1;
  return column < 0 ? null : cellName(column, record);
}
