import type { Problems } from "../diagnostics/collect.js";
import type { Place, Sheet } from "../ir.js";
import { decode, type EncodingFault } from "./encoding.js";
import { type Format, findFormat } from "./find-header.js";
import { parseHeader } from "./header.js";
import { LIMITS } from "./limits.js";
import { type Outline, outlinePage } from "./outline.js";
import { indexPage, type Page, shareIndex } from "./page.js";
import { cellAt, placeOf, stretch } from "./places.js";
import { readTolerant } from "./records.js";
import { readRows, reportFaults } from "./rows.js";
import { isSkipped } from "./skipped-rows.js";

/** A sheet's file as it was found. */
export interface SheetSource {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** What the bytes are in when they carry no byte order mark; UTF-8 unless told. */
  readonly encoding?: string;
}

/** Reads a sheet: bytes to rows, every cell understood on its own. Null when the file is no sheet. Linear. */
export function parseSheet(source: SheetSource, problems: Problems): Sheet | null {
  if (isTooLarge(source, problems)) return null;
  const { text, fault } = decode(source.bytes, source.encoding);
  const format = findFormat(text);
  const page: Page = { file: source.file, text, delimiter: format.delimiter, start: format.start };
  const outline = outlinePage(page, topRecord(format));
  indexPage(page, outline.records);
  if (fault !== null) reportEncoding(page, fault, problems);
  if (reportExcess(page, outline, problems)) return null;
  const header = parseHeader(page, format, problems);
  const rows = header === null ? [] : readRows({ page, header, outline, problems });
  if (header !== null && rows.length > 0) {
    const sheet: Sheet = { ...page, headerRecord: header.record, header: header.cells, rows };
    shareIndex(page, sheet);
    return sheet;
  }
  if (header === null) reportFaults({ page, problems }, outline.faults, null, null);
  if (!hasRows(page, outline, topRecord(format)))
    problems.report("empty-sheet", {}, { place: firstCell(page) });
  return null;
}

/** The record of the header, or of what stands in its place. */
const topRecord = ({ header, first }: Format): number => (header ?? first)?.record ?? 0;

/** True when a record below the header is a row. */
function hasRows(page: Page, { records }: Outline, top: number): boolean {
  for (let record = top + 1; record < records.length; record++) {
    if (!isSkipped(readTolerant(page, records[record] as number))) return true;
  }
  return false;
}

const firstCell = ({ file }: { readonly file: string }): Place => ({
  file,
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  cell: "A1",
});

function isTooLarge(source: SheetSource, problems: Problems): boolean {
  const { bytes } = source;
  if (bytes.length <= LIMITS.fileBytes) return false;
  const what = `the file has ${bytes.length.toLocaleString("en-US")} bytes`;
  problems.report("sheet-too-large", { what, limit: "50 MB a file" }, { place: firstCell(source) });
  return true;
}

function reportEncoding(page: Page, { offset, byte, at }: EncodingFault, problems: Problems): void {
  const place = stretch(page, { start: at, end: at + 1, cell: cellAt(page, at) });
  problems.report("not-utf8", { offset, byte }, { place });
}

function reportExcess(page: Page, { excess }: Outline, problems: Problems): boolean {
  for (const { what, limit, record, column } of excess) {
    const place = placeOf(page, { record, column, start: 0, end: 0 });
    problems.report("sheet-too-large", { what, limit }, { place });
  }
  return excess.length > 0;
}
