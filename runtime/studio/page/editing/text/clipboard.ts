import { cellText, scanRecord } from "../../../../../compiler/1-parse/text/scan.js";
import type { Delimiter } from "../../../../../compiler/ir.js";

/** The type of what the grid itself has copied, beside the text. */
export const OWN_CELLS = "text/x-flowsheet-cells";

/** A clipboard. */
export interface Pasted {
  readonly getData: (type: string) => string;
}

/** A block of cells as text that spreadsheets take and give: tabs, and quotes where a cell needs them. */
export const writeBlock = (block: readonly (readonly string[])[]): string =>
  block.map((row) => row.map(written).join("\t")).join("\r\n");

const written = (cell: string): string => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The cells of a text from a spreadsheet. A quote counts only where a cell begins with it. */
export function readBlock(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (let at = 0; at <= text.length; ) {
    const { cell, end } = text[at] === '"' ? quoted(text, at) : plain(text, at);
    rows.at(-1)?.push(cell);
    const isRowEnd = text[end] === "\n" || text[end] === "\r";
    at = text.startsWith("\r\n", end) ? end + 2 : end + 1;
    // The end of the last line begins no row.
    if (isRowEnd && at < text.length) rows.push([]);
    else if (isRowEnd) break;
  }
  return rows;
}

function plain(text: string, start: number): { readonly cell: string; readonly end: number } {
  let end = start;
  while (end < text.length && !/[\t\r\n]/.test(text[end] as string)) end++;
  return { cell: text.slice(start, end), end };
}

/**
 * The cells of what is pasted. Spreadsheets and the grid give tabs, and say that they do; what comes from elsewhere may
 * be records of CSV.
 */
export function pastedBlock(data: Pasted, delimiter: Delimiter): readonly (readonly string[])[] {
  const text = data.getData("text/plain");
  const isOfCells =
    text.includes("\t") || data.getData(OWN_CELLS) !== "" || /<table/i.test(data.getData("text/html"));
  return (isOfCells ? null : readRecords(text, delimiter)) ?? readBlock(text);
}

/** Null for what is no table of CSV: one line, lines of other lengths, or prose, which has blanks behind its commas. */
function readRecords(text: string, delimiter: Delimiter): readonly (readonly string[])[] | null {
  const records: (readonly string[])[] = [];
  // Editors give the empty lines below, too.
  const { length: end } = text.trimEnd();
  for (let at = 0; at < end; ) {
    const { cells, next } = scanRecord(text, at, delimiter);
    if (cells.some(({ fault, from }) => fault !== null || text[from] === " ")) return null;
    records.push(cells.map((cell) => cellText(text, cell)));
    at = next;
  }
  const width = records[0]?.length ?? 0;
  return records.length > 1 && width > 1 && records.every(({ length }) => length === width) ? records : null;
}

/** A quote that closes nowhere, or not at a cell's end, is text. */
function quoted(text: string, start: number): { readonly cell: string; readonly end: number } {
  let cell = "";
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') cell += text[at];
    else if (text[at + 1] === '"') cell += text[at++];
    else if (at + 1 === text.length || /[\t\r\n]/.test(text[at + 1] as string)) return { cell, end: at + 1 };
    else break;
  }
  return plain(text, start);
}
