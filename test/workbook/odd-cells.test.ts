import { describe, expect, test } from "vitest";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import { bookOf, type MadeBook, zipOf } from "./made.js";
import { readRecordsOf } from "./page-records.js";

function worksheetOf(book: MadeBook) {
  const read = readWorkbook(bookOf(book));
  if (read.kind === "bad") throw new Error(read.why);
  const [sheet] = read.worksheets;
  return sheet!;
}

/** What the page has for one cell, which stands in B2. */
const saysOf = (cell: string, more: Partial<MadeBook> = {}): string => {
  const data = `<row r="2">${cell}</row>`;
  return readRecordsOf(worksheetOf({ sheets: [{ name: "S", data }], ...more }).page)[1]?.[1] ?? "";
};

const texts =
  '<si><t>shared</t></si><si><r><rPr><b/></rPr><t>bold</t></r><r><t xml:space="preserve"> and plain</t></r></si>' +
  '<si><t>漢字</t><rPh sb="0" eb="2"><t>かんじ</t></rPh></si><si><t xml:space="preserve">  kept  </t></si><si/>';
const formats =
  '<numFmt numFmtId="164" formatCode="000"/><numFmt numFmtId="165" formatCode="dd\\.mm\\.yyyy"/>' +
  '<numFmt numFmtId="166" formatCode="[h]:mm"/><numFmt numFmtId="167" formatCode="0.00&quot; days&quot;"/>' +
  '<numFmt numFmtId="168" formatCode="[Red]#,##0.00\\ [$EUR]"/><numFmt numFmtId="169" formatCode="[$-409]h:mm\\ AM/PM"/>';
const ids = [9, 14, 22, 21, 46, 164, 165, 166, 167, 168, 169, 49];
const styles = ids.map((id) => `<xf numFmtId="${id}"/>`).join("");
const s = (id: number): number => ids.indexOf(id) + 1;
const number = (value: string, format = 0): string =>
  `<c r="B2"${format === 0 ? "" : ` s="${s(format)}"`}><v>${value}</v></c>`;

describe("what a cell says", () => {
  test.each([
    ["text", '<c r="B2" t="s"><v>0</v></c>', "shared"],
    ["rich text, its runs joined", '<c r="B2" t="s"><v>1</v></c>', "bold and plain"],
    ["text with hints of how it is spoken", '<c r="B2" t="s"><v>2</v></c>', "漢字"],
    ["white space", '<c r="B2" t="s"><v>3</v></c>', "  kept  "],
    ["an empty shared text", '<c r="B2" t="s"><v>4</v></c>', ""],
    ["inline text", '<c r="B2" t="inlineStr"><is><t>inline</t></is></c>', "inline"],
    ["inline rich text", '<c r="B2" t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>', "ab"],
    [
      "an escaped character",
      '<c r="B2" t="inlineStr"><is><t>a_x000D_b_x005F_x000D_c</t></is></c>',
      "a\rb_x000D_c",
    ],
    ["line breaks, quotes and commas", '<c r="B2" t="inlineStr"><is><t>a\n"b", c</t></is></c>', 'a\n"b", c'],
    ["CDATA", '<c r="B2" t="inlineStr"><is><t><![CDATA[<a & b>]]></t></is></c>', "<a & b>"],
    ["an integer", number("1"), "1"],
    ["a large integer", number("1234567890123456"), "1234567890123456"],
    ["a very large number", number("1E+21"), "1e+21"],
    ["a very small number", number("1.5E-7"), "1.5e-7"],
    ["a sum that is not exact", number("0.30000000000000004"), "0.30000000000000004"],
    ["minus zero", number("-0"), "0"],
    ["a percentage", number("0.5", 9), "0.5"],
    ["leading zeros", number("7", 164), "007"],
    ["leading zeros of a negative number", number("-7", 164), "-007"],
    ["a number in a column of texts", number("7", 49), "7"],
    ["a date", number("46348", 14), "2026-11-22"],
    ["a date in a format of its own", number("46348", 165), "2026-11-22"],
    ["a date with a time", number("46348.5", 22), "2026-11-22T12:00:00"],
    ["a time", number("0.5", 21), "12:00:00"],
    ["a time in a format of its own", number("0.75", 169), "18:00:00"],
    ["a time that is not exact", number("0.499999999999", 21), "12:00:00"],
    ["the last moment of a day", number("0.9999999", 21), "23:59:59"],
    ["the last moment of a date", number("46348.9999999", 22), "2026-11-23"],
    ["a duration", number("1.5", 46), "1.5"],
    ["a duration in a format of its own", number("1.5", 166), "1.5"],
    ["words in a format", number("1.5", 167), "1.5"],
    ["a colour and a currency in a format", number("1234.5", 168), "1234.5"],
    ["the first day", number("1", 14), "1900-01-01"],
    ["the day before the one that never was", number("59", 14), "1900-02-28"],
    ["the day after it", number("61", 14), "1900-03-01"],
    ["a negative date", number("-1", 14), "-1"],
    ["a date past the last year", number("2958466", 14), "2958466"],
    ["the last moment of the last year", number("2958465.999999", 22), "2958465.999999"],
    ["a date as text of ISO 8601", '<c r="B2" t="d"><v>2026-11-22T00:00:00</v></c>', "2026-11-22"],
    [
      "a date with a time as such",
      '<c r="B2" t="d"><v>2026-11-22T08:30:00.000</v></c>',
      "2026-11-22T08:30:00",
    ],
    ["TRUE", '<c r="B2" t="b"><v>1</v></c>', "true"],
    ["FALSE", '<c r="B2" t="b"><v>0</v></c>', "false"],
    ["an error", '<c r="B2" t="e"><v>#REF!</v></c>', "#REF!"],
    ["the value of a formula", '<c r="B2"><f>1+1</f><v>2</v></c>', "2"],
    ["the text of a formula", '<c r="B2" t="str"><f>"a"&amp;"b"</f><v>ab</v></c>', "ab"],
    ["the empty text of a formula", '<c r="B2" t="str"><f>""</f><v></v></c>', ""],
    ["the error of a formula", '<c r="B2" t="e"><f>NA()</f><v>#N/A</v></c>', "#N/A"],
    ["a cell with a colour only", '<c r="B2" s="1"/>', ""],
    ["cells that do not say where they are", "<c><v>1</v></c><c><v>2</v></c>", "2"],
  ])("%s", (_, cell, text) => {
    expect(saysOf(cell, { texts, styles, formats })).toBe(text);
  });

  test("dates of a workbook that counts from 1904", () => {
    const more = { styles, formats, is1904: true };
    expect(saysOf(number("0", 14), more)).toBe("1904-01-01");
    expect(saysOf(number("44886", 14), more)).toBe("2026-11-22");
    expect(saysOf(number("44886.25", 22), more)).toBe("2026-11-22T06:00:00");
  });

  test("a formula without a value is told", () => {
    const { valueless, formulas, page } = worksheetOf({
      sheets: [
        {
          name: "S",
          data: '<row r="1"><c r="A1"><f>1+1</f></c><c r="B1"><f>_xlfn.IFS(a,1)</f><v/></c></row>',
        },
      ],
    });
    expect(valueless).toEqual(["A1", "B1"]);
    expect(formulas).toEqual(
      new Map([
        ["A1", "1+1"],
        ["B1", "IFS(a,1)"],
      ]),
    );
    expect(page).toBe("");
  });

  test("a shared formula has its first cell's text where that names no cell", () => {
    const shared = (cell: string, si: number, text = "") =>
      `<c r="${cell}"><f t="shared" si="${si}">${text}</f><v>1</v></c>`;
    const { formulas } = worksheetOf({
      sheets: [
        {
          name: "S",
          data:
            `<row r="1">${shared("A1", 0, "amount*2")}${shared("B1", 1, "D1*2")}</row>` +
            `<row r="2">${shared("A2", 0)}${shared("B2", 1)}</row>`,
        },
      ],
    });
    expect([...formulas]).toEqual([
      ["A1", "amount*2"],
      ["B1", "D1*2"],
      ["A2", "amount*2"],
      ["B2", { filledFrom: "cells" }],
    ]);
  });
});

