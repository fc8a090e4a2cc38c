import { type Stats, statSync } from "node:fs";
import { basename } from "node:path";
import { REQUIRED, SHEET_WORDS } from "../../compiler/1-parse/header/column-names.js";
import { findFormat } from "../../compiler/1-parse/header/find-header.js";
import { TEST_WORDS } from "../../compiler/1-parse/test-sheet.js";
import { workbookOf } from "../../compiler/1-parse/text/file-kind.js";
import type { BookPage } from "../../compiler/1-parse/workbook/book-page.js";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import type { Workbook, Worksheet } from "../../compiler/1-parse/workbook/worksheet.js";
import { worksheetNamed } from "../../compiler/diagnostics/worksheet.js";
import { versionOf } from "../../compiler/files/version.js";
import { firstBytes, type Opened, openFile } from "./open-file.js";

const BOOK_NAME = /\.(?:xlsx|xlsm|ods)$/i;
/** Spreadsheet programs keep such a file beside a workbook that is open. */
const LOCK_NAME = /^(?:~\$|\.~lock\.)/;

export const isBookName = (name: string): boolean => BOOK_NAME.test(name) && !LOCK_NAME.test(name);

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** What a workbook holds, by the names of its worksheets. */
export interface BookContents {
  readonly flows: readonly string[];
  readonly tests: readonly string[];
  /** Visible worksheets that are neither. */
  readonly others: readonly string[];
}

interface ReadBook {
  readonly kind: "book";
  readonly book: Workbook;
  readonly contents: BookContents;
}

interface SeenBook {
  readonly version: string;
  readonly contents: BookContents;
  /** Null when it was let go: pages and formulas take much memory. */
  book: Workbook | null;
  readonly size: number;
}

const NOTHING: BookContents = { flows: [], tests: [], others: [] };
/** By the path of the file; the one that was read last is the last. */
const seen = new Map<string, SeenBook>();
/** So many characters are kept for whoever reads the next worksheet; the last workbook always is. */
const MOST_KEPT = 16 * 1024 * 1024;
/** Of no more files than these is it known what they hold: many names come and go beside a server. */
const MOST_SEEN = 10_000;
/** What a formula takes beside its text, in characters. */
const OF_FORMULA = 100;

/** The worksheets of a workbook's file; null for a file that is none, or that cannot be read. */
export function contentsOf(path: string): BookContents | null {
  const stats = statOf(path);
  if (stats === undefined || !stats.isFile()) {
    seen.delete(path);
    return null;
  }
  const known = seen.get(path);
  if (known?.version === versionOf(stats)) return known.contents;
  // Told by the first bytes of the file: the names of its parts are not needed.
  if (workbookOf(firstBytes(path, 8)) === null) return null;
  const found = bookAt(path);
  return found.kind === "book" ? found.contents : null;
}

/** The workbook at a path, as it is now; what was opened when it is none. */
function bookAt(path: string): ReadBook | Opened {
  // Asked before it is read: what changes meanwhile has another version, and is read again.
  const stats = statOf(path);
  if (stats === undefined) {
    seen.delete(path);
    return openFile(path);
  }
  const version = versionOf(stats);
  const known = seen.get(path);
  if (known?.version === version && known.book !== null)
    return { kind: "book", book: known.book, contents: known.contents };
  const opened = openFile(path);
  if (opened.kind !== "bytes" || workbookOf(opened.bytes) === null) return opened;
  const read = bookOf(opened.bytes);
  keep(path, { version, contents: read.contents, book: read.book, size: sizeOf(read.book) });
  return read;
}

function keep(path: string, fresh: SeenBook): void {
  seen.delete(path);
  seen.set(path, fresh);
  const [oldest] = seen.keys();
  if (seen.size > MOST_SEEN && oldest !== undefined) seen.delete(oldest);
  letGo();
}

function bookOf(bytes: Uint8Array): ReadBook {
  const book = readWorkbook(bytes);
  return { kind: "book", book, contents: sortedOut(book) };
}

function letGo(): void {
  const [last, ...earlier] = [...seen.values()].filter(({ book }) => book !== null).reverse();
  let kept = last?.size ?? 0;
  for (const one of earlier) {
    kept += one.size;
    if (kept > MOST_KEPT) one.book = null;
  }
}

function sizeOf(book: Workbook): number {
  if (book.kind === "bad") return 0;
  let size = 0;
  for (const { page, formulas } of book.worksheets) {
    size += page.length;
    for (const formula of formulas.values())
      size += OF_FORMULA + (typeof formula === "string" ? formula.length : 0);
  }
  return size;
}

