import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import { writeCells } from "../../compiler/1-parse/workbook/write-cells.js";
import { openArchive, packedRange } from "../../compiler/1-parse/workbook/zip.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { bookOf, type MadeBook, partsOf, rowsOf, zipOf } from "./made.js";
import { readRecordsOf } from "./page-records.js";

const part = "xl/worksheets/sheet1.xml";

/** The packed bytes of each part, by its name. */
function packedParts(bytes: Uint8Array): ReadonlyMap<string, Buffer> {
  const archive = openArchive(bytes);
  return new Map(
    [...archive.parts.values()].map((one) => {
      const { start, end } = packedRange(archive, one);
      return [one.name, Buffer.from(bytes.subarray(start, end))];
    }),
  );
}

const pageOf = (bytes: Uint8Array): readonly (readonly string[])[] => {
  const read = readWorkbook(bytes);
  if (read.kind === "bad") throw new Error(read.why);
  return readRecordsOf(read.worksheets[0]?.page ?? "");
};

const edited = (book: MadeBook, edits: readonly { row: number; column: number; text: string }[]) =>
  pageOf(
    writeCells(
      bookOf(book),
      edits.map((edit) => ({ part, ...edit })),
    ),
  );

test.each(["_xmlsignatures/origin.sigs", "META-INF/documentsignatures.xml", "META-INF/macrosignatures.xml"])(
  "a workbook that is signed is not written: %s",
  async (name) => {
    const row = "graph_name,node_name,agent_typ,prompt".split(",");
    const made = partsOf({ sheets: [{ name: "S", data: rowsOf([row, ["A", "B", "echo", "Hello"]]) }] });
    const bytes = zipOf([...made, { name, content: "<signatures/>" }]);
    const why = "it is signed, and a change would break the signature: save a copy without it first";
    expect(() => writeCells(bytes, [{ part, row: 0, column: 2, text: "agent_type" }])).toThrow(why);
    const cwd = createFolder();
    writeFileSync(join(cwd, "flows.xlsx"), bytes);
    const { stderr } = await flowsheet(["validate", "flows.xlsx", "--fix=unsafe"], { cwd });
    expect(stderr).toContain(why);
    expect(readFileSync(join(cwd, "flows.xlsx")).equals(bytes)).toBe(true);
  },
);

describe("writing cells", () => {
  test("only the part of the worksheet changes, macros and all else stay byte for byte", () => {
    const sheets = [
      {
        name: "S",
        data: rowsOf([
          ["a", "b"],
          ["c", "d"],
        ]),
      },
      { name: "T", data: rowsOf([["x"]]) },
    ];
    const more = [{ name: "xl/vbaProject.bin", content: "macro", stored: true }];
    const before = zipOf(partsOf({ sheets, more }), "a comment");
    const after = writeCells(before, [{ part, row: 1, column: 1, text: 'E & <f> "g"\n' }]);
    expect(pageOf(after)).toEqual([
      ["a", "b"],
      ["c", 'E & <f> "g"\n'],
    ]);
    const [was, is] = [packedParts(before), packedParts(after)];
    expect([...is.keys()]).toEqual([...was.keys()]);
    expect([...was].filter(([name, bytes]) => !is.get(name)?.equals(bytes)).map(([name]) => name)).toEqual([
      part,
    ]);
    expect(Buffer.from(after).toString("latin1")).toMatch(/a comment$/);
  });

  test("cells and rows that are not there yet", () => {
    const data = '<row r="2"><c r="B2"><v>1</v></c></row><row r="5"/>';
    const book = { sheets: [{ name: "S", data }] };
    expect(
      edited(book, [
        { row: 0, column: 0, text: "A1" },
        { row: 1, column: 0, text: "A2" },
        { row: 1, column: 2, text: "C2" },
        { row: 1, column: 3, text: "D2" },
        { row: 4, column: 1, text: "B5" },
        { row: 4, column: 0, text: "A5" },
        { row: 6, column: 0, text: "A7" },
      ]),
    ).toEqual([
      ["A1", "", "", ""],
      ["A2", "1", "C2", "D2"],
      [""],
      [""],
      ["A5", "B5", "", ""],
      [""],
      ["A7", "", "", ""],
    ]);
  });

  test("an empty worksheet, with and without an end tag", () => {
    for (const xml of ["<sheetData/>", "<sheetData></sheetData>"]) {
      const parts = partsOf({ sheets: [{ name: "S", data: "" }] }).map((one) =>
        one.name === part
          ? { ...one, content: String(one.content).replace("<sheetData></sheetData>", xml) }
          : one,
      );
      const bytes = writeCells(zipOf(parts), [
        { part, row: 2, column: 0, text: "A3" },
        { part, row: 0, column: 0, text: "A1" },
      ]);
      expect(pageOf(bytes)).toEqual([["A1"], [""], ["A3"]]);
    }
  });

  test("the style stays, an empty text empties, and odd characters survive", () => {
    const data = '<row r="1"><c r="A1" s="3" t="s"><v>0</v></c><c r="B1" s="2"/></row>';
    const book = { sheets: [{ name: "S", data }], texts: "<si><t>x</t></si>" };
    const odd = "a\rb_x000D_\u0001 \ud83d\ude00\ud800";
    const bytes = writeCells(bookOf(book), [
      { part, row: 0, column: 0, text: "" },
      { part, row: 0, column: 1, text: odd },
    ]);
    const read = readWorkbook(bytes);
    expect(read.kind === "workbook" && read.worksheets[0]?.page).toBe(`,"${odd}"\n`);
  });
});