describe("the page of a worksheet", () => {
  test("record n is row n + 1, gaps included, and all rows are as wide as the widest", () => {
    const data =
      '<row r="2"><c r="A2"><v>1</v></c></row><row r="4" hidden="1"><c r="C4"><v>2</v></c></row>' +
      '<row r="900"><c r="A900" s="1"/></row>';
    const { page } = worksheetOf({ sheets: [{ name: "S", data }], styles });
    expect(page).toBe("\n1,,\n\n,,2\n");
  });

  test("worksheets in their order; hidden ones are named and not read", () => {
    const data = '<row r="1"><c r="A1"><v>1</v></c></row>';
    const read = readWorkbook(
      bookOf({
        sheets: [
          { name: "One", data },
          { name: "Gone", data: "<broken", state: "hidden" },
          { name: "Deep", data, state: "veryHidden" },
          { name: "It&apos;s", data },
        ],
      }),
    );
    expect(
      read.kind === "workbook" && read.worksheets.map(({ name, hidden, page }) => [name, hidden, page]),
    ).toEqual([
      ["One", false, "1\n"],
      ["Gone", true, ""],
      ["Deep", true, ""],
      ["It's", false, "1\n"],
    ]);
  });

  test("merges", () => {
    const after = '<mergeCells count="1"><mergeCell ref="A2:A4"/></mergeCells>';
    const { merges } = worksheetOf({ sheets: [{ name: "S", data: "", after }] });
    expect(merges).toEqual([{ top: 1, left: 0, bottom: 3, right: 0 }]);
  });

  test("prefixes, a strict workbook, and UTF-16", () => {
    const xml =
      '\ufeff<?xml version="1.0" encoding="UTF-16"?><x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main">' +
      '<x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>é</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>';
    const { page } = worksheetOf({
      sheets: [{ name: "S", data: "" }],
      more: [],
    });
    expect(page).toBe("");
    for (const bytes of [
      Buffer.from(xml, "utf16le"),
      Buffer.from(xml, "utf16le").swap16(),
      Buffer.from(xml),
    ]) {
      const read = readWorkbook(strictBook(bytes));
      expect(read).toMatchObject({ kind: "workbook", worksheets: [{ page: "é\n" }] });
    }
  });
});

/** A workbook in the words of the strict standard. */
function strictBook(sheet: Uint8Array): Uint8Array {
  const rels = (kind: string, target: string): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/${kind}" Target="${target}"/></Relationships>`;
  return zipOf([
    { name: "_rels/.rels", content: rels("officeDocument", "xl/workbook.xml") },
    { name: "xl/_rels/workbook.xml.rels", content: rels("worksheet", "../xl/./sheet.xml") },
    {
      name: "xl/workbook.xml",
      content:
        '<b:workbook xmlns:b="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:q="http://purl.oclc.org/ooxml/officeDocument/relationships"><b:sheets><b:sheet name="S" sheetId="1" q:id="a"/></b:sheets></b:workbook>',
    },
    { name: "XL\\Sheet.xml", content: sheet, stored: true },
  ]);
}
