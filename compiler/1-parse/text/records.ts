import { parse } from "csv-parse/sync";
import type { Delimiter, Page } from "../../ir.js";
import type { Outline } from "./outline.js";
import { cellText, scanRecord } from "./scan.js";

export type Cells = readonly string[];

/** Records are read by the thousand, so that the cells of a large file are never all there at the same time. */
const CHUNK = 1000;
/** csv-parse makes an error object for each record that is longer or shorter than its first: slow for many. */
const UNEVEN = 1000;
/** For so few records our own scanner is done before csv-parse has begun. */
const FEW = 64;

/**
 * Hands over the cells of every record from `first` on, with the record's number. Plain records are only cut, csv-parse
 * reads all others, and our own scanner what csv-parse refuses: it takes bad quotes as text. Linear.
 */
export function readRecords(
  page: Page,
  outline: Outline,
  first: number,
  visit: (cells: Cells, record: number) => void,
): void {
  const { records, uneven } = outline;
  const scanned = uneven > UNEVEN || records.length - first <= FEW;
  for (let start = first; start < records.length; start += CHUNK) {
    const offsets = records.slice(start, start + CHUNK);
    const cells = scanned
      ? offsets.map((offset) => readTolerant(page, offset))
      : readChunk(page, offsets, records[start + CHUNK] ?? page.text.length);
    for (let i = 0; i < cells.length; i++) visit(cells[i] as Cells, start + i);
  }
}

function readChunk(page: Page, offsets: readonly number[], end: number): readonly Cells[] {
  const texts = offsets.map((offset, i) => page.text.slice(offset, offsets[i + 1] ?? end));
  const cut = texts.map((text) => cutPlain(withoutLineEnd(text), page.delimiter));
  const others = texts.filter((_, i) => cut[i] === null);
  const read = others.length === 0 ? [] : readHealthy(others.join(""), page.delimiter);
  let next = 0;
  return cut.map((cells, i) => {
    if (cells !== null) return cells;
    return read?.length === others.length
      ? (read[next++] as Cells)
      : readTolerant(page, offsets[i] as number);
  });
}

/** The cells of a record whose quotes do nothing but enclose whole cells; null for any other. */
function cutPlain(text: string, delimiter: Delimiter): Cells | null {
  let quote = text.indexOf('"');
  if (quote < 0) return text.split(delimiter);
  const cells: string[] = [];
  for (let start = 0; start <= text.length; ) {
    const isQuoted = start === quote;
    const end = isQuoted ? text.indexOf('"', start + 1) + 1 : indexOr(text, delimiter, start);
    // A quote inside a plain cell, or one that ends no cell.
    if (isQuoted ? end === 0 || (end < text.length && text[end] !== delimiter) : quote >= 0 && quote < end)
      return null;
    cells.push(isQuoted ? text.slice(start + 1, end - 1) : text.slice(start, end));
    if (isQuoted) quote = text.indexOf('"', end);
    start = end + 1;
  }
  return cells;
}

function indexOr(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
}

function withoutLineEnd(text: string): string {
  let end = text.length;
  if (text.charCodeAt(end - 1) === LF) end--;
  if (text.charCodeAt(end - 1) === CR) end--;
  return end === text.length ? text : text.slice(0, end);
}

const LF = 10;
const CR = 13;

/** The cells of whole records as csv-parse reads them; null when a quote is out of place. */
export function readHealthy(text: string, delimiter: Delimiter): readonly Cells[] | null {
  // It takes a NUL after a closing quote for the end of the text.
  if (text.includes('"\0')) return null;
  try {
    return parse(text, { delimiter, relax_column_count: true, record_delimiter: ["\r\n", "\n", "\r"] });
  } catch {
    return null;
  }
}

/** The cells of one record as our own scanner sees them. */
export function readTolerant({ text, delimiter }: Page, offset: number): Cells {
  return scanRecord(text, offset, delimiter).cells.map((cell) => cellText(text, cell));
}
