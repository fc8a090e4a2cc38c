import type { Problems } from "../../diagnostics/collect.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import type { Page, RecordSpan, Row } from "../../ir.js";
import { type Header, reportUnnamed } from "../header/header.js";
import { editRecordParts } from "../text/edit-cell.js";
import type { Outline, RecordFault } from "../text/outline.js";
import { indexOf } from "../text/page.js";
import { cellName, type Located, located, stretch } from "../text/places.js";
import { type Cells, readRecords } from "../text/records.js";
import { cellText } from "../text/scan.js";
import { isSkipped } from "../text/skipped-rows.js";
import { mayHoldErrors } from "../text/spreadsheet-errors.js";
import { isBlank } from "../text/white-space.js";
import { meaningOf } from "./row-cells.js";
import { createRowReader, type RowReader } from "./row-reader.js";

export interface RecordSource {
  readonly page: Page;
  readonly header: Header;
  readonly outline: Outline;
  readonly problems: Problems;
}

/** Reads every record below the header that is a row. Linear. */
export function readRows(source: RecordSource): readonly Row[] {
  const { page, header, outline, problems } = source;
  const faults = faultsByRecord(outline);
  const unnamed = new Set(header.unnamed);
  const readRow = createRowReader({ ...source, mayHoldErrors: mayHoldErrors(page.text) });
  const rows: Row[] = [];
  readRecords(page, outline, header.record, (cells, record) => {
    const found = faults.get(record) ?? NONE;
    const row = readRecord(source, { record, cells, faults: found, index: rows.length }, readRow);
    if (row === null) return;
    rows.push(row);
    if (unnamed.size > 0) for (const column of filled(unnamed, cells, found)) unnamed.delete(column);
  });
  for (const column of header.unnamed)
    if (!unnamed.has(column)) reportUnnamed(page, header, column, problems);
  return rows;
}

/** The columns without a header that a sound row fills. */
export const filled = (
  unnamed: Iterable<number>,
  cells: Cells,
  faults: readonly RecordFault[],
): readonly number[] =>
  faults.length > 0 ? [] : [...unnamed].filter((column) => !isBlank(cells[column] ?? ""));

/** One record on its way to a row. */
export interface CutRecord {
  readonly record: number;
  readonly cells: Cells;
  readonly faults: readonly RecordFault[];
  /** The index that it has among the rows, if it is one. */
  readonly index: number;
}

/** Reads one record below the header, or the header, and reports what is wrong with it; null when it is no row. */
export function readRecord(
  source: Omit<RecordSource, "outline">,
  { record, cells, faults, index }: CutRecord,
  readRow: RowReader,
): Row | null {
  const { header } = source;
  if (record === header.record || isSkipped(cells)) {
    reportFaults(source, faults, header, null);
    return null;
  }
  const isWhole = cells.length === header.cells.length && faults.every(({ what }) => what !== "unclosed");
  // As many cells as the header has: a quote out of place has moved none of them.
  const unreadableFrom = isWhole ? null : (faults[0]?.column ?? null);
  const row = readRow({ index, record, cells, unreadableFrom, hasFault: faults.length > 0 });
  reportFaults(source, faults, header, row);
  if (faults.length === 0) checkWidth(source, row, cells);
  return row;
}

const NONE: readonly RecordFault[] = [];

function faultsByRecord({ faults }: Outline): ReadonlyMap<number, readonly RecordFault[]> {
  const byRecord = new Map<number, RecordFault[]>();
  for (const fault of faults) {
    const list = byRecord.get(fault.record);
    if (list === undefined) byRecord.set(fault.record, [fault]);
    else list.push(fault);
  }
  return byRecord;
}

const ownerOf = (row: Row | null): { readonly graph: string | null; readonly node: string | null } => ({
  graph: row?.graph.name || null,
  node: row?.node.name || null,
});

/** Reports bad quotes; the header and the row say whose they are, where there are any. */
export function reportFaults(
  { page, problems }: Pick<RecordSource, "page" | "problems">,
  faults: readonly RecordFault[],
  header: Header | null,
  row: Row | null,
): void {
  for (const { what, at, record, column } of faults) {
    const place = stretch(page, { start: at, end: at + 1, cell: cellName(column, record) });
    const name = header === null ? null : meaningOf(header, column);
    const span = spanAt(page, { record, column, at });
    problems.report("bad-quote", { what }, { place, span, ...ownerOf(row), column: name });
  }
}

/** The sign at an offset of the file, in its cell's decoded text; a quote that opens the cell stands before it. */
function spanAt(page: Page, fault: { record: number; column: number; at: number }): RecordSpan {
  const { record, column, at } = fault;
  const cell = indexOf(page).recordAt(record)?.cells[column];
  const before =
    cell === undefined ? 0 : cellText(page.text, { ...cell, to: Math.max(cell.from, at) }).length;
  return { record, column, start: before, end: before + (cell !== undefined && at < cell.from ? 0 : 1) };
}

/** A row must have all cells of the header. One with too many is reported where the graph around it is known. */
function checkWidth(
  { page, header, problems }: Omit<RecordSource, "outline">,
  row: Row,
  cells: readonly string[],
): void {
  const columns = header.cells.length;
  if (cells.length >= columns) return;
  const { record } = row;
  const column = meaningOf(header, cells.length);
  const params = { cells: cells.length, columns };
  const where = { ...shortRow(page, record, params), ...ownerOf(row), column };
  problems.report("short-row", params, where);
}

export function shortRow(
  page: Page,
  record: number,
  { cells, columns }: { readonly cells: number; readonly columns: number },
): Located & { readonly fix: Fix } {
  const last = { record, column: columns - 1, start: 0, end: 0 };
  const fix: Fix = {
    title: columns - cells === 1 ? "add the empty cell" : `add the ${columns - cells} empty cells`,
    safe: true,
    edits: editRecordParts(page, last, [{ start: 0, end: 0, text: "" }]),
  };
  return { ...located(page, { record, column: cells, start: 0, end: 0 }), fix };
}
