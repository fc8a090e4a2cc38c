import type { Problems } from "../../diagnostics/collect.js";
import type { Page, Place } from "../../ir.js";
import { type Format, findFormat, type Vocabulary } from "../header/find-header.js";
import { type BookPage, preparedText, reportBook, reportCells } from "../workbook/book-page.js";
import { type Decoded, decode, type EncodingFault } from "./encoding.js";
import { wideEncodingOf, workbookOf } from "./file-kind.js";
import { reportOtherShape } from "./other-shapes.js";
import { LIMITS, type Outline, outlinePage } from "./outline.js";
import { indexPage } from "./page.js";
import { cellAt, located, stretch } from "./places.js";
import { readTolerant } from "./records.js";
import { isSkipped } from "./skipped-rows.js";

/** What is read: the bytes of a file, or the text that an editor holds of it. */
export type SheetSource = FileBytes | FileText;

interface FileBytes {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The encoding of bytes without a byte order mark; UTF-8 by default. */
  readonly encoding?: string;
  /** What they were made of, when that is a workbook: then they are the text of its page. */
  readonly book?: BookPage;
}

interface FileText {
  readonly file: string;
  readonly text: string;
}

export interface OpenPage<C extends string> {
  readonly page: Page;
  readonly format: Format<C>;
  readonly outline: Outline;
}

/** Decodes a file and cuts it into records; null when it is larger than a sheet may be. Linear. */
export function openPage<C extends string>(
  source: SheetSource,
  vocabulary: Vocabulary<C>,
  problems: Problems,
): OpenPage<C> | null {
  const book = "text" in source ? undefined : source.book;
  if (book !== undefined) return openBook(source.file, book, vocabulary, problems);
  if (isTooLarge(source, problems) || isOtherFile(source, problems)) return null;
  const { text, fault } = "text" in source ? sound(source.text) : decode(source.bytes, source.encoding);
  const format = findFormat(text, vocabulary);
  const page: Page = { file: source.file, text, delimiter: format.delimiter, start: format.start };
  const outline = outlinePage(page, topRecord(format));
  indexPage(page, outline.records);
  if (fault !== null) reportEncoding(page, fault, problems);
  if (reportExcess(page, outline, problems) || reportOtherShape(page, { format, outline }, problems))
    return null;
  return { page, format, outline };
}

/** A page of a workbook, or why there is none. */
function openBook<C extends string>(
  file: string,
  book: BookPage,
  vocabulary: Vocabulary<C>,
  problems: Problems,
): OpenPage<C> | null {
  if (book.kind !== "worksheet") {
    reportBook(book, vocabulary, problems);
    return null;
  }
  const { worksheet } = book;
  const text = preparedText(worksheet, vocabulary);
  const format = findFormat(text, vocabulary, ",");
  const page: Page = { file, text, delimiter: ",", start: 0, worksheet: worksheet.name };
  const outline = outlinePage(page, topRecord(format));
  indexPage(page, outline.records);
  if (worksheet.excess !== null) {
    problems.report("sheet-too-large", worksheet.excess, { place: firstCell(page) });
    return null;
  }
  if (reportExcess(page, outline, problems)) return null;
  reportCells(page, worksheet, format, problems);
  return { page, format, outline };
}

const sound = (text: string): Decoded => ({ text, fault: null });

export function reportEmpty(
  { page, format, outline }: OpenPage<string>,
  rows: string,
  problems: Problems,
): void {
  if (!hasRows(page, outline, topRecord(format)))
    problems.report("empty-sheet", { rows }, { place: firstCell(page) });
}

/** The record of the header, or of what stands in its place. */
const topRecord = ({ header, first }: Format<string>): number => (header ?? first)?.record ?? 0;

function hasRows(page: Page, { records }: Outline, top: number): boolean {
  for (let record = top + 1; record < records.length; record++) {
    if (!isSkipped(readTolerant(page, records[record] as number))) return true;
  }
  return false;
}

const firstCell = ({ file, worksheet }: Pick<Page, "file" | "worksheet">): Place => ({
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

function isTooLarge(source: SheetSource, problems: Problems): boolean {
  const length = "text" in source ? lengthInBytes(source.text) : source.bytes.length;
  if (length <= LIMITS.fileBytes) return false;
  const what = `the file has ${length.toLocaleString("en-US")} bytes`;
  problems.report("sheet-too-large", { what, limit: "50 MB a file" }, { place: firstCell(source) });
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

/** Reports a workbook, and UTF-16 that nothing marks as such. */
function isOtherFile(source: SheetSource, problems: Problems): boolean {
  if ("text" in source) return false;
  const { bytes, encoding } = source;
  const what = workbookOf(bytes);
  if (what !== null) {
    problems.report("not-csv", { what }, { place: firstCell(source) });
    return true;
  }
  const wide = encoding === undefined ? wideEncodingOf(bytes) : null;
  if (wide !== null) problems.report("not-utf8", { wide }, { place: firstCell(source) });
  return wide !== null;
}

function reportEncoding(page: Page, { offset, byte, at }: EncodingFault, problems: Problems): void {
  const place = stretch(page, { start: at, end: at + 1, cell: cellAt(page, at) });
  problems.report("not-utf8", { offset, byte }, { place });
}

function reportExcess(page: Page, { excess }: Outline, problems: Problems): boolean {
  for (const { what, limit, record, column } of excess) {
    problems.report("sheet-too-large", { what, limit }, located(page, { record, column, start: 0, end: 0 }));
  }
  return excess.length > 0;
}
