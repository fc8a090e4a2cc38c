import type { Severity } from "../../diagnostics/diagnostic.js";
import type { Page } from "../../ir.js";
import { type Cell, type QuoteFault, type RecordScan, scanRecord, skipLineEnd } from "./scan.js";
import { isComment } from "./skipped-rows.js";

/** Sizes of text count UTF-16 units. */
export const LIMITS = {
  fileBytes: 50 * 1024 * 1024,
  columns: 200,
  rows: 100_000,
  cellLength: 1024 * 1024,
} as const;

/** The offsets where the records of a page begin, the bad quotes, and the limits that are passed. */
export interface Outline {
  readonly records: readonly number[];
  readonly faults: readonly RecordFault[];
  /** The number of records below the header with another number of cells. */
  readonly uneven: number;
  readonly excess: readonly Excess[];
  /** Records with a quote that never closes, or a stray one: how they are cut depends on the text after them. */
  readonly unsure: readonly number[];
}

export interface RecordFault extends QuoteFault {
  readonly record: number;
  readonly column: number;
}

export interface Excess {
  readonly what: string;
  readonly limit: string;
  readonly record: number;
  readonly column: number;
  readonly severity?: Severity;
}

/** How many rows a page may have, and what is said of one with more. */
export interface RowLimit extends Pick<Excess, "what" | "limit" | "severity"> {
  readonly most: number;
}

interface Walk {
  readonly page: Page;
  readonly headerRecord: number;
  readonly rowLimit: RowLimit;
  readonly records: number[];
  readonly faults: RecordFault[];
  readonly excess: Excess[];
  readonly unsure: number[];
  uneven: number;
  width: number;
}

const format = (count: number): string => count.toLocaleString("en-US");

const ROWS = `${format(LIMITS.rows)} rows below the header`;
const ROW_LIMIT: RowLimit = { most: LIMITS.rows, what: `it has more than ${ROWS}`, limit: ROWS };

/** Goes over the whole page once, before anything costs more; stops where a limit is passed. Linear. */
export function outlinePage(page: Page, headerRecord: number, rowLimit: RowLimit = ROW_LIMIT): Outline {
  const plainEnd = createPlainEnds(page.text);
  const lists = { records: [], faults: [], excess: [], unsure: [] };
  const walk: Walk = { page, headerRecord, rowLimit, ...lists, uneven: 0, width: 0 };
  for (let at = page.start; at < page.text.length && walk.excess.length === 0; ) {
    const record = walk.records.length;
    walk.records.push(at);
    const end = record > headerRecord ? plainEnd(at) : null;
    if (end !== null) {
      if (countCells(page, at, end) !== walk.width) walk.uneven++;
      noteRows(walk, record);
      at = skipLineEnd(page.text, end);
      continue;
    }
    const scan = scanRecord(page.text, at, page.delimiter);
    noteExcess(walk, record, scan);
    noteCells(walk, record, scan);
    at = scan.next;
  }
  return walk;
}

/** A line of more characters is scanned cell by cell, since a limit may be passed in it. */
const LONGEST_PLAIN = 100_000;

/** Finds the end of the record at an offset when it is a line without quotes; null for any other. Linear in all. */
function createPlainEnds(text: string): (at: number) => number | null {
  const next = { '"': -1, "\n": -1, "\r": -1 };
  const find = (sign: keyof typeof next, at: number): number => {
    if (next[sign] < at) {
      const found = text.indexOf(sign, at);
      next[sign] = found < 0 ? text.length : found;
    }
    return next[sign];
  };
  return (at) => {
    const end = Math.min(find("\n", at), find("\r", at));
    return end - at > LONGEST_PLAIN || find('"', at) < end ? null : end;
  };
}

function countCells({ text, delimiter }: Page, from: number, to: number): number {
  const separator = delimiter.charCodeAt(0);
  let count = 1;
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === separator) count++;
  return count;
}

function noteExcess(walk: Walk, record: number, { cells, endless }: RecordScan): void {
  const { headerRecord, excess } = walk;
  const columns = { limit: `${LIMITS.columns} columns`, record, column: LIMITS.columns };
  if (record === headerRecord) {
    walk.width = cells.length;
    if (cells.length > LIMITS.columns)
      excess.push({ what: `it has more than ${LIMITS.columns} columns`, ...columns });
  } else if (endless) {
    excess.push({ what: `row ${record + 1} has more than ${format(cells.length)} cells`, ...columns });
  }
  noteRows(walk, record);
}

function noteRows({ headerRecord, rowLimit, excess }: Walk, record: number): void {
  const { most, ...told } = rowLimit;
  if (record - headerRecord > most) excess.push({ ...told, record, column: 0 });
}

function noteCells(walk: Walk, record: number, { cells }: RecordScan): void {
  if (record > walk.headerRecord && cells.length !== walk.width) walk.uneven++;
  if (isUnsure(cells)) walk.unsure.push(record);
  if (record >= walk.headerRecord)
    for (const fault of faultsIn(walk.page, record, cells)) walk.faults.push(fault);
  for (let column = 0; column < cells.length; column++) {
    if (isTooLong(walk.page.text, cells[column] as Cell)) {
      walk.excess.push({
        what: "a cell holds more than 1 MB",
        limit: "1 MB (1,048,576 characters) a cell",
        record,
        column,
      });
    }
  }
}

/** True when the text after a record decides how it is cut into cells. */
export const isUnsure = (cells: readonly Cell[]): boolean =>
  cells.some(({ fault }) => fault !== null && fault.what !== "inside");

const NO_FAULTS: readonly RecordFault[] = [];

export function faultsIn(page: Page, record: number, cells: readonly Cell[]): readonly RecordFault[] {
  if (cells.every(({ fault }) => fault === null) || inComment(page, cells)) return NO_FAULTS;
  return cells.flatMap(({ fault }, column) => (fault === null ? [] : [{ ...fault, record, column }]));
}

export const isTooLong = (text: string, cell: Cell): boolean =>
  cell.to - cell.from > LIMITS.cellLength && lengthOf(text, cell) > LIMITS.cellLength;

function inComment({ text }: Page, cells: readonly Cell[]): boolean {
  const from = cells[0]?.from ?? 0;
  return isComment(text.slice(from, from + 2));
}

function lengthOf(text: string, { from, to, doubled }: Cell): number {
  let length = to - from;
  if (!doubled) return length;
  for (let at = text.indexOf('""', from); at >= 0 && at + 1 < to; at = text.indexOf('""', at + 2)) length--;
  return length;
}
