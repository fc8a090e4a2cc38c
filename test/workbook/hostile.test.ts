import { describe, expect, test } from "vitest";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import { inCi } from "../how-many.js";
import { processorTime } from "../processor-time.js";
import { bombs } from "./bombs.js";
import { bookOf, type MadePart, partsOf, rowsOf, zipOf } from "./made.js";

const data = rowsOf([
  ["graph_name", "node_name"],
  ["Hello", "Greet"],
]);
const plain = (): MadePart[] => partsOf({ sheets: [{ name: "S", data }] });
const withPart = (name: string, change: Partial<MadePart>): Uint8Array =>
  zipOf(plain().map((part) => (part.name === name ? { ...part, ...change } : part)));
const SHEET = "xl/worksheets/sheet1.xml";
const MB = 1024 * 1024;
/** It takes seconds to pack them. */
const HUGE = /of 400 MB|lies of its size/;

function refused(bytes: Uint8Array): string {
  const began = processorTime();
  const read = readWorkbook(bytes);
  expect(processorTime() - began).toBeLessThan(10_000);
  return read.kind === "bad" ? `${read.code}: ${read.why}` : "read";
}

const zeros = (size: number): Uint8Array => new Uint8Array(size);
const wholeSheet = (inner: string): string =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${inner}</sheetData></worksheet>`;

describe("hostile workbooks are refused", () => {
  test("the plain one is read", () => {
    expect(refused(zipOf(plain()))).toBe("read");
    expect(refused(zipOf(plain(), "a comment"))).toBe("read");
  });

  test("no archive, an empty file, other bytes", () => {
    for (const bytes of [
      new Uint8Array(0),
      Buffer.from("PK"),
      Buffer.from("PK\x03\x04"),
      Buffer.from("graph_name,node_name"),
    ])
      expect(refused(bytes)).toBe("bad-workbook: it is cut off or damaged: its directory is missing");
  });

  test("an old or encrypted workbook", () => {
    const ole = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...zeros(600)]);
    expect(refused(ole)).toContain("save it as .xlsx without a password");
    const holding = (name: string) => refused(Buffer.concat([ole, Buffer.from(name, "utf16le"), zeros(600)]));
    expect(holding("EncryptedPackage")).toBe(
      "bad-workbook: it has a password: save it as .xlsx without a password",
    );
    expect(holding("Workbook")).toBe(
      "bad-workbook: it is a workbook of an older Excel (.xls): save it as .xlsx",
    );
    expect(holding("WordDocument")).toBe("bad-workbook: it is a document of Word, and no workbook");
  });

  test("an archive that is no workbook, and a document of another kind", () => {
    expect(refused(zipOf([{ name: "a.txt", content: "a" }]))).toBe(
      "bad-workbook: it is a ZIP archive, and no workbook",
    );
  });

  test("a bomb: the size in the directory is enough", () => {
    expect(refused(withPart(SHEET, { content: zeros(120 * MB) }))).toBe(
      `sheet-too-large: its part "${SHEET}" has 120 MB`,
    );
  });

  test("parts that are too large together", () => {
    expect(refused(bombs["parts of 104 MB together"]())).toBe(
      "sheet-too-large: its parts have more than 100 MB together",
    );
  });

  test.each(Object.entries(bombs).filter(([name]) => inCi || !HUGE.test(name)))("a bomb: %s", (_, made) => {
    const read = readWorkbook(made());
    const isRefused = read.kind === "bad" || read.worksheets.every(({ excess }) => excess !== null);
    expect(isRefused).toBe(true);
  });

  test("what is packed as only a bomb is, and elements within elements", () => {
    expect(refused(withPart(SHEET, { content: wholeSheet(`<row/>${" ".repeat(20 * MB)}`) }))).toMatch(
      /^sheet-too-large: its part "xl\/worksheets\/sheet1.xml" has 21 MB, packed into \d\d kB$/,
    );
    expect(refused(withPart(SHEET, { content: `${"<a>".repeat(201)}${"</a>".repeat(201)}` }))).toBe(
      `bad-workbook: its part "${SHEET}" holds more than 200 elements within each other`,
    );
  });

  test("an element with more attributes than any program writes", () => {
    const attributes = (count: number) => Array.from({ length: count }, (_, i) => ` a${i}=""`).join("");
    expect(refused(withPart(SHEET, { content: wholeSheet(`<row${attributes(300_000)}/>`) }))).toBe(
      `bad-workbook: its part "${SHEET}" holds an element with more than 1000 attributes`,
    );
    const many = `<x${attributes(1000)}/>`.repeat(3);
    expect(refused(withPart(SHEET, { content: wholeSheet(many) }))).toBe("read");
  });

  test("100,001 formats of cells", () => {
    expect(refused(bookOf({ sheets: [{ name: "S", data }], styles: "<xf/>".repeat(100_000) }))).toBe(
      "sheet-too-large: it has more than 100,000 formats of cells",
    );
  });

  test("parts that nobody opens may be large, strange, and climb out of the folder", () => {
    const more = [
      { name: "../../etc/passwd", content: "root" },
      { name: "/xl/media/image1.png", content: zeros(60 * MB) },
      { name: "xl/vbaProject.bin", content: "a macro" },
    ];
    expect(refused(zipOf([...plain(), ...more]))).toBe("read");
  });

  test("sizes and checksums that lie", () => {
    const what = `bad-workbook: its part "${SHEET}" is`;
    expect(refused(withPart(SHEET, { size: 10 }))).toBe(`${what} cut off or damaged`);
    expect(refused(withPart(SHEET, { size: 10_000 }))).toBe(
      `${what} damaged: it is not what the directory says`,
    );
    expect(refused(withPart(SHEET, { crc: 1 }))).toBe(`${what} damaged: it is not what the directory says`);
    expect(refused(withPart(SHEET, { size: 10, content: zeros(45 * MB) }))).toBe(
      `${what} cut off or damaged`,
    );
  });

  test("ZIP64, encrypted parts, and other ways to pack", () => {
    expect(refused(withPart(SHEET, { size: 0xffffffff }))).toBe("bad-workbook: it is a ZIP64 archive");
    expect(refused(withPart(SHEET, { flags: 1 }))).toContain("is encrypted: save it without a password");
    expect(refused(withPart(SHEET, { method: 14 }))).toContain("packed in a way that is not known here");
  });

  test("two parts of one name", () => {
    expect(refused(zipOf([...plain(), { name: "XL/Worksheets/Sheet1.xml", content: "" }]))).toContain(
      "two of its parts",
    );
  });

  test("5,001 parts", () => {
    const more = Array.from({ length: 5001 }, (_, i) => ({ name: `a${i}`, content: "", stored: true }));
    expect(refused(zipOf([...plain(), ...more]))).toBe("sheet-too-large: it has 5,007 parts");
  });

  test("cut files", () => {
    const whole = zipOf(plain());
    for (let length = 0; length < whole.length; length += 97)
      expect(refused(whole.subarray(0, length))).toContain("bad-workbook");
  });

  test("a document type, before an entity is read", () => {
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
      "",
    );
    const content = `<!DOCTYPE a [<!ENTITY l0 "lol">${laughs}]>${wholeSheet('<row r="1"><c r="A1" t="str"><v>&l9;</v></c></row>')}`;
    expect(refused(withPart(SHEET, { content }))).toContain("holds a document type, which no workbook has");
    const file = `<!DOCTYPE a SYSTEM "file:///etc/passwd">${wholeSheet("")}`;
    expect(refused(withPart(SHEET, { content: file }))).toContain("holds a document type");
  });

  test("what is no XML, and bytes that are no text", () => {
    expect(refused(withPart(SHEET, { content: "<worksheet><sheetData>" }))).toContain("is no XML");
    expect(refused(withPart(SHEET, { content: wholeSheet("&unknown;") }))).toContain("is no XML");
    expect(refused(withPart(SHEET, { content: Uint8Array.from([0x3c, 0x61, 0xff, 0x3e]) }))).toContain(
      "that are no text",
    );
    expect(refused(withPart(SHEET, { content: "<a>".repeat(200) }))).toContain("is no XML");
  });

  test("a missing worksheet, a missing shared text, rows and cells that go backwards", () => {
    expect(refused(zipOf(plain().filter(({ name }) => name !== SHEET)))).toContain(
      `part "${SHEET}" is missing`,
    );
    const cells = (inner: string): string => refused(withPart(SHEET, { content: wholeSheet(inner) }));
    expect(cells('<row r="1"><c r="A1" t="s"><v>7</v></c></row>')).toContain(
      "its cell S!A1 means a text that is not there",
    );
    expect(cells('<row r="1"/><row r="1"/>')).toContain("has row 1 twice, or its rows go backwards");
    expect(cells('<row r="1"><c r="B1"/><c r="A1"/></row>')).toContain(
      "has cell A1 twice, or its cells go backwards",
    );
    expect(cells('<row r="1"><c r="A2"/></row>')).toContain("outside of its row");
    for (const value of ["x", "0x10", "0b1", "Infinity", "1e400"])
      expect(cells(`<row r="1"><c r="A1"><v>${value}</v></c></row>`)).toContain(
        "its cell S!A1 should hold a number",
      );
    expect(cells('<row r="0"/>')).toContain("has a row");
    expect(cells('<row r="1"><c r="=1"/></row>')).toContain("is no name of a cell");
  });

  test("shared texts that multiply", () => {
    const texts = `<si><t>${"x".repeat(900_000)}</t></si>`;
    const rows = Array.from(
      { length: 80_000 },
      (_, i) => `<row r="${i + 1}"><c r="A${i + 1}" t="s"><v>0</v></c></row>`,
    );
    expect(refused(bookOf({ sheets: [{ name: "S", data: rows.join("") }], texts }))).toBe(
      "sheet-too-large: its cells hold more than 50 MB of text",
    );
  });

  test("101 worksheets, and two of one name", () => {
    const sheets = Array.from({ length: 101 }, (_, i) => ({ name: `S${i}`, data: "" }));
    expect(refused(bookOf({ sheets }))).toContain("more than 100 worksheets");
    expect(
      refused(
        bookOf({
          sheets: [
            { name: "A", data },
            { name: "a", data },
          ],
        }),
      ),
    ).toContain("have the same name");
  });

  test("10,001 merged cells", () => {
    const merges = Array.from({ length: 10_001 }, (_, i) => `<mergeCell ref="A${i + 1}:B${i + 1}"/>`).join(
      "",
    );
    const after = `<mergeCells>${merges}</mergeCells>`;
    expect(refused(bookOf({ sheets: [{ name: "S", data, after }] }))).toContain(
      "more than 10,000 merged cells",
    );
  });
});

describe("a worksheet that is too large ends there, the others are read", () => {
  const excessOf = (inner: string) => {
    const read = readWorkbook(
      bookOf({
        sheets: [
          { name: "S", data: inner },
          { name: "T", data },
        ],
      }),
    );
    return read.kind === "workbook" && read.worksheets.map(({ excess }) => excess?.what ?? null);
  };

  test.each([
    [
      "a column far away",
      '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
      "it has more than 200 columns: there is a value in XFD1048576",
    ],
    [
      "a row far below",
      '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>',
      "it has more than 100,000 rows: there is a value in A1048576",
    ],
    [
      "a long text",
      `<row r="1"><c r="A1" t="str"><v>${"x".repeat(MB + 1)}</v></c></row>`,
      "its cell A1 holds more than 1 MB",
    ],
  ])("%s", (_, inner, what) => {
    expect(excessOf(inner)).toEqual([what, null]);
  });
});
