import type { Problems } from "../../diagnostics/collect.js";
import type { Page } from "../../ir.js";
import { findFormat, type Vocabulary } from "../header/find-header.js";
import { type BookPage, preparedText, reportBook, reportCells } from "../workbook/book-page.js";
import { decode, type EncodingFault } from "./encoding.js";
import { wideEncodingOf, workbookOf } from "./file-kind.js";
import {
  type FileText,
  firstCell,
  isTooLarge,
  type OpenPage,
  type PageSource,
  reportExcess,
  topRecord,
} from "./open-page.js";
import { outlinePage } from "./outline.js";
import { indexPage } from "./page.js";
import { cellAt, stretch } from "./places.js";

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

/** The text of a file; null after a report. Whoever has texts only need not load this. */
export function textOf(source: SheetSource, problems: Problems): PageSource | null {
  if ("text" in source) return source;
  const { file, bytes, encoding, book } = source;
  if (book !== undefined) return { file, open: (words, to) => openBook(file, book, words, to) };
  if (isTooLarge(file, bytes.length, problems) || isOtherFile(source, problems)) return null;
  const { text, fault } = decode(bytes, encoding);
  return { file, text, reportBytes: (page, to) => fault !== null && reportEncoding(page, fault, to) };
}

/** Reports a workbook, and UTF-16 that nothing marks as such. */
function isOtherFile({ file, bytes, encoding }: FileBytes, problems: Problems): boolean {
  const what = workbookOf(bytes);
  if (what !== null) {
    problems.report("not-csv", { what }, { place: firstCell({ file }) });
    return true;
  }
  const wide = encoding === undefined ? wideEncodingOf(bytes) : null;
  if (wide !== null) problems.report("not-utf8", { wide }, { place: firstCell({ file }) });
  return wide !== null;
}

function reportEncoding(page: Page, { offset, byte, at }: EncodingFault, problems: Problems): void {
  const place = stretch(page, { start: at, end: at + 1, cell: cellAt(page, at) });
  problems.report("not-utf8", { offset, byte }, { place });
}

/** One name or one formula may stand in very many rows. */
const TOO_MUCH_TEXT = {
  what: "the formulas and names of its rows are more than 50 MB of text",
  limit: "50 MB of text in all cells",
};

/** A page of a workbook, or why there is none. */
function openBook<C extends string>(
  file: string,
  book: BookPage,
  vocabulary: Vocabulary<C>,
  problems: Problems,
): OpenPage<C> | null {
  if (book.kind !== "worksheet") {
    reportBook(book, vocabulary, file, problems);
    return null;
  }
  const { worksheet } = book;
  const prepared = preparedText(worksheet, vocabulary);
  const text = prepared ?? "";
  const format = findFormat(text, vocabulary, ",");
  const page: Page = { file, text, delimiter: ",", start: 0, worksheet: worksheet.name };
  const outline = outlinePage(page, topRecord(format));
  indexPage(page, outline.records);
  const excess = worksheet.excess ?? (prepared === null ? TOO_MUCH_TEXT : null);
  if (excess !== null) {
    problems.report("sheet-too-large", excess, { place: firstCell(page) });
    return null;
  }
  if (reportExcess(page, outline, problems)) return null;
  reportCells(page, worksheet, format, problems);
  return { page, format, outline };
}
