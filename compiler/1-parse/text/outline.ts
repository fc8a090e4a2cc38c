import { LIMITS } from "./limits.js";
import type { Page } from "./page.js";
import { type Cell, type QuoteFault, type RecordScan, scanRecord } from "./scan.js";
import { isComment } from "./skipped-rows.js";

/** Where the records of a page begin, and what is wrong with them as such. */
export interface Outline {
  readonly records: readonly number[];
  readonly faults: readonly RecordFault[];
  /** How many records below the header have another number of cells. */
  readonly uneven: number;
  readonly excess: readonly Excess[];
}

/** Bad quotes in a cell. */
export interface RecordFault extends QuoteFault {
  readonly record: number;
  readonly column: number;
}

/** Something that is larger than a sheet may be. */
export interface Excess {
  readonly what: string;
  readonly limit: string;
  readonly record: number;
  readonly column: number;
}

interface Walk {
  readonly page: Page;
  readonly headerRecord: number;
  readonly records: number[];
  readonly faults: RecordFault[];
  readonly excess: Excess[];
  uneven: number;
  width: number;
}

const format = (count: number): string => count.toLocaleString("en-US");

/** Goes over the whole page once, before anything costs more; stops where a limit is passed. Linear. */
export function outlinePage(page: Page, headerRecord: number): Outline {
  const walk: Walk = { page, headerRecord, records: [], faults: [], excess: [], uneven: 0, width: 0 };
  for (let at = page.start; at < page.text.length && walk.excess.length === 0; ) {
    const record = walk.records.length;
    walk.records.push(at);
    const scan = scanRecord(page.text, at, page.delimiter);
    noteExcess(walk, record, scan);
    noteCells(walk, record, scan);
    at = scan.next;
  }
  return walk;
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
  if (record - headerRecord > LIMITS.rows) {
    const limit = `${format(LIMITS.rows)} rows below the header`;
    excess.push({ what: `it has more than ${limit}`, limit, record, column: 0 });
  }
}

function noteCells(walk: Walk, record: number, { cells }: RecordScan): void {
  if (record > walk.headerRecord && cells.length !== walk.width) walk.uneven++;
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column] as Cell;
    if (cell.fault !== null && record >= walk.headerRecord && !inComment(walk.page, cells)) {
      walk.faults.push({ ...cell.fault, record, column });
    }
    if (cell.to - cell.from > LIMITS.cellLength && lengthOf(walk.page.text, cell) > LIMITS.cellLength) {
      walk.excess.push({
        what: "a cell holds more than 1 MB",
        limit: "1 MB (1,048,576 characters) a cell",
        record,
        column,
      });
    }
  }
}

function inComment({ text }: Page, cells: readonly Cell[]): boolean {
  const from = cells[0]?.from ?? 0;
  return isComment(text.slice(from, from + 2));
}

/** The length of a long cell's decoded text. */
function lengthOf(text: string, { from, to, doubled }: Cell): number {
  let length = to - from;
  if (!doubled) return length;
  for (let at = text.indexOf('""', from); at >= 0 && at + 1 < to; at = text.indexOf('""', at + 2)) length--;
  return length;
}
