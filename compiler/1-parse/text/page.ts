import { breaksIn, createLineIndex, type LineIndex, type Position } from "../../diagnostics/lines.js";
import type { Page } from "../../ir.js";
import { type Cell, cellText, type RecordScan, scanRecord } from "./scan.js";

/** Offsets and cells of a page, worked out when first asked for. */
export interface PageIndex {
  readonly records: readonly number[];
  /** The number of the line on which each record begins. */
  readonly firstLines: Int32Array;
  readonly positionOf: (offset: number) => Position;
  readonly recordAt: (record: number) => RecordScan | null;
}

const indexes = new WeakMap<Page, PageIndex>();

/** The index of a page; it is built once and belongs to the page. */
export function indexOf(page: Page): PageIndex {
  const known = indexes.get(page);
  if (known !== undefined) return known;
  const index = createIndex(page);
  indexes.set(page, index);
  return index;
}

/** Tells a page where its records begin, when that is known already. */
export function indexPage(page: Page, records: readonly number[]): void {
  indexes.set(page, createIndex(page, records));
}

/** One record that was written anew, while the others stayed as they are. */
export interface RecordEdit {
  readonly record: number;
  /** The next record began here; it now begins `by` characters later, and `lines` lines. */
  readonly next: number;
  readonly by: number;
  readonly lines: number;
}

/** Gives a page the index of the one that it was before an edit of one record. No text but that record is read. */
export function carryIndex(from: Page, to: Page, { record, by, lines }: RecordEdit): void {
  const before = indexOf(from);
  const move = (at: number, i: number): number => (i > record ? at + by : at);
  const records = by === 0 ? before.records : before.records.map(move);
  const first = before.firstLines;
  const firstLines = lines === 0 ? first : first.map((line, i) => (i > record ? line + lines : line));
  indexes.set(to, createIndex(to, records, firstLines));
}

/** Gives a page the index of another one with the same text. */
export function shareIndex(from: Page, to: Page): void {
  indexes.set(to, indexOf(from));
}

/** Problems come row by row, so the cells of few records are kept. */
const KEPT = 64;

function createIndex(
  { text, start, delimiter }: Page,
  known: readonly number[] | null = null,
  carried: Int32Array | null = null,
): PageIndex {
  let records = known;
  let firstLines = carried;
  let positions: PageIndex["positionOf"] | null = null;
  const scans = new Map<number, RecordScan>();
  const index: PageIndex = {
    get records() {
      records ??= findRecords({ text, start, delimiter });
      return records;
    },
    get firstLines() {
      firstLines ??= findFirstLines(text, index.records);
      return firstLines;
    },
    positionOf(offset) {
      positions ??= carried === null ? createLineIndex(text).positionOf : positionsByRecord(text, index);
      return positions(offset);
    },
    recordAt(record) {
      const kept = scans.get(record);
      if (kept !== undefined) return kept;
      const at = index.records[record];
      if (at === undefined) return null;
      const scan = scanRecord(text, at, delimiter);
      if (scans.size >= KEPT) scans.clear();
      scans.set(record, scan);
      return scan;
    },
  };
  return index;
}

function findFirstLines(text: string, records: readonly number[]): Int32Array {
  const lines = new Int32Array(records.length);
  let line = 1;
  let from = 0;
  for (const [i, to] of records.entries()) {
    line += breaksIn(text, { from, to });
    lines[i] = line;
    from = to;
  }
  return lines;
}

/** Positions by the lines on which the records begin: only the text of the records that are asked for is read. */
function positionsByRecord(
  text: string,
  { records, firstLines }: Pick<PageIndex, "records" | "firstLines">,
): PageIndex["positionOf"] {
  const known = new Map<number, LineIndex>();
  return (offset) => {
    const at = Math.min(offset, text.length);
    // What stands before the first record is read together with it.
    const record = Math.max(0, countBelow(records, at + 1) - 1);
    const from = record === 0 ? 0 : (records[record] as number);
    if (known.size >= KEPT) known.clear();
    const lines = known.get(record) ?? createLineIndex(text.slice(from, records[record + 1] ?? text.length));
    known.set(record, lines);
    const { line, column } = lines.positionOf(at - from);
    return { line: line - 1 + (record === 0 ? 1 : (firstLines[record] as number)), column };
  };
}

/** The number of the record that an offset stands in; -1 before the first one. */
export const recordAtOffset = (page: Page, offset: number): number =>
  countBelow(indexOf(page).records, offset + 1) - 1;

/** The offset of each record: one pass over the text. A line end at the very end begins no record. */
function findRecords({ text, start, delimiter }: Omit<Page, "file">): readonly number[] {
  const records: number[] = [];
  for (let at = start; at < text.length; ) {
    records.push(at);
    at = scanRecord(text, at, delimiter).next;
  }
  return records;
}

const doublings = new WeakMap<Cell, readonly number[]>();

/** The offset in the text of an offset in a cell's decoded text. Logarithmic after the first question to a cell. */
export function rawOffset(text: string, cell: Cell, offset: number): number {
  if (!cell.doubled) return Math.min(cell.from + offset, cell.to);
  let pairs = doublings.get(cell);
  if (pairs === undefined) {
    pairs = findPairs(text, cell);
    doublings.set(cell, pairs);
  }
  return Math.min(cell.from + offset + countBelow(pairs, offset), cell.to);
}

const decoded = new WeakMap<Cell, string>();

/** The text of a cell that may be asked for by each of its problems: it is decoded once. */
export function decodedText(text: string, cell: Cell): string {
  if (!cell.doubled) return cellText(text, cell);
  const known = decoded.get(cell) ?? cellText(text, cell);
  decoded.set(cell, known);
  return known;
}

/** Offsets in the decoded text of the quotes that are written twice. */
function findPairs(text: string, { from, to }: Cell): readonly number[] {
  const pairs: number[] = [];
  for (let at = text.indexOf('""', from); at >= 0 && at + 1 < to; at = text.indexOf('""', at + 2)) {
    pairs.push(at - from - pairs.length);
  }
  return pairs;
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
