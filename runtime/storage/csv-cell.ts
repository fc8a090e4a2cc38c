import type { Json } from "../graph/contract/contract.js";
import { text } from "../graph/values/values.js";

/** What a spreadsheet program takes for the beginning of a formula, also behind the apostrophes of a guard. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-\d+(?:[.,]\d+)?$/;

/**
 * The text of a cell, with an apostrophe before what a spreadsheet program would run as a formula. Numbers are
 * none: a guard would make text of them.
 */
export function guarded(value: Json | undefined): string {
  const plain = text(value);
  if (typeof value === "number" || !FORMULA.test(plain) || NUMBER.test(plain)) return plain;
  return `'${plain}`;
}

export const unguarded = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

/** One row of a file, without the end of its line. A row of empty cells must not look like no row. */
export function formatRow(cells: readonly string[], delimiter: string): string {
  if (cells.every((cell) => cell === "")) return `""${delimiter.repeat(Math.max(0, cells.length - 1))}`;
  return cells.map((cell) => quoted(cell, cell.includes(delimiter))).join(delimiter);
}

/** The header: whoever reads the file finds the delimiter from it, so any that is text stands in quotes. */
export function formatHeader(cells: readonly string[], delimiter: string): string {
  return cells.map((cell) => quoted(cell, /[,;]/.test(cell))).join(delimiter);
}

function quoted(cell: string, always: boolean): string {
  if (!always && !/["\t\r\n]|^\s|\s$/.test(cell)) return cell;
  return `"${cell.replaceAll('"', '""')}"`;
}
