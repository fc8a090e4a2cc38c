import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import { readRecordsOf } from "./page-records.js";

const FLOW = [
  ["graph_name", "node_name", "agent_type", "input_fields", "output_field", "prompt"],
  ["Grüße", "Begrüße", "echo", "name", "gruß", 'Hallo {name}, "schön"!\nBis bald 😀'],
];
const NAMES = ["date", "moment", "half", "zeros", "yes", "sum", "large", "text", "spaces"];
const VALUES = [
  "2026-11-22",
  "2026-11-22T12:00:00",
  "0.5",
  "007",
  "true",
  "3",
  "1234567890123456",
  "0042",
  "  a  ",
];

/** Written once by the programs that they are named after; `make.js` and `make.py` say how. */
test.each([
  "exceljs.xlsx",
  "libreoffice.ods",
  "libreoffice.xlsx",
  "openpyxl.xlsx",
  "sheetjs.xlsx",
  "write-excel-file.xlsx",
  "xlsx-populate.xlsx",
])("%s says what its author sees", (file) => {
  const read = readWorkbook(readFileSync(new URL(`./written/${file}`, import.meta.url)));
  if (read.kind === "bad") throw new Error(read.why);
  const [flow, odd] = read.worksheets;
  expect([flow?.name, odd?.name]).toEqual(["Flow", "Odd"]);
  expect(readRecordsOf(flow?.page ?? "")).toEqual(FLOW);
  const [names = [], values = []] = readRecordsOf(odd?.page ?? "");
  expect(names.slice(0, 9)).toEqual(NAMES);
  // LibreOffice writes 15 digits into an .xlsx.
  const seen = file === "libreoffice.xlsx" ? VALUES.with(6, "1234567890123460") : VALUES;
  expect(values.slice(0, 9)).toEqual(seen);
  if (file === "openpyxl.xlsx") expect(odd?.valueless).toEqual(["J2"]);
  if (file === "exceljs.xlsx" || file.startsWith("libreoffice")) expect(odd?.formulas.get("F2")).toBe("1+2");
});
