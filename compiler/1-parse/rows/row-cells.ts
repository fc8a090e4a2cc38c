import type { Problems } from "../../diagnostics/collect.js";
import type { CellSpan, ColumnName, Page, Range } from "../../ir.js";
import type { Header } from "../header/header.js";
import { spreadsheetError } from "../text/spreadsheet-errors.js";
import { isBlank } from "../text/white-space.js";
import { type RowReporter, reportCell } from "./row-report.js";

/** One row on its way from text to a `Row`. */
export interface RowCells {
  readonly index: number;
  readonly header: Header;
  /** The text of each cell; a spreadsheet's error counts as empty. */
  readonly cells: readonly string[];
  readonly errors: readonly number[];
  readonly reporter: RowReporter;
}

/** Shared by all rows of a sheet while they are read. */
export interface RowSource {
  readonly page: Page;
  readonly header: Header;
  readonly problems: Problems;
  /** A spreadsheet's error stands somewhere on the page. */
  readonly mayHoldErrors: boolean;
}

/** One record as it was cut into cells. */
export interface RawRow {
  readonly index: number;
  readonly record: number;
  readonly cells: readonly string[];
  /** The first column whose text is not sure, since bad quotes may have moved it; null when all are sure. */
  readonly unreadableFrom: number | null;
  readonly hasFault: boolean;
}

/** The index of a column; -1 when the file has none of that name. */
export function columnOf({ header }: RowCells, name: ColumnName): number {
  return header.columns[name];
}

/** The text of a cell; empty when the file has no such column or the row no such cell. */
export function textOf(row: RowCells, name: ColumnName): string {
  return row.cells[columnOf(row, name)] ?? "";
}

export function holdsError(row: RowCells, name: ColumnName): boolean {
  return row.errors.length > 0 && row.errors.includes(columnOf(row, name));
}

export const spanOf = ({ index }: RowCells, column: number, { start, end }: Range): CellSpan => ({
  row: index,
  column,
  start,
  end,
});

const NONE: readonly number[] = [];

/** Prepares a row for reading: finds the spreadsheet's errors in it and takes them out. */
export function prepareRow({ page, header, problems, mayHoldErrors }: RowSource, raw: RawRow): RowCells {
  const { index, record } = raw;
  const unreadableFrom = raw.unreadableFrom ?? Infinity;
  const sure = !isLong(header, raw.cells);
  const reporter: RowReporter = { page, problems, record, unreadableFrom, sure, graph: null, node: null };
  const errors = mayHoldErrors ? findErrors(header, raw.cells) : NONE;
  if (errors.length === 0) return { index, header, cells: raw.cells, errors, reporter };
  const cells = raw.cells.map((cell, column) => (errors.includes(column) ? "" : cell));
  return { index, header, cells, errors, reporter };
}

export const isLong = (header: Header, cells: readonly string[]): boolean =>
  cells.length > header.cells.length && !cells.slice(header.cells.length).every(isBlank);

function findErrors(header: Header, cells: readonly string[]): readonly number[] {
  let errors: number[] | null = null;
  for (let column = 0; column < cells.length; column++) {
    if (spreadsheetError(cells[column] as string) === null || meaningOf(header, column) === null) continue;
    errors ??= [];
    errors.push(column);
  }
  return errors ?? NONE;
}

/** The canonical column that a column of the file belongs to; a setting's column belongs to the context. */
export function meaningOf({ cells, columns }: Header, column: number): ColumnName | null {
  const meaning = cells[column]?.meaning;
  if (meaning?.kind === "setting") return "context";
  return meaning?.kind === "column" && columns[meaning.name] === column ? meaning.name : null;
}

/** Reports the spreadsheet's errors of a row, once its graph and node are known. */
export function reportErrors({ header, errors, reporter }: RowCells, raw: RawRow): void {
  for (const column of errors) {
    const text = raw.cells[column] ?? "";
    const value = spreadsheetError(text) ?? "";
    const start = text.indexOf(value);
    const name = meaningOf(header, column) ?? "context";
    reportCell(reporter, { column, name, start, end: start + value.length }, "spreadsheet-error", {
      value,
      isPrompt: name === "prompt",
    });
  }
}
