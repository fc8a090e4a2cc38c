// Writes the workbooks of this folder with the libraries that people use; make.py writes openpyxl.xlsx.
// npm i exceljs@4.4.0 @e965/xlsx@0.20.3 write-excel-file@4.1.1 xlsx-populate@1.21.0, then node make.js <folder>.
// libreoffice.ods and libreoffice.xlsx: soffice --headless --convert-to ods (or xlsx) exceljs.xlsx, LibreOffice 7.4.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const out = process.argv[2] ?? ".";
const FLOW = [
  ["graph_name", "node_name", "agent_type", "input_fields", "output_field", "prompt"],
  ["Grüße", "Begrüße", "echo", "name", "gruß", 'Hallo {name}, "schön"!\nBis bald 😀'],
];
const NAMES = ["date", "moment", "half", "zeros", "yes", "sum", "large", "text", "spaces"];
const day = new Date(Date.UTC(2026, 10, 22));
const noon = new Date(Date.UTC(2026, 10, 22, 12));
const VALUES = [day, noon, 0.5, 7, true, 3, 1234567890123456, "0042", "  a  "];
const FORMATS = ["yyyy-mm-dd", "yyyy-mm-dd hh:mm", "0%", "000", null, null, null, null, null];

async function exceljs() {
  const { default: ExcelJS } = await import("exceljs");
  const book = new ExcelJS.Workbook();
  for (const row of FLOW) (book.getWorksheet("Flow") ?? book.addWorksheet("Flow")).addRow(row);
  const odd = book.addWorksheet("Odd");
  odd.addRow(NAMES);
  odd.addRow(VALUES);
  FORMATS.forEach((format, i) => {
    if (format) odd.getCell(2, i + 1).numFmt = format;
  });
  odd.getCell(2, 6).value = { formula: "1+2", result: 3 };
  odd.getCell(2, 9).value = { richText: [{ text: "  a", font: { bold: true } }, { text: "  " }] };
  await book.xlsx.writeFile(join(out, "exceljs.xlsx"));
}

async function sheetjs() {
  const XLSX = await import("@e965/xlsx");
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(FLOW), "Flow");
  const odd = XLSX.utils.aoa_to_sheet([NAMES, VALUES], { UTC: true });
  FORMATS.forEach((format, i) => {
    if (format) odd[XLSX.utils.encode_cell({ r: 1, c: i })].z = format;
  });
  odd.F2 = { t: "n", v: 3, f: "1+2" };
  XLSX.utils.book_append_sheet(book, odd, "Odd");
  writeFileSync(
    join(out, "sheetjs.xlsx"),
    XLSX.write(book, { type: "buffer", bookType: "xlsx", compression: true }),
  );
}

async function writeExcelFile() {
  const { default: write } = await import("write-excel-file/node");
  const cells = (row) => row.map((value) => ({ value, type: String }));
  const odd = VALUES.map((value, i) =>
    i === 5
      ? { value: 3, type: Number }
      : { value, type: value.constructor, ...(FORMATS[i] ? { format: FORMATS[i] } : {}) },
  );
  await write([
    { data: FLOW.map(cells), sheet: "Flow" },
    { data: [cells(NAMES), odd], sheet: "Odd" },
  ]).toFile(join(out, "write-excel-file.xlsx"));
}

async function xlsxPopulate() {
  const { default: Populate } = await import("xlsx-populate");
  const book = await Populate.fromBlankAsync();
  book.sheet(0).name("Flow").cell("A1").value(FLOW);
  const odd = book.addSheet("Odd");
  odd.cell("A1").value([NAMES, VALUES]);
  FORMATS.forEach((format, i) => {
    if (format)
      odd
        .row(2)
        .cell(i + 1)
        .style("numberFormat", format);
  });
  odd.cell("A2").value(46348).style("numberFormat", FORMATS[0]);
  odd.cell("B2").value(46348.5).style("numberFormat", FORMATS[1]);
  await book.toFileAsync(join(out, "xlsx-populate.xlsx"));
}

for (const make of [exceljs, sheetjs, writeExcelFile, xlsxPopulate]) await make();
