import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import { readRecordsOf } from "./page-records.js";

const worksheetsOf = (file: string) => {
  const read = readWorkbook(readFileSync(join(import.meta.dirname, "written", file)));
  if (read.kind === "bad") throw new Error(read.why);
  return read.worksheets;
};

/** What each odd cell says: `odd.py` writes the name of a cell beside it. The guide has this table in words. */
const SAYS: readonly (readonly [name: string, text: string])[] = [
  ["a date", "2026-11-22"],
  ["a date and a time", "2026-11-22T12:30:00"],
  ["a time", "18:00:00"],
  ["a duration", "1.5"],
  ["50 %", "0.5"],
  ["zeros in front", "007"],
  ["a currency", "1234.5"],
  ["a very large number", "1e+21"],
  ["a very small number", "1.5e-7"],
  ["16 digits", "1234567890123456"],
  ["text of digits", "0042"],
  ["a date as text", "22.11.2026"],
  ["blanks", "  a  "],
  ["line breaks", "a\nb"],
  ["signs of XML", '<a & "b">'],
  ["what looks escaped", "_x000D_"],
  ["TRUE", "true"],
  ["FALSE", "false"],
  ["rich text", "bold and plain"],
  ["a formula", "3"],
  ["an error", "#N/A"],
  ["a text formula", "ab"],
  ["a hidden row", "seen"],
  ["merged", "both"],
];

/** What a program itself writes otherwise: this one no values of formulas, nor an escape for what looks like one. */
const OPENPYXL = { "what looks escaped": "\r", "a formula": "", "a text formula": "" };
/** It keeps 15 digits in an .xlsx. */
const LIBREOFFICE = { "16 digits": "1234567890123460" };

test.each<[string, { readonly [name: string]: string }]>([
  ["odd-xlsxwriter.xlsx", {}],
  ["odd-openpyxl.xlsx", OPENPYXL],
  ["odd-libreoffice.ods", {}],
  ["odd-libreoffice.xlsx", LIBREOFFICE],
])("the odd cells of %s", (file, others) => {
  const [odd, hidden] = worksheetsOf(file);
  const rows = readRecordsOf(odd?.page ?? "");
  expect(rows.map(([name, text]) => [name, text])).toEqual(
    SAYS.map(([name, text]) => [name, others[name] ?? text]),
  );
  expect(rows[0]?.[4]).toBe("a hidden column");
  expect(odd?.merges).toEqual([{ top: 23, left: 1, bottom: 23, right: 2 }]);
  expect(odd?.valueless).toEqual(file.includes("openpyxl") ? ["B20", "B22"] : []);
  expect(hidden).toMatchObject({ name: "Hidden", hidden: true, page: "" });
});

test("a workbook that counts its days from 1904", () => {
  expect(worksheetsOf("odd-1904.xlsx")[0]?.page).toBe("2026-11-22\n");
});
