import { SHEET_WORDS } from "../../compiler/1-parse/header/column-names.js";
import { findFormat } from "../../compiler/1-parse/header/find-header.js";
import { type NewSheet, newBook, rowsOf, worksheetName } from "../convert/new-book.js";

/** The files of a project whose sheets are workbooks: each sheet with its cases in a worksheet of their own. */
export interface WithWorkbooks {
  readonly files: ReadonlyMap<string, string>;
  readonly books: ReadonlyMap<string, Uint8Array>;
}

const TESTS = "Tests";

/** Takes the sheets of text out of a project's files, and makes workbooks of them. */
export async function asWorkbooks(rendered: ReadonlyMap<string, string>): Promise<WithWorkbooks> {
  const files = new Map<string, string>();
  const books = new Map<string, Uint8Array>();
  for (const [path, text] of rendered) {
    if (!path.endsWith(".csv")) files.set(path, path.endsWith(".md") ? inWords(text) : text);
    else if (!path.endsWith(".test.csv")) books.set(bookName(path), await bookOf(path, text, rendered));
  }
  return { files, books };
}

const bookName = (path: string): string => path.replace(/\.csv$/, ".xlsx");

function bookOf(path: string, text: string, rendered: ReadonlyMap<string, string>): Promise<Uint8Array> {
  const tests = rendered.get(path.replace(/\.csv$/, ".test.csv"));
  const flows = [sheetOf(worksheetName(path), text)];
  return newBook(tests === undefined ? flows : [...flows, sheetOf(TESTS, tests)]);
}

function sheetOf(name: string, text: string): NewSheet {
  const { delimiter, start } = findFormat(text, SHEET_WORDS);
  return { name, rows: rowsOf({ file: name, text, delimiter, start }) };
}

/** What the project's page says of its files. */
const inWords = (text: string): string =>
  text
    .replaceAll("`workflows/*.test.csv`", `the worksheet ${TESTS} of the same workbook`)
    .replaceAll("workflows/*.csv", "workflows/*.xlsx")
    .replaceAll("workflows/NAME.csv", "workflows/NAME.xlsx");
