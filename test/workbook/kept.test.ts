import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import type { Worksheet } from "../../compiler/1-parse/workbook/worksheet.js";
import { writeCells } from "../../compiler/1-parse/workbook/write-cells.js";
import { openArchive, packedRange, Unpacker } from "../../compiler/1-parse/workbook/zip.js";
import { flowsheet } from "../cli/run.js";
import { firstSeed } from "../seed.js";
import { bookOf, rowsOf } from "./made.js";
import { createDice } from "./mutate/dice.js";
import { readRecordsOf } from "./page-records.js";

/** Written by other programs, and one by a library with pictures, charts, notes, rules and a table. */
const BOOKS = [
  "exceljs.xlsx",
  "libreoffice.ods",
  "libreoffice.xlsx",
  "openpyxl.xlsx",
  "sheetjs.xlsx",
  "write-excel-file.xlsx",
  "xlsx-populate.xlsx",
  "xlsxwriter.xlsx",
];
const bytesOf = (name: string): Buffer => readFileSync(join(import.meta.dirname, "written", name));

function worksheetsOf(bytes: Uint8Array): readonly Worksheet[] {
  const read = readWorkbook(bytes);
  if (read.kind === "bad") throw new Error(read.why);
  return read.worksheets;
}

/** What each part holds, by its name. */
function contentsOf(bytes: Uint8Array): ReadonlyMap<string, string> {
  const archive = openArchive(bytes);
  const unpacker = new Unpacker(archive);
  return new Map(
    [...archive.parts.values()].map(({ name }) => [
      name,
      Buffer.from(unpacker.open(name) ?? []).toString("latin1"),
    ]),
  );
}

/** The packed bytes of each part, by its name. */
function partsOf(bytes: Uint8Array): ReadonlyMap<string, string> {
  const archive = openArchive(bytes);
  return new Map(
    [...archive.parts.values()].map((one) => {
      const { start, end } = packedRange(archive, one);
      return [one.name, Buffer.from(bytes.subarray(start, end)).toString("latin1")];
    }),
  );
}

const changedParts = (before: Uint8Array, after: Uint8Array): readonly string[] => {
  const [was, is] = [partsOf(before), partsOf(after)];
  expect([...is.keys()]).toEqual([...was.keys()]);
  return [...was].flatMap(([name, bytes]) => (is.get(name) === bytes ? [] : [name]));
};

test.each(BOOKS)("cells that are written into %s change nothing else", (name) => {
  const before = bytesOf(name);
  const dice = createDice(firstSeed);
  for (let round = 0; round < 20; round++) {
    const sheets = worksheetsOf(before);
    const at = dice(2);
    const sheet = sheets[at]!;
    const [row, column, text] = [dice(6), dice(12), `<${round}> & "a"\n  b`];
    const after = writeCells(before, [{ part: sheet.part, worksheet: sheet.name, row, column, text }]);
    expect(changedParts(before, after)).toEqual([sheet.part]);
    const read = worksheetsOf(after);
    const wanted = readRecordsOf(sheet.page).map((cells) => [...cells]);
    while (wanted.length <= row) wanted.push([]);
    const width = Math.max(column + 1, ...wanted.map((cells) => cells.length));
    for (const cells of wanted) while (cells.length < width) cells.push("");
    wanted[row]![column] = text;
    const found = readRecordsOf(read[at]!.page).map((cells) => [
      ...cells,
      ...Array(width - cells.length).fill(""),
    ]);
    expect(found).toEqual(wanted);
    expect(read.map(({ page }, i) => (i === at ? "" : page))).toEqual(
      sheets.map(({ page }, i) => (i === at ? "" : page)),
    );
  }
});

const pagesOf = (bytes: Uint8Array) =>
  worksheetsOf(bytes).map(({ name, hidden, page, formulas, merges }) => ({
    name,
    hidden,
    page,
    formulas,
    merges,
  }));

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "flowsheet-kept-"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** Its styles have no formats of rules. */
const WITHOUT_RULES = "without-rules.xlsx";
const flowWithProblem = rowsOf([
  ["graph_name", "node_name", "next_node"],
  ["Hello", "Greet", "Bye"],
]);

test.each([...BOOKS.filter((name) => name.endsWith(".xlsx")), WITHOUT_RULES])(
  "%s is what it was when it has been annotated and cleared",
  async (name) => {
    const made = bookOf({ sheets: [{ name: "Flow", data: flowWithProblem }] });
    const before = name === WITHOUT_RULES ? made : bytesOf(name);
    writeFileSync(join(cwd, name), before);
    const run = (...args: readonly string[]) => flowsheet(["annotate", name, "--in-place", ...args], { cwd });
    expect(await run()).toMatchObject({ code: 0 });
    const annotated = readFileSync(join(cwd, name));
    expect(pagesOf(annotated).slice(0, -1)).toEqual(pagesOf(before));
    expect(await run("--clear")).toMatchObject({ code: 0 });
    const cleared = contentsOf(readFileSync(join(cwd, name)));
    const was = contentsOf(before);
    expect([...cleared.keys()]).toEqual([...was.keys()]);
    expect([...was].filter(([part, content]) => cleared.get(part) !== content).map(([part]) => part)).toEqual(
      [],
    );
  },
);

test("a hidden worksheet that is a bomb is not unpacked for notes", async () => {
  const data = rowsOf([
    ["graph_name", "node_name"],
    ["A", "B"],
  ]);
  const hidden = { name: "H", data: " ".repeat(20 * 1024 * 1024), state: "hidden" } as const;
  writeFileSync(join(cwd, "bomb.xlsx"), bookOf({ sheets: [{ name: "S", data }, hidden] }));
  expect(await flowsheet(["annotate", "bomb.xlsx"], { cwd })).toMatchObject({ code: 0 });
});
