import { error, quote, warning } from "./rule.js";

const SAVE = 'in the spreadsheet program, save the sheet with the workflows as "CSV UTF-8"';

/** File formats that people use instead of CSV, with advice. */
const OTHER_FILES = {
  xlsx: { is: "an Excel workbook", cure: SAVE },
  xls: { is: "a workbook of an older Excel, or one with a password", cure: SAVE },
  ods: { is: "a workbook of LibreOffice or another office program (.ods)", cure: SAVE },
  zip: { is: "a ZIP archive", cure: "take the sheet out of it" },
  "quoted-lines": {
    is: "a table whose lines stand in quotes as a whole, so that each row is one cell",
    cure: "export it again without quotes around whole lines",
  },
  html: {
    is: "a web page (HTML), whatever its name says",
    cure: "when it shows the table, open it in a spreadsheet program and save it as .xlsx; a page that asks to sign in is not the sheet",
  },
  "xml-table": {
    is: "a table in XML",
    cure: "open it in a spreadsheet program, and save it as an Excel workbook (.xlsx)",
  },
  markdown: { is: "a table in Markdown", cure: "write it as CSV, with commas between the cells" },
} as const;

/** What is wrong with a file, its header and its rows. */
export const ofFile = {
  "not-utf8": error<{ offset: number; byte: number } | { wide: string }>(
    (p) =>
      "wide" in p
        ? "the file seems to be UTF-16, but no byte order mark says so"
        : `the file is neither UTF-8 nor UTF-16: byte 0x${p.byte.toString(16).padStart(2, "0")} at offset ${p.offset}`,
    (p) =>
      "wide" in p
        ? `save it as "CSV UTF-8"; or convert it with --fix; or pass --encoding ${p.wide}`
        : 'in Excel, save it as "CSV UTF-8 (Comma delimited)"; or convert it with --fix; or pass --encoding windows-1252',
  ),
  "not-csv": error<{ what: keyof typeof OTHER_FILES }>(
    (p) => `the file is no CSV: it is ${OTHER_FILES[p.what].is}`,
    (p) => OTHER_FILES[p.what].cure,
  ),
  "bad-workbook": error<{ why: string }>(
    (p) => `the workbook cannot be read: ${p.why}`,
    () => "open it in a spreadsheet program, and save it as an Excel workbook (.xlsx)",
  ),
  "formula-without-value": error<Record<never, never>>(
    () => "the cell holds a formula that has no value yet",
    () => "open the workbook in a spreadsheet program and save it: that works the value out",
  ),
  "merged-cells": warning<{ cells: string }>(
    (p) => `the cells ${p.cells} are merged: only the first of them holds the value`,
    () => "undo the merge, and write the value into every row; only graph_name may be merged downwards",
  ),
  "empty-sheet": error<{ rows: string }>(
    () => "the sheet has no data row",
    (p) => `write a header row and ${p.rows}`,
  ),
  "sheet-too-large": error<{ what: string; limit: string }>(
    (p) => `the sheet is too large: ${p.what}`,
    (p) => `the limit is ${p.limit}`,
  ),
  "missing-column": error<{
    columns: readonly string[];
    headerRow: number | null;
    required: string;
    /** The worksheets of a workbook none of which is a sheet. */
    looked?: readonly string[];
  }>(
    (p) =>
      p.looked === undefined
        ? `the header has no column ${p.columns.map(quote).join(" and no column ")}`
        : `no worksheet has a header with the columns ${p.columns.map(quote).join(" and ")}`,
    (p) =>
      p.looked !== undefined
        ? `looked at: ${p.looked.slice(0, 20).map(quote).join(", ") || "no worksheet that is to be seen"}`
        : p.headerRow === null
          ? `the first row must name the columns; ${p.required} required`
          : `the header seems to be in row ${p.headerRow}: delete the rows above it, or start each of them with "# "`,
  ),
  "duplicate-column": error<{ text: string; column: string; first: string }>(
    (p) => `two columns mean ${p.column}: ${quote(p.first)} and ${quote(p.text)}`,
    () => 'remove one of them, or start its header with "#" to keep it private',
  ),
  "bad-quote": error<{ what: "unclosed" | "inside" | "after" }>(
    (p) =>
      ({
        unclosed: "a quoted cell is opened here and never closed",
        inside: "a quote stands inside a cell that does not begin with one",
        after: "text follows the closing quote of a cell",
      })[p.what],
    (p) =>
      p.what === "unclosed"
        ? 'close the cell with a quote (")'
        : 'put the whole cell in quotes and write each quote inside it twice: "say ""hello"""',
  ),
  "long-row": error<{ cells: number; columns: number; cure: "comma" | "quotes" | null }>(
    (p) => `the row has ${p.cells} cells, the header has ${p.columns}`,
    (p) =>
      p.cure === "comma"
        ? "an empty cell before this one is too many: remove a comma"
        : 'a cell that holds the sign between the cells, such as a comma, must stand in quotes: "Hello, Ada"',
  ),
  "spreadsheet-error": error<{ value: string; isPrompt?: boolean }>(
    (p) => `the cell holds the spreadsheet's error ${p.value}`,
    (p) =>
      p.isPrompt === true && p.value === "#NAME?"
        ? "a spreadsheet has computed the formula of this node: write it without =, and save the sheet again"
        : "mend the formula in the spreadsheet and save the sheet again",
  ),
};
