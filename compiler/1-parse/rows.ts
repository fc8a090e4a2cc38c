import type { Problems } from "../diagnostics/collect.js";
import type { Row } from "../ir.js";
import { type Header, reportUnnamed } from "./header.js";
import type { Outline, RecordFault } from "./outline.js";
import { indexOf, type Page } from "./page.js";
import { cellName, placeOf, stretch } from "./places.js";
import { readRecords } from "./records.js";
import { meaningOf } from "./row-cells.js";
import { createRowReader } from "./row-reader.js";
import { isSkipped } from "./skipped-rows.js";
import { isBlank } from "./white-space.js";

/** A sheet cut into records, and where to report what is wrong with them. */
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
  const readRow = createRowReader(source);
  const rows: Row[] = [];
  readRecords(page, outline, header.record, (cells, record) => {
    const found = faults.get(record) ?? NONE;
    if (record === header.record || isSkipped(cells)) {
      reportFaults(source, found, header, null);
      return;
    }
    const row = readRow({ index: rows.length, record, cells, unreadableFrom: found[0]?.column ?? null });
    rows.push(row);
    reportFaults(source, found, header, row);
    if (found.length > 0) return;
    checkWidth(source, row, cells);
    for (const column of unnamed) if (!isBlank(cells[column] ?? "")) unnamed.delete(column);
  });
  for (const column of header.unnamed)
    if (!unnamed.has(column)) reportUnnamed(page, header, column, problems);
  return rows;
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
    problems.report("bad-quote", { what }, { place, ...ownerOf(row), column: name });
  }
}

/** A row must be as wide as the header; surplus cells may stand there when they are empty. */
function checkWidth({ page, header, problems }: RecordSource, row: Row, cells: readonly string[]): void {
  const { record } = row;
  const params = { cells: cells.length, columns: header.cells.length };
  if (cells.length < params.columns) {
    const end = indexOf(page).recordAt(record)?.end ?? 0;
    const place = stretch(page, { start: end, end, cell: cellName(cells.length, record) });
    problems.report("short-row", params, { place, ...ownerOf(row), column: meaningOf(header, cells.length) });
    return;
  }
  const surplus = cells.findIndex((cell, column) => column >= params.columns && !isBlank(cell));
  if (surplus < 0) return;
  const span = { record, column: surplus, start: 0, end: cells[surplus]?.length ?? 0 };
  problems.report("long-row", params, { place: placeOf(page, span), ...ownerOf(row) });
}
