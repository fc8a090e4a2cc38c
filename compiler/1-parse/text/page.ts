import { createLineIndex, type LineIndex, type Position } from "../../diagnostics/lines.js";
import type { Page } from "../../ir.js";
import { type Cell, type RecordScan, scanRecord } from "./scan.js";

/** Offsets and cells of a page, worked out when first asked for. */
export interface PageIndex {
  readonly records: readonly number[];
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

/** Gives a page the index of another one with the same text. */
export function shareIndex(from: Page, to: Page): void {
  indexes.set(to, indexOf(from));
}

/** Problems come row by row, so the cells of few records are kept. */
const KEPT = 64;

function createIndex({ text, start, delimiter }: Page, known: readonly number[] | null = null): PageIndex {
  let records = known;
  let lines: LineIndex | null = null;
  const scans = new Map<number, RecordScan>();
  const index: PageIndex = {
    get records() {
      records ??= findRecords({ text, start, delimiter });
      return records;
    },
    positionOf(offset) {
      lines ??= createLineIndex(text);
      return lines.positionOf(offset);
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
