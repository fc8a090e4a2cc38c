import type { Problems } from "../diagnostics/collect.js";
import type { Edit } from "../diagnostics/diagnostic.js";
import { breaksIn } from "../diagnostics/lines.js";
import type { Page, Row, Sheet } from "../ir.js";
import { SHEET_WORDS } from "./header/column-names.js";
import { findFormat } from "./header/find-header.js";
import { saysOfWhen } from "./header/header.js";
import { createRowReader, type RowReader } from "./rows/row-reader.js";
import { filled, readRecord } from "./rows/rows.js";
import type { SheetReading } from "./sheet.js";
import { mayBeTooLarge } from "./text/open-page.js";
import { faultsIn, isTooLong, isUnsure } from "./text/outline.js";
import { carryIndex, indexOf, type RecordEdit, recordAtOffset, shareIndex } from "./text/page.js";
import type { Cells } from "./text/records.js";
import { cellText, type RecordScan, scanRecord } from "./text/scan.js";
import { isSkipped } from "./text/skipped-rows.js";

/** A sheet after an edit inside of one record. */
export interface Rereading {
  readonly reading: SheetReading;
  readonly edit: RecordEdit;
  /** The numbers of the records that were read again. */
  readonly records: ReadonlySet<number>;
}

/** One record before an edit and after it. */
interface Changed {
  readonly edit: RecordEdit;
  readonly before: RecordScan;
  readonly after: RecordScan;
}

/**
 * Reads the record that an edit stands in again, and the rows below it that take their graph from it. Null when the
 * edit may change more than that: where records begin, which of them are rows, or what the header means.
 */
export function rereadSheet(
  reading: SheetReading,
  { text, edit }: { readonly text: string; readonly edit: Edit },
  problems: Problems,
): Rereading | null {
  const { sheet, header } = reading;
  const changed = mayBeTooLarge(text) ? null : changedRecord(reading, text, edit);
  if (changed === null || !keepsHeader(reading, text, changed)) return null;
  const page: Page = { file: sheet.file, text, delimiter: sheet.delimiter, start: sheet.start };
  carryIndex(sheet, page, changed.edit);
  const rows = new Map<number, Row>();
  const records = new Set([changed.edit.record]);
  const read = { page, header, problems };
  const index = rowIndexOf(sheet, changed.edit.record);
  if (index < 0) readAgain(read, { record: changed.edit.record, index }, createReader(read, null));
  for (let i = index; i >= 0 && i < sheet.rows.length; i++) {
    const old = sheet.rows[i] as Row;
    const row = readAgain(read, old, createReader(read, rows.get(i - 1) ?? sheet.rows[i - 1] ?? null));
    if (row === null) return null;
    records.add(old.record);
    rows.set(i, row);
    const next = sheet.rows[i + 1];
    // An empty cell takes the graph of the row above.
    if (row.graph.name === old.graph.name || next === undefined || next.graph.at.end > next.graph.at.start)
      break;
  }
  const kept = sheet.rows.slice();
  for (const [i, row] of rows) kept[i] = row;
  const changedSheet: Sheet = { ...sheet, text, rows: kept };
  shareIndex(page, changedSheet);
  const unsure = unsureAfter(reading.unsure, changed);
  return { reading: { sheet: changedSheet, header, unsure }, edit: changed.edit, records };
}

/** Null when the edit is not inside of one record below the header, or other records may be cut in another way. */
function changedRecord({ sheet, unsure }: SheetReading, text: string, edit: Edit): Changed | null {
  const record = recordAtOffset(sheet, edit.start);
  const before = indexOf(sheet).recordAt(record);
  if (before === null || record <= sheet.headerRecord || edit.end > before.end) return null;
  const start = indexOf(sheet).records[record] as number;
  // A line feed at the beginning belongs to the carriage return before it.
  if (text[start] === "\n" && text[start - 1] === "\r") return null;
  const by = edit.text.length - (edit.end - edit.start);
  const after = scanRecord(text, start, sheet.delimiter);
  if (after.next !== before.next + by || after.endless) return null;
  const [was, is] = [sheet.text.slice(start, before.next), text.slice(start, after.next)];
  const isBelowUnsure = (unsure[0] ?? record) < record;
  if (isBelowUnsure && (was.includes('"') || is.includes('"'))) return null;
  if (after.cells.some((cell) => isTooLong(text, cell))) return null;
  const lines = breaksIn(is, { from: 0, to: is.length }) - breaksIn(was, { from: 0, to: was.length });
  return { edit: { record, next: before.next, by, lines }, before, after };
}

/** False when the header may mean something else now, or the record is a row now, or no longer one. */
function keepsHeader({ sheet, header }: SheetReading, text: string, changed: Changed): boolean {
  const { delimiter, start, header: found } = findFormat(text, SHEET_WORDS);
  if (delimiter !== sheet.delimiter || start !== sheet.start || found?.record !== header.record) return false;
  const { edit, before, after } = changed;
  const [was, is] = [cellsOf(sheet.text, before), cellsOf(text, after)];
  if (isSkipped(was) !== isSkipped(is) || saysOfWhen(header, was) !== saysOfWhen(header, is)) return false;
  const fills = (page: Page, cells: Cells, scan: RecordScan): string =>
    filled(header.unnamed, cells, faultsIn(page, edit.record, scan.cells)).join();
  if (header.unnamed.length === 0) return true;
  return fills(sheet, was, before) === fills({ ...sheet, text }, is, after);
}

interface RowSource {
  readonly page: Page;
  readonly header: SheetReading["header"];
  readonly problems: Problems;
}

const createReader = (source: RowSource, above: Row | null): RowReader =>
  createRowReader({ ...source, mayHoldErrors: true }, above);

function readAgain(source: RowSource, at: { record: number; index: number }, readRow: RowReader): Row | null {
  const { page } = source;
  const { record, index } = at;
  const scan = indexOf(page).recordAt(record);
  if (scan === null) return null;
  const cells = cellsOf(page.text, scan);
  return readRecord(source, { record, index, cells, faults: faultsIn(page, record, scan.cells) }, readRow);
}

const cellsOf = (text: string, { cells }: RecordScan): Cells =>
  cells.map((cell) => ownText(cellText(text, cell)));

/** The text as a string of its own. A slice would keep the whole text alive of which it was taken. */
const ownText = (text: string): string => ` ${text}`.slice(1);

/** The index of the row of a record; -1 for a record that is no row. */
function rowIndexOf({ rows }: Sheet, record: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as Row).record < record) low = middle + 1;
    else high = middle;
  }
  return rows[low]?.record === record ? low : -1;
}

function unsureAfter(
  unsure: readonly number[],
  { edit: { record }, before, after }: Changed,
): readonly number[] {
  if (isUnsure(before.cells) === isUnsure(after.cells)) return unsure;
  if (isUnsure(before.cells)) return unsure.filter((one) => one !== record);
  return [...unsure, record].sort((a, b) => a - b);
}
