import type { Problems } from "../diagnostics/collect.js";
import type { Edit } from "../diagnostics/diagnostic.js";
import { breaksIn } from "../diagnostics/lines.js";
import type { Page, Row, Sheet } from "../ir.js";
import { SHEET_WORDS } from "./header/column-names.js";
import { findFormat } from "./header/find-header.js";
import { saysOfWhen } from "./header/header.js";
import { cellsOf, LentRows, readAgain, rowReader } from "./rows/lent-rows.js";
import { filled } from "./rows/rows.js";
import type { SheetReading } from "./sheet.js";
import { mayBeTooLarge } from "./text/open-page.js";
import { faultsIn, isTooLong, isUnsure } from "./text/outline.js";
import { carryIndex, indexOf, type RecordEdit, recordAtOffset, shareIndex } from "./text/page.js";
import type { Cells } from "./text/records.js";
import { type RecordScan, scanRecord } from "./text/scan.js";
import { isSkipped } from "./text/skipped-rows.js";

/** A sheet that stays open: its rows are lent. */
export interface LentReading extends SheetReading {
  readonly rows: LentRows;
}

export function lendRows({ sheet, header, unsure }: SheetReading): LentReading {
  const page: Page = { file: sheet.file, text: sheet.text, delimiter: sheet.delimiter, start: sheet.start };
  shareIndex(sheet, page);
  const rows = LentRows.of({ page, header }, sheet.rows);
  const lent: Sheet = { ...sheet, rows: rows.all };
  shareIndex(page, lent);
  return { sheet: lent, header, unsure, rows };
}

/** A sheet after an edit inside of one record. */
export interface Rereading {
  readonly reading: LentReading;
  readonly edit: RecordEdit;
  /** The numbers of the records that were read again. */
  readonly records: ReadonlySet<number>;
  /** The graphs that their rows belonged to, and belong to now. */
  readonly graphs: ReadonlySet<string>;
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
  reading: LentReading,
  { text, edit }: { readonly text: string; readonly edit: Edit },
  problems: Problems,
): Rereading | null {
  const { sheet, header } = reading;
  const changed = mayBeTooLarge(text) ? null : changedRecord(reading, text, edit);
  if (changed === null || !keepsHeader(reading, text, changed)) return null;
  const page: Page = { file: sheet.file, text, delimiter: sheet.delimiter, start: sheet.start };
  carryIndex(sheet, page, changed.edit);
  const read = rereadRows(reading, { page, record: changed.edit.record }, problems);
  const rows = reading.rows.edited({ page, header }, read);
  const changedSheet: Sheet = { ...sheet, text, rows: rows.all };
  shareIndex(page, changedSheet);
  const unsure = unsureAfter(reading.unsure, changed);
  const records = new Set([changed.edit.record, ...[...read.values()].map(({ record }) => record)]);
  const graphs = new Set(
    [...read.keys()].flatMap((i) => [reading.rows.graphs[i] ?? "", rows.graphs[i] ?? ""]),
  );
  return { reading: { sheet: changedSheet, header, unsure, rows }, edit: changed.edit, records, graphs };
}

/** The rows that have to be read again, by their index: none for a record that is no row. */
function rereadRows(
  { sheet, header, rows }: LentReading,
  { page, record }: { readonly page: Page; readonly record: number },
  problems: Problems,
): ReadonlyMap<number, Row> {
  const origin = { page, header };
  const read = new Map<number, Row>();
  const first = rows.indexOf(record);
  const readRow = rowReader(origin, problems, rows.graphs[first - 1] ?? null);
  if (first < 0) readAgain(origin, { record, index: first }, { problems, readRow });
  for (let index = first; index >= 0 && index < rows.records.length; index++) {
    const at = { record: rows.records[index] as number, index };
    const row = readAgain(origin, at, { problems, readRow });
    if (row === null) break;
    read.set(index, row);
    const below = sheet.rows[index + 1]?.graph.at;
    // An empty cell takes the graph of the row above.
    if (row.graph.name === rows.graphs[index] || below === undefined || below.end > below.start) break;
  }
  return read;
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

function unsureAfter(
  unsure: readonly number[],
  { edit: { record }, before, after }: Changed,
): readonly number[] {
  if (isUnsure(before.cells) === isUnsure(after.cells)) return unsure;
  if (isUnsure(before.cells)) return unsure.filter((one) => one !== record);
  return [...unsure, record].sort((a, b) => a - b);
}
