import { quoteCell } from "../../1-parse/text/edit-cell.js";
import { indexOf, rawOffset } from "../../1-parse/text/page.js";
import { type Cell, cellText, type RecordScan, scanRecord } from "../../1-parse/text/scan.js";
import { isComment } from "../../1-parse/text/skipped-rows.js";
import type { Edit } from "../../diagnostics/diagnostic.js";
import type { Page, Range } from "../../ir.js";
import { decodedOffset, recordAt } from "../spot.js";

/** Where the caret stands: a cell, with an offset in its decoded text. */
export interface Caret {
  readonly page: Page;
  readonly record: number;
  readonly column: number;
  readonly text: string;
  readonly at: number;
  /** The offset in the file. */
  readonly offset: number;
  /** The decoded texts of all cells of the record. */
  readonly cells: readonly string[];
  /** The edit that writes a text over a stretch of the cell; null where it would cut the file into other cells. */
  readonly write: (range: Range, text: string) => Edit | null;
}

/** The caret at an offset of the file; null where no cell is, such as in a comment. */
export function caretAt(page: Page, offset: number): Caret | null {
  if (offset < page.start || offset > page.text.length) return null;
  const { records } = indexOf(page);
  if (offset === page.text.length && /[\r\n]$|^$/.test(page.text.slice(page.start).slice(-1)))
    return newRow(page, records.length);
  const record = recordAt(page, offset);
  const scan = indexOf(page).recordAt(record);
  if (scan === null || offset > scan.end) return null;
  const cells = scan.cells.map((cell) => cellText(page.text, cell));
  if (isComment(cells[0] ?? "")) return null;
  const line = { page, record, scan, offset, cells, checked: { length: 0 } };
  return inOpenCell(line) ?? inCell(line);
}

/** A row that the end of the file begins. */
function newRow(page: Page, record: number): Caret {
  const offset = page.text.length;
  const write: Caret["write"] = (_, text) => {
    if (isComment(text)) return null;
    return { start: offset, end: offset, text: isPlain(page, text) ? text : quoteCell(text) };
  };
  return { page, record, column: 0, text: "", at: 0, offset, cells: [""], write };
}

const isPlain = ({ delimiter }: Page, text: string): boolean =>
  !text.includes(delimiter) && !/["\r\n]/.test(text);

const changed = (text: string, { start, end }: Range, part: string): string =>
  text.slice(0, start) + part + text.slice(end);

/** All offers of a caret ask for the same two offsets. */
function remembered(work: (at: number) => number): (at: number) => number {
  const known = new Map<number, number>();
  return (at) => {
    const value = known.get(at) ?? work(at);
    known.set(at, value);
    return value;
  };
}

interface Line extends Pick<Caret, "page" | "record" | "offset" | "cells"> {
  readonly scan: RecordScan;
  /** How much text was read again to check offers. */
  readonly checked: { length: number };
}

function inCell(line: Line): Caret {
  const { page, record, scan, offset, cells } = line;
  const column = scan.cells.findIndex(({ end }) => offset <= end);
  const cell = scan.cells[column] as Cell;
  const text = cells[column] ?? "";
  const isFaulty = scan.cells.some(({ fault }) => fault !== null);
  const rawOf = remembered((at) => rawOffset(page.text, cell, at));
  const write: Caret["write"] = (range, inner) => {
    if (column === 0 && isComment(changed(text, range, inner))) return null;
    const [start, end] = [rawOf(range.start), rawOf(range.end)];
    let edit: Edit = { start, end, text: cell.quoted ? inner.replaceAll('"', '""') : inner };
    // Beside the quotes of a cell the caret stands outside of its text.
    if (!holds(edit, offset) || !(cell.quoted || isPlain(page, inner)))
      edit = { start: cell.start, end: cell.end, text: quoteCell(changed(text, range, inner)) };
    return isFaulty && !keepsCut(line, edit) ? null : edit;
  };
  return { page, record, column, text, at: decodedOffset(page.text, cell, offset), offset, cells, write };
}

/**
 * A quote that was opened and not closed yet: what stands between it and the caret is the cell, with its quotes
 * doubled and its delimiters as text. The rest of the line stays what it is.
 */
function inOpenCell(line: Line): Caret | null {
  const { page, record, scan, offset, cells } = line;
  const column = scan.cells.findIndex(({ fault }) => fault?.what === "unclosed");
  const open = scan.cells[column];
  if (open === undefined || offset <= open.start) return null;
  const to = scan.cells.find(({ end }) => offset <= end)?.end ?? offset;
  const doubled = page.text.slice(open.from, to).includes('""');
  const cell: Cell = { ...open, to, end: to, doubled };
  const write: Caret["write"] = ({ start, end }, text) => {
    const from = rawOffset(page.text, cell, start);
    const edit = { start: from, end: rawOffset(page.text, cell, end), text: text.replaceAll('"', '""') };
    return holds(edit, offset) && keepsCut(line, edit) ? edit : null;
  };
  const at = decodedOffset(page.text, cell, offset);
  return { page, record, column, text: cellText(page.text, cell), at, offset, cells, write };
}

/** Editors take only edits of the place where the caret stands. */
const holds = ({ start, end }: Edit, offset: number): boolean => start <= offset && offset <= end;

/** So much text is read again at most for the offers of one caret: the rest of them is left out. */
const MOST_READ = 4_000_000;

/** Whether the record still ends where it did. With quotes out of place only reading it again can tell. */
function keepsCut(line: Line, edit: Edit): boolean {
  const { page, record, scan, checked } = line;
  const { text } = page;
  const { start, end } = edit;
  const isPlain = !SIGNS.test(edit.text) && !SIGNS.test(text.slice(Math.max(0, start - 1), end + 1));
  if (isPlain && !edit.text.includes(page.delimiter)) return true;
  checked.length += text.length;
  if (checked.length > MOST_READ && checked.length > text.length) return false;
  const edited = text.slice(0, start) + edit.text + text.slice(end);
  const { next } = scanRecord(edited, indexOf(page).records[record] ?? 0, page.delimiter);
  return next === scan.next + edit.text.length - (end - start);
}

/** Without these, and none beside it, an edit leaves all cells as they are. */
const SIGNS = /[",;\t\r\n]/;
