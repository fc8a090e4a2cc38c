import type { Edit } from "../../diagnostics/diagnostic.js";
import type { CellSpan, Delimiter, Page, Range, RecordSpan, Sheet } from "../../ir.js";
import { indexOf, rawOffset } from "./page.js";
import { recordOf } from "./places.js";
import { type Cell, cellText, type RecordScan } from "./scan.js";

/** New text for a stretch of a cell's decoded text. */
export interface CellPart extends Range {
  readonly text: string;
}

/** A cure inside a cell; `title` is an order. */
export interface CellFix {
  readonly title: string;
  readonly safe: boolean;
  readonly parts: readonly CellPart[];
}

/** The cure that takes an item out of a list, with the separator before it. */
export function removal(text: string, { start, end }: Range): CellFix {
  let from = start;
  while (from > 0 && /[\s|,;]/.test(text[from - 1] as string)) from--;
  return { title: "remove it", safe: true, parts: [{ start: from, end, text: "" }] };
}

/** The edit of the file that writes `text` over a stretch of a cell, quoted as that cell needs it. */
export function editCell(sheet: Sheet, span: CellSpan, text: string): Edit {
  const { start, end } = span;
  return editCellParts(sheet, span, [{ start, end, text }])[0] as Edit;
}

/** The edits of the file that write new text over several stretches of one cell, in order and apart. */
export function editCellParts(sheet: Sheet, span: CellSpan, parts: readonly CellPart[]): readonly Edit[] {
  return editRecordParts(sheet, { ...span, record: recordOf(sheet, span.row) }, parts);
}

/** `editCellParts` by the record's number. */
export function editRecordParts(page: Page, span: RecordSpan, parts: readonly CellPart[]): readonly Edit[] {
  const scan = indexOf(page).recordAt(span.record);
  if (scan === null) return [];
  const cell = scan.cells[span.column];
  if (cell === undefined) return [appendCell(page, scan, { column: span.column, parts })];
  const needs = !cell.quoted && parts.some(({ text }) => needsQuotes(text, page.delimiter));
  if (needs && (cell.end - cell.start <= LONG || cell.fault !== null))
    return [{ start: cell.start, end: cell.end, text: quoteCell(apply(page.text, cell, parts)) }];
  const edits = parts.map(({ start, end, text }) => ({
    start: rawOffset(page.text, cell, start),
    end: rawOffset(page.text, cell, end),
    text: cell.quoted || needs ? text.replaceAll('"', '""') : text,
  }));
  return needs ? withQuotes(cell, edits) : edits;
}

/** A longer cell is not written anew for each of its problems: very many of them would fill the memory. */
const LONG = 200;

/** Edits of a cell without quotes, and those that put it in quotes. */
function withQuotes({ start, end }: Cell, edits: readonly Edit[]): readonly Edit[] {
  const inner = edits.map((edit) => ({ ...edit }));
  const [first, last] = [inner[0], inner.at(-1)];
  if (first?.start === start) first.text = `"${first.text}`;
  if (last?.end === end) last.text = `${last.text}"`;
  return [
    ...(first?.start === start ? [] : [{ start, end: start, text: '"' }]),
    ...inner,
    ...(last?.end === end ? [] : [{ start: end, end, text: '"' }]),
  ];
}

/** The edit of the file that writes a whole cell. Quotes that it has stay; the record after the last one is begun. */
export function writeCell(page: Page, at: { record: number; column: number }, text: string): Edit {
  const { records, recordAt } = indexOf(page);
  const scan = recordAt(at.record);
  const part = { start: 0, end: 0, text };
  if (scan !== null) {
    const cell = scan.cells[at.column];
    if (cell === undefined) return appendCell(page, scan, { column: at.column, parts: [part] });
    const written = cell.quoted ? quoteCell(text) : writtenCell(text, page.delimiter);
    return { start: cell.start, end: cell.end, text: written };
  }
  const end = page.text.length;
  if (at.record > records.length) return { start: end, end, text: "" };
  const lineEnd = end === page.start || /[\r\n]$/.test(page.text) ? "" : lineEndOf(page.text);
  const before = page.delimiter.repeat(at.column);
  return { start: end, end, text: `${lineEnd}${before}${writtenCell(text, page.delimiter)}` };
}

const lineEndOf = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";

const writtenCell = (text: string, delimiter: Delimiter): string =>
  needsQuotes(text, delimiter) ? quoteCell(text) : text;

const needsQuotes = (text: string, delimiter: Delimiter): boolean =>
  text.includes(delimiter) || /["\r\n]/.test(text);

export const quoteCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A cell that its record is too short for comes after the last one, with empty cells between. */
function appendCell(
  page: Page,
  scan: RecordScan,
  { column, parts }: { column: number; parts: readonly CellPart[] },
): Edit {
  const text = parts.map((part) => part.text).join("");
  const missing = page.delimiter.repeat(column - scan.cells.length + 1);
  return { start: scan.end, end: scan.end, text: missing + writtenCell(text, page.delimiter) };
}

function apply(page: string, cell: Cell, parts: readonly CellPart[]): string {
  const text = cellText(page, cell);
  let result = "";
  let at = 0;
  for (const part of parts) {
    result += text.slice(at, part.start) + part.text;
    at = part.end;
  }
  return result + text.slice(at);
}