export function sortedOut(book: Workbook): BookContents {
  if (book.kind === "bad") return NOTHING;
  const shown = book.worksheets.filter(({ hidden }) => !hidden);
  const flows = shown.filter(({ page }) => findFormat(page, SHEET_WORDS, ",").header !== null);
  const rest = shown.filter((one) => !flows.includes(one));
  const tests = rest.filter(({ page }) => findFormat(page, TEST_WORDS, ",").header !== null);
  // One that is nearly a sheet tells what it lacks.
  const nearly = flows.length + tests.length === 0 ? rest.filter(hasRequired).slice(0, 1) : [];
  const names = (worksheets: readonly Worksheet[]): readonly string[] => worksheets.map(({ name }) => name);
  const others = rest.filter((one) => !tests.includes(one) && !nearly.includes(one));
  return { flows: names([...flows, ...nearly]), tests: names(tests), others: names(others) };
}

function hasRequired({ page }: Worksheet): boolean {
  const { first } = findFormat(page, SHEET_WORDS, ",");
  const columns = (first?.cells ?? []).map((cell) => SHEET_WORDS.named(cell));
  return REQUIRED.some((required) => columns.includes(required));
}

/** Opens a sheet: a file of text, or one worksheet of a workbook as the text of its page. */
export function openSheet(path: string): Opened {
  const named = worksheetNamed(path);
  const [file, worksheet] =
    named === null || statOf(path) !== undefined ? [path, null] : [named.book, named.worksheet];
  const found = bookAt(file);
  return found.kind === "book" ? openPage(pageOf(file, found, worksheet)) : found;
}

/** What was read from no file, as a sheet: bytes of a workbook become those of a page. */
export function asSheet(opened: Opened): Opened {
  if (opened.kind !== "bytes" || workbookOf(opened.bytes) === null) return opened;
  return openPage(pageOf(null, bookOf(opened.bytes), null));
}

/** The page that is meant, or why none is. */
function pageOf(
  path: string | null,
  { book, contents: { flows, tests, others } }: ReadBook,
  worksheet: string | null,
): BookPage | string {
  if (book.kind === "bad") return book;
  const tooLarge = book.worksheets.find(({ excess }) => excess !== null);
  const wanted = worksheet ?? flows[0] ?? tests[0] ?? tooLarge?.name;
  if (wanted === undefined) return { kind: "none", looked: others };
  if (worksheet === null && flows.length > 1) {
    const names = flows.map((name) => JSON.stringify(name)).join(", ");
    const cure = path === null ? "give the file in place of its content" : "name one after the file";
    return `several of its worksheets hold graphs: ${names}; ${cure}, such as ${basename(path ?? "book.xlsx")}!${flows[0]}`;
  }
  const found = book.worksheets.find(({ name }) => name === wanted);
  if (found === undefined) return `it has no worksheet ${JSON.stringify(wanted)}`;
  return { kind: "worksheet", worksheet: found };
}

function openPage(page: BookPage | string): Opened {
  if (typeof page === "string") return { kind: "failed", why: page, missing: false };
  const text = page.kind === "worksheet" ? page.worksheet.page : "";
  // Behind a byte order mark, so that no other encoding is taken for its.
  return { kind: "bytes", bytes: Buffer.from(`\ufeff${text}`), book: page };
}

/**
 * The sheets of a workbook, as paths: the file itself when it holds one sheet of graphs, otherwise the file and the
 * name of the worksheet, `support.xlsx!Triage`. Sheets of tests always have that name.
 */
export function sheetsOfBook(path: string): {
  readonly flows: readonly string[];
  readonly tests: readonly string[];
} {
  const contents = contentsOf(path);
  if (contents === null) return { flows: [path], tests: [] };
  const { flows, tests } = contents;
  const named = (name: string): string => `${path}!${name}`;
  const own = flows.length > 1 ? flows.map(named) : flows.length === 1 || tests.length === 0 ? [path] : [];
  return { flows: own, tests: tests.map(named) };
}

/** All worksheets of the workbook that a sheet stands in; none for a sheet of text, or what cannot be read. */
export function worksheetsBeside(path: string): readonly Worksheet[] {
  const file = filePathOf(path);
  const found = contentsOf(file) === null ? null : bookAt(file);
  return found?.kind === "book" && found.book.kind === "workbook" ? found.book.worksheets : [];
}

/** True for a worksheet of tests, by its path. */
export function isTestWorksheet(path: string): boolean {
  const named = worksheetNamed(path);
  return named !== null && (contentsOf(named.book)?.tests.includes(named.worksheet) ?? false);
}

/** The path of the file that a sheet's path leads to. */
export function filePathOf(path: string): string {
  const named = worksheetNamed(path);
  return named === null || statOf(path) !== undefined ? path : named.book;
}

/** True for a file that holds sheets, by its name. */
export const isSheetPath = (path: string): boolean => /\.csv$/i.test(path) || isWorksheetPath(path);

/** True for a workbook, and for one of its worksheets, by their names. */
export const isWorksheetPath = (path: string): boolean =>
  isBookName(basename(worksheetNamed(path)?.book ?? path));
