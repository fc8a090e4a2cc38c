import type { Delimiter, Range } from "../../ir.js";

/** A fault in the quotes of a cell, and the offset in the text where it shows. */
export interface QuoteFault {
  readonly what: "unclosed" | "inside" | "after";
  readonly at: number;
}

/** One cell of the raw text: `start` to `end` with its quotes, `from` to `to` without. */
export interface Cell extends Range {
  readonly from: number;
  readonly to: number;
  readonly quoted: boolean;
  /** Two quotes in its text stand for one. */
  readonly doubled: boolean;
  readonly fault: QuoteFault | null;
}

/** Its cells, the end of its text, and the beginning of the next record. */
export interface RecordScan {
  readonly cells: readonly Cell[];
  readonly end: number;
  readonly next: number;
  /** It has more cells than anybody reads; the rest of the text was not looked at. */
  readonly endless: boolean;
}

const MOST_CELLS = 200_000;

const QUOTE = 34;
const LF = 10;
const CR = 13;

/**
 * Reads the record that begins at `at`. It never gives up: a cell with bad quotes carries its fault. Reading goes on
 * where the author most likely meant the next cell to begin. Linear over a whole file: a search that ends nowhere
 * has passed only quotes at which no other search begins.
 */
export function scanRecord(text: string, at: number, delimiter: Delimiter): RecordScan {
  const separator = delimiter.charCodeAt(0);
  const cells: Cell[] = [];
  let literal = false;
  for (let start = at; ; ) {
    const cell: Cell = literal ? scanLiteral(text, start, separator) : scanCell(text, start, separator);
    // After a quote that never closes, the rest of its line is taken as it stands.
    literal ||= cell.fault?.what === "unclosed";
    cells.push(cell);
    const { end } = cell;
    if (text.charCodeAt(end) !== separator)
      return { cells, end, next: skipLineEnd(text, end), endless: false };
    if (cells.length === MOST_CELLS) return { cells, end, next: text.length, endless: true };
    start = end + 1;
  }
}

export function cellText(text: string, cell: Cell): string {
  const raw = text.slice(cell.from, cell.to);
  return cell.doubled ? raw.replaceAll('""', '"') : raw;
}

/** The offset after the line end at `at`: LF, CRLF or CR; the text's end stays the end. */
export function skipLineEnd(text: string, at: number): number {
  if (at >= text.length) return at;
  return text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
}

const isLineEnd = (code: number): boolean => code === LF || code === CR;

function scanCell(text: string, start: number, separator: number): Cell {
  return text.charCodeAt(start) === QUOTE
    ? scanQuoted(text, start, separator)
    : scanPlain(text, start, separator);
}

function scanPlain(text: string, start: number, separator: number): Cell {
  let quote = -1;
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === separator || code === LF || code === CR) break;
    if (code === QUOTE && quote < 0) quote = end;
  }
  return plainCell(start, end, quote < 0 ? null : { what: "inside", at: quote });
}

function scanLiteral(text: string, start: number, separator: number): Cell {
  return plainCell(start, cellBreak(text, start, separator), null);
}

const plainCell = (start: number, end: number, fault: QuoteFault | null): Cell => ({
  start,
  end,
  from: start,
  to: end,
  quoted: false,
  doubled: false,
  fault,
});

function cellBreak(text: string, start: number, separator: number): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === separator || code === LF || code === CR) return i;
  }
  return text.length;
}

/**
 * A cell that opens with a quote ends at the first quote that is not doubled. Text behind that one makes it a stray;
 * when it stands where a cell of a later line opens, it is that cell's, and this one was never closed.
 */
function scanQuoted(text: string, start: number, separator: number): Cell {
  let doubled = false;
  for (let at = text.indexOf('"', start + 1); at >= 0; ) {
    const after = skipQuotes(text, at);
    if ((after - at) % 2 === 1) {
      if (endsCell(text, after, separator)) return quotedCell(start, after, doubled || after - at > 1);
      if (opensCell(text, at, separator) && hasLineEnd(text, start, at)) break;
      return scanStray(text, { start, stray: after - 1, separator });
    }
    doubled = true;
    at = text.indexOf('"', after);
  }
  return unclosedCell(text, start, separator);
}

/**
 * A quoted cell with a stray quote ends at the next quote before a delimiter or line end. The search stops where a
 * cell that opens with a quote of its own comes first.
 */
function scanStray(text: string, found: { start: number; stray: number; separator: number }): Cell {
  const { start, stray, separator } = found;
  const fault: QuoteFault = { what: "after", at: stray };
  for (let at = text.indexOf('"', stray + 1); at >= 0; ) {
    const after = skipQuotes(text, at);
    if (endsCell(text, after, separator)) return { ...quotedCell(start, after, true), fault };
    if (opensCell(text, at, separator)) break;
    at = text.indexOf('"', after);
  }
  if (hasLineEnd(text, start, stray)) return unclosedCell(text, start, separator);
  return plainCell(start, cellBreak(text, stray, separator), fault);
}

const quotedCell = (start: number, end: number, doubled: boolean): Cell => ({
  start,
  end,
  from: start + 1,
  to: end - 1,
  quoted: true,
  doubled,
  fault: null,
});

/** A quoted cell that never ends: it is given up on the line where it opens. */
function unclosedCell(text: string, start: number, separator: number): Cell {
  const end = cellBreak(text, start, separator);
  return { ...plainCell(start, end, { what: "unclosed", at: start }), from: start + 1 };
}

/** True when a delimiter or a line end stands at `at`, or nothing at all. */
function endsCell(text: string, at: number, separator: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === separator || isLineEnd(code);
}

/** True when a delimiter or a line end stands before `at`. */
function opensCell(text: string, at: number, separator: number): boolean {
  const code = text.charCodeAt(at - 1);
  return code === separator || isLineEnd(code);
}

function skipQuotes(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === QUOTE) end++;
  return end;
}

function hasLineEnd(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (isLineEnd(text.charCodeAt(i))) return true;
  return false;
}
