import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openXlsx } from "hucre/xlsx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import { flowsheet } from "../cli/run.js";
import { bookOf, rowsOf } from "./made.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "flowsheet-annotate-"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const put = (name: string, content: Uint8Array | string): void => writeFileSync(join(cwd, name), content);
const bytesOf = (name: string): Buffer => readFileSync(join(cwd, name));
const run = (...args: readonly string[]) => flowsheet(args, { cwd });

const HEADER = ["graph_name", "node_name", "agent_type", "next_node", "prompt"];
const ROWS = [
  HEADER,
  ["Triage", "Classify", "echo", "Anwser", 'one, "two"\nthree'],
  ["Triage", "Answer", "echo", "", "x"],
];

describe("convert", () => {
  test("CSV to a workbook and back is the same text", async () => {
    const text = 'graph_name,node_name,prompt\nA,B,"x, ""y""\nz_x000D_"\n# a note,,\n\nA,C,=1+1\n';
    put("a.csv", text);
    expect(await run("convert", "a.csv", "a.xlsx")).toEqual({
      code: 0,
      stdout: "",
      stderr: "wrote: a.xlsx\n",
    });
    expect(await run("convert", "a.xlsx", "b.csv")).toMatchObject({ code: 0 });
    expect(bytesOf("b.csv").toString()).toBe(text);
    expect(await run("validate", "a.xlsx")).toMatchObject({ code: 0 });
  });

  test("what is there is not replaced, and what cannot be is said", async () => {
    const refused = async (...args: readonly string[]): Promise<string> => {
      const { code, stderr } = await run("convert", ...args);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused("a.csv", "a.xlsx")).toContain(
      "a.xlsx is there already\n  = help: choose another name, or replace it with --force",
    );
    expect(await run("convert", "a.csv", "a.xlsx", "--force")).toMatchObject({ code: 0 });
    expect(await refused("a.csv")).toContain("convert needs two files");
    expect(await refused("a.csv", "c.csv")).toContain("a.csv becomes a workbook");
    expect(await refused("a.xlsx", "c.xlsx")).toContain("a.xlsx becomes CSV");
    expect(await refused("gone.csv", "c.xlsx")).toContain("cannot open gone.csv: there is no such file");
    const sheets = ["One", "Two"].map((name) => ({ name, data: rowsOf(ROWS) }));
    put("two.xlsx", bookOf({ sheets }));
    expect(await refused("two.xlsx", "c.csv")).toContain(
      'several worksheets: "One", "Two"\n  = help: name one with --sheet',
    );
    expect(await refused("two.xlsx", "c.csv", "--sheet", "Three")).toContain(
      'no worksheet "Three"\n  = help: it has "One", "Two"',
    );
    expect(await run("convert", "two.xlsx", "c.csv", "--sheet", "two")).toMatchObject({ code: 0 });
  });
});

