import { cellText, type RecordScan, scanRecord, skipLineEnd } from "../../compiler/1-parse/text/scan.js";
import type { Delimiter } from "../../compiler/ir.js";
import { textOf } from "./chunks.js";
import { failure } from "./failure.js";
import type { Source } from "./source.js";

export interface CsvStyle {
  readonly delimiter: Delimiter;
  readonly lineEnd: "\n" | "\r\n";
  /** The first line `sep=;` without its end; empty when there is none. */
  readonly preamble: string;
}

export type Cells = readonly string[];

/** Lines of only delimiters are skipped. */
export interface CsvTable {
  readonly style: CsvStyle;
  /** The first row; null in an empty file. */
  readonly header: Cells | null;
  readonly rows: AsyncIterable<readonly NumberedRow[]>;
}

export interface NumberedRow {
  readonly cells: Cells;
  /** The row number that a spreadsheet program shows. */
  readonly number: number;
}

const LONGEST_ROW = 10_000_000;
const DELIMITERS: readonly Delimiter[] = [",", ";", "\t"];

/** The delimiter is detected from the first row. */
export async function openTable(source: Source): Promise<CsvTable> {
  const pieces = textOf(source);
  const first = await pieces.next();
  const start = first.done === true ? "" : first.value;
  const style = styleOf(start);
  const at = style.preamble === "" ? 0 : skipLineEnd(start, style.preamble.length);
  const batches = rowsOf(pieces, start.slice(at), style, source.shown);
  let batch = await batches.next();
  while (batch.done !== true && batch.value.length === 0) batch = await batches.next();
  const [header, ...below] = batch.done === true ? [] : batch.value;
  return { style, header: header?.cells ?? null, rows: following(below, batches) };
}

async function* following<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* others;
}

export function styleOf(text: string): CsvStyle {
  const [preamble = "", given] = /^sep=([,;\t])(?=[\r\n]|$)/i.exec(text) ?? [];
  const lineEnd = /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
  const delimiter = given === undefined ? likeliest(text) : (given as Delimiter);
  return { delimiter, lineEnd, preamble };
}

/** The delimiter with the most cells, and without a quote in the middle of a cell. */
function likeliest(text: string): Delimiter {
  const counts = DELIMITERS.map((delimiter) => {
    const { cells } = scanRecord(text, 0, delimiter);
    return cells.some(({ fault }) => fault !== null) ? 0 : cells.length;
  });
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as Delimiter;
}

/** A row is complete when text follows its line end. A row with a fault may still wait for its closing quote. */
async function* rowsOf(
  pieces: AsyncGenerator<string>,
  start: string,
  { delimiter }: CsvStyle,
  shown: string,
): AsyncGenerator<readonly NumberedRow[]> {
  let text = start;
  // Spreadsheet programs do not count the line `sep=;`.
  let number = 0;
  for (let isLast = false; ; ) {
    const batch: NumberedRow[] = [];
    let at = 0;
    while (at < text.length) {
      const scan = scanRecord(text, at, delimiter);
      const fault = faultOf(scan);
      if (!isLast && (scan.next >= text.length || fault !== null)) break;
      number += 1;
      if (fault !== null) throw failure(shown, `row ${number}: ${fault}`);
      if (!isEmpty(scan)) batch.push({ cells: scan.cells.map((cell) => cellText(text, cell)), number });
      at = scan.next;
    }
    yield batch;
    if (isLast) return;
    text = text.slice(at);
    const tooLong = `row ${number + 1} is longer than ${LONGEST_ROW} characters; is a quote not closed?`;
    if (text.length > LONGEST_ROW) throw failure(shown, tooLong);
    const piece = await pieces.next();
    if (piece.done === true) isLast = true;
    else text += piece.value;
  }
}

/** A quote inside of an unquoted cell is text, as in spreadsheet programs. */
export function faultOf({ cells, endless }: RecordScan): string | null {
  if (endless) return "it has too many cells";
  for (const { fault } of cells) {
    if (fault?.what === "unclosed") return "a quote is not closed";
    if (fault?.what === "after")
      return 'there is text after a closing quote; a quote in a quoted cell is written ""';
  }
  return null;
}

/** Quoted empty cells make a row: so rows of empty cells are written. */
export const isEmpty = ({ cells }: RecordScan): boolean =>
  cells.every(({ quoted, from, to }) => !quoted && from === to);
