import { expect, test } from "vitest";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import { zipOf } from "./made.js";

const SPACES = 'xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s" xmlns:calcext="c"';

function odsOf(tables: string, styles = ""): Uint8Array {
  const content = `<office:document-content ${SPACES}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`;
  return zipOf([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.spreadsheet", stored: true },
    { name: "content.xml", content },
  ]);
}

const read = (rows: string, styles?: string) => {
  const book = readWorkbook(
    odsOf(`<table:table table:name="S" table:style-name="ta1">${rows}</table:table>`, styles),
  );
  if (book.kind === "bad") throw new Error(book.why);
  return book.worksheets[0]!;
};
const cell = (attributes: string, inner = ""): string =>
  read(`<table:table-row><table:table-cell ${attributes}>${inner}</table:table-cell></table:table-row>`).page;

test.each([
  [
    'office:value-type="string"',
    "<text:p>a<text:s text:c='2'/>b<text:tab/><text:span>c</text:span></text:p><text:p>d</text:p>",
    '"a  b\tc\nd"\n',
  ],
  [
    'office:value-type="string"',
    "<office:annotation><text:p>a note</text:p></office:annotation><text:p>x</text:p>",
    "x\n",
  ],
  ['office:value-type="float" office:value="7"', "<text:p>007</text:p>", "007\n"],
  ['office:value-type="percentage" office:value="0.5"', "<text:p>50 %</text:p>", "0.5\n"],
  [
    'office:value-type="date" office:date-value="2026-11-22T12:00:00"',
    "<text:p>22.11.26</text:p>",
    "2026-11-22T12:00:00\n",
  ],
  ['office:value-type="time" office:time-value="PT12H00M00S"', "<text:p>12:00</text:p>", "12:00:00\n"],
  [
    'office:value-type="time" office:time-value="PT23H59M59.99136S"',
    "<text:p>23:59:59</text:p>",
    "23:59:59\n",
  ],
  ['office:value-type="time" office:time-value="PT36H00M00S"', "<text:p>36:00</text:p>", "1.5\n"],
  ['office:value-type="boolean" office:boolean-value="false"', "<text:p>FALSCH</text:p>", "false\n"],
  [
    'office:value-type="string" calcext:value-type="error" table:formula="of:=NA()"',
    "<text:p>#N/A</text:p>",
    "#N/A\n",
  ],
])("%s", (attributes, inner, text) => {
  expect(cell(attributes, inner)).toBe(text);
});

test("repeated cells and rows, merges, formulas, and a hidden table", () => {
  const one = '<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>';
  const rows =
    `<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2"/>${one}</table:table-row>` +
    '<table:table-row><table:table-cell table:number-rows-spanned="2" table:formula="of:=[.A1]"/><table:covered-table-cell/></table:table-row>' +
    '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
  const sheet = read(rows);
  expect(sheet.page).toBe(",,x\n,,x\n");
  expect(sheet.merges).toEqual([{ top: 2, left: 0, bottom: 3, right: 0 }]);
  expect([...sheet.formulas]).toEqual([["A3", "A1"]]);
  expect(sheet.valueless).toEqual(["A3"]);
  const hidden =
    '<style:style style:name="ta1"><style:table-properties table:display="false"/></style:style>';
  expect(read(rows, hidden)).toMatchObject({ hidden: true, page: "" });
});

test("repeats that multiply are refused, and a password", () => {
  const one = '<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>';
  const wide = one.replace("office", 'table:number-columns-repeated="16384" office');
  expect(read(`<table:table-row>${wide}</table:table-row>`).excess?.what).toBe(
    "it has more than 200 columns: there is a value in GS1",
  );
  const high = `<table:table-row table:number-rows-repeated="1048576">${one}</table:table-row>`;
  expect(read(high).excess?.what).toBe("it has more than 100,000 rows");
  const secret = zipOf([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.spreadsheet", stored: true },
    { name: "content.xml", content: "garbage" },
    { name: "META-INF/manifest.xml", content: "<manifest:encryption-data/>" },
  ]);
  expect(readWorkbook(secret)).toMatchObject({
    kind: "bad",
    why: "it is encrypted: save it without a password",
  });
});