describe("annotate", () => {
  beforeAll(() => put("support.xlsx", bookOf({ sheets: [{ name: "My flow", data: rowsOf(ROWS) }] })));

  test("writes each problem as a note with a colour, and lists to choose from", async () => {
    const ran = await run("annotate", "support.xlsx");
    expect(ran).toEqual({ code: 0, stdout: "", stderr: "wrote: support.checked.xlsx: 1 error\n" });
    const book = await openXlsx(bytesOf("support.checked.xlsx"));
    const sheet = book.sheets[0]!;
    expect(sheet.cells?.get("1,3")?.comment?.text).toBe(
      'flowsheet\nerror: next_node names a node that graph "Triage" does not have\ndid you mean "Answer" (row 3)?\nfix: write "Answer"\nflowsheet explain unknown-node',
    );
    expect(sheet.cells?.get("0,2")?.comment?.text).toContain("Who does the work");
    expect(sheet.conditionalRules?.map(({ range }) => range)).toEqual(["D2"]);
    expect(sheet.dataValidations?.map(({ range, formula1 }) => [range, formula1])).toEqual([
      ["A2:A203", "_flowsheet!$A$1:$A$1"],
      ["C2:C203", expect.stringMatching(/^_flowsheet!\$B\$1:\$B\$\d+$/)],
      ["D2:D203", "_flowsheet!$C$1:$C$3"],
    ]);
    expect(book.sheets[1]).toMatchObject({ name: "_flowsheet", veryHidden: true });
    // It is read as it was.
    const checked = await run("validate", "support.checked.xlsx");
    expect(checked.stdout).toContain("support.checked.xlsx  'My flow'!D2");
  });

  test("makes the folder of --out", async () => {
    const ran = await run("annotate", "support.xlsx", "--out", "made/here");
    expect(ran).toMatchObject({ code: 0, stderr: "wrote: made/here/support.checked.xlsx: 1 error\n" });
    expect(existsSync(join(cwd, "made/here/support.checked.xlsx"))).toBe(true);
  });

  test("annotating again, and clearing, leave what was there", async () => {
    expect((await run("annotate", "support.checked.xlsx", "--in-place")).code).toBe(0);
    const twice = await openXlsx(bytesOf("support.checked.xlsx"));
    expect(twice.sheets.map(({ name }) => name)).toEqual(["My flow", "_flowsheet"]);
    expect(twice.sheets[0]?.conditionalRules).toHaveLength(1);
    expect(twice.sheets[0]?.cells?.get("1,3")?.comment?.text.match(/flowsheet\n/g)).toHaveLength(1);
    expect(await run("annotate", "support.checked.xlsx", "--in-place", "--clear")).toMatchObject({
      stderr: "wrote: support.checked.xlsx: cleared\n",
    });
    const cleared = await openXlsx(bytesOf("support.checked.xlsx"));
    expect(cleared.sheets.map(({ name }) => name)).toEqual(["My flow"]);
    const [sheet] = cleared.sheets;
    expect([...(sheet?.cells?.values() ?? [])].filter(({ comment }) => comment !== undefined)).toEqual([]);
    expect(sheet?.conditionalRules ?? []).toEqual([]);
    expect(sheet?.dataValidations ?? []).toEqual([]);
    const pages = ["support.xlsx", "support.checked.xlsx"].map((name) => {
      const read = readWorkbook(bytesOf(name));
      return read.kind === "workbook" ? read.worksheets.map(({ page }) => page) : read.why;
    });
    expect(pages[1]).toEqual(pages[0]);
  });

  test("an author's own note stays, with ours below it", async () => {
    const { writeXlsx } = await import("hucre/xlsx");
    const cells = new Map([["1,3", { comment: { author: "Ada", text: "Ask Eve.\nSoon." } }]]);
    put("noted.xlsx", await writeXlsx({ sheets: [{ name: "S", rows: ROWS.map((row) => [...row]), cells }] }));
    await run("annotate", "noted.xlsx", "--in-place");
    const noteOf = async () => (await openXlsx(bytesOf("noted.xlsx"))).sheets[0]?.cells?.get("1,3")?.comment;
    expect((await noteOf())?.text).toMatch(/^Ask Eve\.\nSoon\.\nflowsheet\nerror: next_node/);
    await run("annotate", "noted.xlsx", "--in-place", "--clear");
    expect(await noteOf()).toMatchObject({ author: "Ada", text: "Ask Eve.\nSoon." });
  });

  test("a worksheet of tests has lists and help, too", async () => {
    const cases = [
      ["graph_name", "case", "expect_status"],
      ["Triage", "one", "fialed"],
    ];
    const flow = { name: "Flow", data: rowsOf(ROWS) };
    put("tested.xlsx", bookOf({ sheets: [flow, { name: "Cases", data: rowsOf(cases) }] }));
    expect(await run("annotate", "tested.xlsx")).toMatchObject({ code: 0 });
    const sheet = (await openXlsx(bytesOf("tested.checked.xlsx"))).sheets[1];
    expect(sheet?.cells?.get("0,1")?.comment?.text).toBe("flowsheet\nThe name of the case.");
    expect(sheet?.cells?.get("1,2")?.comment?.text).toContain("did you mean failed?");
    expect(sheet?.dataValidations?.map(({ range }) => range)).toEqual(["A2:A202", "C2:C202"]);
  });

  test("a sheet of text becomes a workbook, a macro is kept, other files are refused", async () => {
    put("text.csv", "graph_name;node_name;next_node\nA;B;C\n");
    expect(await run("annotate", "text.csv")).toMatchObject({
      code: 0,
      stderr: "wrote: text.checked.xlsx: 1 error\n",
    });
    const [sheet] = (await openXlsx(bytesOf("text.checked.xlsx"))).sheets;
    expect(sheet?.name).toBe("text");
    expect(sheet?.cells?.get("1,2")?.comment?.text).toContain("unknown-node");
    const refused = async (...args: readonly string[]): Promise<string> =>
      (await run("annotate", ...args)).stderr;
    expect(await refused()).toContain("annotate needs a file");
    expect(await refused("text.csv", "--in-place")).toContain(
      "text.csv is no workbook\n  = help: leave out --in-place",
    );
    put("bad.xlsx", bytesOf("support.xlsx").subarray(0, 700));
    expect(await refused("bad.xlsx")).toContain("cannot read bad.xlsx: it is cut off or damaged");
    expect(existsSync(join(cwd, "bad.checked.xlsx"))).toBe(false);
    expect(await refused("support.xlsx", "--out", "text.csv/folder")).toContain("cannot make the folder");
  });
});

describe("init --format xlsx", () => {
  test.each(["hello", "support", "server"])("makes a project of %s that works at once", async (template) => {
    const ran = await run("init", template, "--template", template, "--format", "xlsx");
    expect(ran).toMatchObject({ code: 0 });
    const [name = ""] = /\w+\.xlsx/.exec(ran.stdout) ?? [];
    const inside = (...args: readonly string[]) => flowsheet(args, { cwd: join(cwd, template) });
    expect((await inside("validate", "--strict")).stdout).toContain(`${name}: no problems`);
    expect((await inside("test")).code).toBe(0);
    expect(readFileSync(join(cwd, template, "README.md"), "utf8")).not.toContain(".csv");
    expect((await run("init", template, "--template", template, "--format", "xlsx")).code).toBe(2);
  });
});
