import type { Problems } from "../../diagnostics/collect.js";
import type { Page, Place } from "../../ir.js";
import { type Format, findFormat, type Vocabulary } from "../header/find-header.js";
import { reportOtherShape } from "./other-shapes.js";
import { LIMITS, type Outline, outlinePage, type RowLimit } from "./outline.js";
import { indexPage } from "./page.js";
import { located } from "./places.js";
import { readTolerant } from "./records.js";
import { isSkipped } from "./skipped-rows.js";

/** A text that an editor holds, or what the bytes of a file say. */
export interface FileText {
  readonly file: string;
  readonly text: string;
  /** Of bytes, whose length has been looked at: reports the first that does not fit their encoding. */
  readonly reportBytes?: (page: Page, problems: Problems) => void;
  readonly rowLimit?: RowLimit;
}

/** What knows itself how its page is opened, as a worksheet does. */
export interface OwnPage {
  readonly file: string;
  readonly open: <C extends string>(vocabulary: Vocabulary<C>, problems: Problems) => OpenPage<C> | null;
}

export type PageSource = FileText | OwnPage;

export interface OpenPage<C extends string> {
  readonly page: Page;
  readonly format: Format<C>;
  readonly outline: Outline;
}

/** Cuts a file into records; null when it is larger than a sheet may be. Linear. */
export function openPage<C extends string>(
  source: PageSource,
  vocabulary: Vocabulary<C>,
  problems: Problems,
): OpenPage<C> | null {
  if ("open" in source) return source.open(vocabulary, problems);
  const { file, text, reportBytes, rowLimit } = source;
  if (reportBytes === undefined && isTooLarge(file, lengthInBytes(text), problems)) return null;
  const format = findFormat(text, vocabulary);
  const page: Page = { file, text, delimiter: format.delimiter, start: format.start };
  const outline = outlinePage(page, topRecord(format), rowLimit);
  indexPage(page, outline.records);
  reportBytes?.(page, problems);
  if (reportExcess(page, outline, problems) || reportOtherShape(page, { format, outline }, problems))
    return null;
  return { page, format, outline };
}

export function reportEmpty(
  { page, format, outline }: OpenPage<string>,
  rows: string,
  problems: Problems,
): void {
  if (!hasRows(page, outline, topRecord(format)))
    problems.report("empty-sheet", { rows }, { place: firstCell(page) });
}

/** The record of the header, or of what stands in its place. */
export const topRecord = ({ header, first }: Format<string>): number => (header ?? first)?.record ?? 0;

function hasRows(page: Page, { records }: Outline, top: number): boolean {
  for (let record = top + 1; record < records.length; record++) {
    if (!isSkipped(readTolerant(page, records[record] as number))) return true;
  }
  return false;
}

export const firstCell = ({ file, worksheet }: Pick<Page, "file" | "worksheet">): Place => ({
  file,
  ...(worksheet === undefined ? {} : { worksheet }),
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  cell: "A1",
});

/** A text that may be too large is counted each time. */
export const mayBeTooLarge = (text: string): boolean => 3 * text.length > LIMITS.fileBytes;

export function isTooLarge(file: string, length: number, problems: Problems): boolean {
  if (length <= LIMITS.fileBytes) return false;
  const what = `the file has ${length.toLocaleString("en-US")} bytes`;
  problems.report("sheet-too-large", { what, limit: "50 MB a file" }, { place: firstCell({ file }) });
  return true;
}

/** The bytes of a text in UTF-8, counted only where they may be too many. */
function lengthInBytes(text: string): number {
  if (!mayBeTooLarge(text)) return text.length;
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isPart = code >= 0xd800 && code <= 0xdfff;
    length += code < 0x80 ? 1 : code < 0x800 || isPart ? 2 : 3;
  }
  return length;
}

export function reportExcess(page: Page, { excess }: Outline, problems: Problems): boolean {
  for (const { what, limit, record, column, severity } of excess) {
    const where = located(page, { record, column, start: 0, end: 0 });
    problems.report("sheet-too-large", { what, limit }, { ...where, ...(severity && { severity }) });
  }
  return excess.length > 0;
}
