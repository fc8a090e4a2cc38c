import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import { flowsheet } from "../cli/run.js";
import { bookOf, rowsOf, zipOf } from "./made.js";
import { readRecordsOf } from "./page-records.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "flowsheet-book-"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const put = (name: string, bytes: Uint8Array | string): void => writeFileSync(join(cwd, name), bytes);
const run = (...args: readonly string[]) => flowsheet(args, { cwd });

const HEADER = [
  "graph_name",
  "node_name",
  "agent_type",
  "next_node",
  "input_fields",
  "output_field",
  "prompt",
];
const HELLO = ["Hello", "Greet", "echo", "", "name", "greeting", "Hello {name}!"];
const notes = { name: "Notes", data: rowsOf([["What this is"], ["Ask Ada"]]) };

describe("one sheet of graphs in a workbook", () => {
  beforeAll(() => {
    put("hello.xlsx", bookOf({ sheets: [notes, { name: "Flow", data: rowsOf([HEADER, HELLO]) }] }));
  });

  test("is validated, run, compiled and inspected", async () => {
    expect(await run("validate", "hello.xlsx")).toEqual({
      code: 0,
      stdout: "hello.xlsx: no problems (1 graph, 1 node)\n",
      stderr: "note: passed over the worksheet Notes of hello.xlsx: no columns graph_name and node_name\n",
    });
    const ran = await run("run", "hello.xlsx", "--input", "name=Ada", "--json");
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: "completed", state: { greeting: "Hello Ada!" } });
    expect((await run("inspect", "hello.xlsx")).stdout).toContain("Greet");
    expect((await run("compile", "hello.xlsx", "--out", "made")).code).toBe(0);
    expect(readFileSync(join(cwd, "made/hello.gen.ts"), "utf8")).toContain("hello.xlsx");
    expect((await run("compile", "hello.xlsx", "--out", "made", "--check")).code).toBe(0);
  });

  test("is found without its name, beside what is no sheet", async () => {
    put("data.xlsx", bookOf({ sheets: [notes] }));
    put("~$hello.xlsx", "a lock");
    const checked = await run("validate");
    expect(checked).toMatchObject({ code: 0, stdout: "hello.xlsx: no problems (1 graph, 1 node)\n" });
    expect(checked.stderr).toContain("passed over data.xlsx");
    expect(checked.stderr).not.toContain("lock");
    expect((await run("run", "--graph", "Hello", "--input", "name=Ada")).code).toBe(0);
    rmSync(join(cwd, "data.xlsx"));
    rmSync(join(cwd, "~$hello.xlsx"));
  });

  test("worksheets are passed over with a note, but not tables of formulas, empty and hidden ones", async () => {
    const table = rowsOf([
      ["code", "town"],
      ["a", "Rome"],
    ]);
    const flow = ["T", "A", "formula", "", "c:string", "town", 'LOOKUP(c, "towns", "town")'];
    put(
      "several.xlsx",
      bookOf({
        sheets: [
          { name: "Flow", data: rowsOf([HEADER, flow]) },
          { name: "Towns", data: table },
          { name: "Empty", data: "" },
          { name: "Old", data: table, state: "hidden" },
          ...[1, 2, 3, 4, 5, 6].map((n) => ({ name: `N${n}`, data: table })),
        ],
      }),
    );
    const { code, stderr } = await run("validate", "several.xlsx");
    const line = "note: passed over the worksheets N1, N2, N3, N4, N5 and 1 more of several.xlsx";
    expect([code, stderr]).toEqual([0, `${line}: no columns graph_name and node_name\n`]);
    expect((await run("validate", "several.xlsx", "--quiet")).stderr).toBe("");
    rmSync(join(cwd, "several.xlsx"));
  });

  test("comes on standard input, too", async () => {
    const bytes = readFileSync(join(cwd, "hello.xlsx"));
    expect(await flowsheet(["validate", "-"], { cwd, input: bytes })).toMatchObject({
      code: 0,
      stdout: "<stdin>: no problems (1 graph, 1 node)\n",
    });
  });
});

describe("places in a workbook", () => {
  const rows = [
    HEADER,
    ["Triage", "Classify", "echo", "Anwser", "", "", "line one\nline, two"],
    ["Triage", "Answer", "echo", "", "", "", "x"],
  ];
  beforeAll(() => put("support.xlsx", bookOf({ sheets: [notes, { name: "My flow", data: rowsOf(rows) }] })));

  test("as text", async () => {
    const { stdout, code } = await run("validate", "support.xlsx");
    expect(code).toBe(1);
    expect(stdout).toMatchInlineSnapshot(`
      "error unknown-node: next_node names a node that graph "Triage" does not have
        --> support.xlsx  'My flow'!D2 · graph Triage · node Classify
         2 | Triage | Classify | echo | Anwser |  |  | line one↵line, two
           |                            ^^^^^^ did you mean "Answer" (row 3)?
        = fix: write "Answer" (--fix)

      1 error in support.xlsx
      "
    `);
  });

  test("as JSON, as SARIF, and for GitHub", async () => {
    const json = JSON.parse((await run("validate", "support.xlsx", "--json")).stdout) as {
      diagnostics: { code: string }[];
    };
    expect(json.diagnostics.find(({ code }) => code === "unknown-node")).toMatchObject({
      ...{ file: "support.xlsx", line: 2, column: 4, cell: "D2", worksheet: "My flow" },
      ...{ graph: "Triage", node: "Classify" },
    });
    const sarif = (await run("validate", "support.xlsx", "--format", "sarif")).stdout;
    expect(sarif).toContain(`"name": "'My flow'!D2"`);
    const github = (await run("validate", "support.xlsx", "--format", "github")).stdout;
    expect(github).toContain("::error file=support.xlsx,line=2,title=unknown-node::");
  });

  test("of a run that fails, and of a case whose sheet has errors", async () => {
    const sum = ["Sum", "Half", "formula", "", "n:number", "half", "1/n"];
    const bad = ["Bad", "Half", "formula", "", "n:number", "half", "1/m"];
    const cases = [
      ["graph_name", "case", "given.n"],
      ["Bad", "one", "1"],
    ];
    const sheets = [
      { name: "My flow", data: rowsOf([HEADER, sum, bad]) },
      { name: "Cases", data: rowsOf(cases) },
    ];
    put("fails.xlsx", bookOf({ sheets }));
    expect((await run("run", "fails.xlsx", "--graph", "Sum", "--input", "n=0")).stderr).toContain(
      "error agent_failed: a division by zero\n  --> fails.xlsx  'My flow'!G2 · graph Sum · node Half\n",
    );
    expect((await run("test", "fails.xlsx")).stdout).toContain(
      "fails.xlsx has an error: 'My flow'!G3: unknown-placeholder: ",
    );
    rmSync(join(cwd, "fails.xlsx"));
  });

  test("a workbook without a sheet, one that is damaged, and one that is too large", async () => {
    put("none.xlsx", bookOf({ sheets: [notes] }));
    expect((await run("validate", "none.xlsx")).stdout).toContain(
      'error missing-column: no worksheet has a header with the columns "graph_name" and "node_name"',
    );
    put("cut.xlsx", readFileSync(join(cwd, "support.xlsx")).subarray(0, 900));
    expect(await run("run", "cut.xlsx")).toMatchObject({ code: 1 });
    expect((await run("validate", "cut.xlsx")).stdout).toContain(
      "error bad-workbook: the workbook cannot be read",
    );
    const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
    put("far.xlsx", bookOf({ sheets: [{ name: "S", data: far }] }));
    expect((await run("validate", "far.xlsx")).stdout).toContain("error sheet-too-large");
    const textless = '<row r="2"><c r="C2" t="s"><v>7</v></c></row>';
    put("textless.xlsx", bookOf({ sheets: [{ name: "My flow", data: textless }] }));
    expect((await run("validate", "textless.xlsx")).stdout).toContain(
      "its cell 'My flow'!C2 means a text that is not there\n  --> textless.xlsx  'My flow'!C2\n",
    );
    expect(JSON.parse((await run("validate", "textless.xlsx", "--json")).stdout)).toMatchObject({
      diagnostics: [{ code: "bad-workbook", line: 2, column: 3, cell: "C2", worksheet: "My flow" }],
    });
    for (const name of ["none", "cut", "far", "textless"]) rmSync(join(cwd, `${name}.xlsx`));
  });
});

describe("--fix", () => {
  test("writes only the cells that it mends, and never over a formula", async () => {
    const header = [...HEADER.slice(0, 6), "context", "prompt"];
    const node = ["Fix", "One", "echo", "", "", "x", "{'retry': True}", "p"];
    const data = rowsOf([header, node]).replace("</row>", "</row>");
    const formula =
      '<row r="3"><c r="A3" t="str"><v>Fix</v></c><c r="B3" t="str"><v>Two</v></c><c r="G3" t="str"><f>"{"&amp;"}"</f><v>{\'retry\': True}</v></c></row>';
    const before = bookOf({
      sheets: [{ name: "S", data: data + formula }],
      more: [{ name: "xl/vbaProject.bin", content: "m" }],
    });
    put("fix.xlsm", before);
    const shown = await run("validate", "fix.xlsm", "--dry-run");
    expect(shown.stdout).toContain('+Fix,One,echo,,,x,"{""retry"": true}",p');
    const fixed = await run("validate", "fix.xlsm", "--fix");
    expect(fixed.stderr).toContain("fixed: fix.xlsm S!G2: ");
    expect(fixed.stderr).not.toContain("G3");
    const read = readWorkbook(readFileSync(join(cwd, "fix.xlsm")));
    if (read.kind === "bad") throw new Error(read.why);
    const cells = readRecordsOf(read.worksheets[0]?.page ?? "").map((row) => row[6]);
    expect(cells).toEqual(["context", '{"retry": true}', "{'retry': True}"]);
    rmSync(join(cwd, "fix.xlsm"));
  });
});

test("--fix writes into an .ods file, and takes rows and cells apart that are repeated", async () => {
  const cell = (text: string, more = "") =>
    `<table:table-cell office:value-type="string"${more}><text:p>${text}</text:p></table:table-cell>`;
  const header = ["graph_name", "node_name", "agent_type", "context", "context.a", "prompt"].map((name) =>
    cell(name),
  );
  const row = (name: string) =>
    `<table:table-row table:style-name="ro1">${cell("G")}${cell(name)}${cell("echo")}${cell("{'a': True}", ' table:number-columns-repeated="2" table:style-name="ce1"')}${cell("p")}</table:table-row>`;
  const spaces =
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="t" xmlns:text="x"';
  const content = `<office:document-content ${spaces}><office:body><office:spreadsheet><table:table table:name="S"><table:table-row>${header.join("")}</table:table-row>${row("A")}</table:table></office:spreadsheet></office:body></office:document-content>`;
  const mimetype = "application/vnd.oasis.opendocument.spreadsheet";
  put(
    "a.ods",
    zipOf([
      { name: "mimetype", content: mimetype, stored: true },
      { name: "content.xml", content },
    ]),
  );
  const fixed = await run("validate", "a.ods", "--fix", "--select", "python-literal");
  expect(fixed.stderr).toContain("fixed: a.ods S!D2: ");
  const read = readWorkbook(readFileSync(join(cwd, "a.ods")));
  if (read.kind === "bad") throw new Error(read.why);
  const [, cells] = readRecordsOf(read.worksheets[0]?.page ?? "");
  expect(cells?.slice(0, 4)).toEqual(["G", "A", "echo", '{"a": true}']);
  expect(cells?.[5]).toBe("p");
  // Notes are not written there: the message says where they are.
  const annotated = await run("annotate", "a.ods");
  expect(annotated.code).toBe(2);
  expect(annotated.stderr).toContain("save it as an Excel workbook (.xlsx), and annotate that");
  rmSync(join(cwd, "a.ods"));
});

describe("several worksheets", () => {
  const other = ["Outer", "Call", "graph", "", "name", "greeting", ""];
  const tests = [
    ["graph_name", "case", "given", "expect_state"],
    ["Inner", "greets", '{"name": "Ada"}', '{"greeting": "Hello Ada!"}'],
    ["Outer", "fails", '{"name": "Ada"}', '{"greeting": "Hello Eve!"}'],
  ];
  beforeAll(() => {
    const withContext = [...HEADER, "context.graph"];
    put(
      "two.xlsx",
      bookOf({
        sheets: [
          { name: "First", data: rowsOf([HEADER, ["Inner", ...HELLO.slice(1)]]) },
          notes,
          { name: "Second", data: rowsOf([withContext, [...other, "Inner"]]) },
          { name: "Cases", data: rowsOf(tests) },
        ],
      }),
    );
  });

  test("see each other's graphs", async () => {
    expect(await run("validate", "two.xlsx")).toMatchObject({ code: 0 });
    const ran = await run("run", "two.xlsx", "--graph", "Outer", "--input", "name=Ada", "--json");
    expect(JSON.parse(ran.stdout)).toMatchObject({ state: { greeting: "Hello Ada!" } });
    expect((await run("run", "two.xlsx", "--input", "name=Ada")).stderr).toContain(
      "there are several graphs: Inner, Outer",
    );
    expect(await run("run", "two.xlsx!First", "--input", "name=Ada")).toMatchObject({ code: 0 });
  });

  test("with a graph of one name: a case cannot say which it means", async () => {
    const graph = ["One", "Say", "echo", "", "", "x", "hi"];
    const header = [...HEADER.slice(0, 6), "prompt"];
    const cases = [
      ["graph_name", "case", "expect_state.x"],
      ["One", "says it", "hi"],
    ];
    const sheets = [
      { name: "A", data: rowsOf([header, graph]) },
      { name: "B", data: rowsOf([header, graph]) },
      { name: "Cases", data: rowsOf(cases) },
    ];
    put("same.xlsx", bookOf({ sheets }));
    const ended = await run("test", "same.xlsx");
    expect(ended.code).toBe(1);
    expect(ended.stdout + ended.stderr).toContain('several worksheets have a graph "One"');
    rmSync(join(cwd, "same.xlsx"));
  });

  test("come on standard input only one by one", async () => {
    const bytes = readFileSync(join(cwd, "two.xlsx"));
    expect((await flowsheet(["validate", "-"], { cwd, input: bytes })).stderr).toContain(
      'hold graphs: "First", "Second"; give the file in place of its content, such as book.xlsx!First',
    );
  });

  test("a sheet of text sees them, too", async () => {
    put(
      "caller.csv",
      `graph_name,node_name,agent_type,input_fields,output_field,context.graph\nTop,Go,graph,name,greeting,Inner\n`,
    );
    expect(await run("validate", "caller.csv")).toMatchObject({ code: 0 });
    const ran = await run("run", "caller.csv", "--input", "name=Ada", "--json");
    expect(JSON.parse(ran.stdout)).toMatchObject({ state: { greeting: "Hello Ada!" } });
    rmSync(join(cwd, "caller.csv"));
  });

  test("are tested by a worksheet of the same workbook", async () => {
    const tested = await run("test", "two.xlsx");
    expect(tested.code).toBe(1);
    expect(tested.stdout).toMatchInlineSnapshot(`
      "FAIL Outer: fails

        expect_state: the state differs in "greeting"
        --> two.xlsx  Cases!D3
         3 | Outer | fails | {"name": "Ada"} | {"greeting": "Hello Eve!"}
           |                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^
                       expected      actual
           > greeting  "Hello Eve!"  "Hello Ada!"

      FAIL two.xlsx!Cases: 1 of 2 cases failed

      1 passed, 1 failed
      "
    `);
    const before = readFileSync(join(cwd, "two.xlsx"));
    const updated = await run("test", "two.xlsx", "--update", "--yes");
    expect(updated).toMatchObject({ code: 0 });
    expect(updated.stderr).toContain("updated: two.xlsx!Cases: 1 case");
    expect((await run("test", "two.xlsx")).stdout).toContain("2 passed");
    writeFileSync(join(cwd, "two.xlsx"), before);
    expect((await run("test", "--filter", "greets")).code).toBe(0);
    expect((await run("test", "hello.xlsx")).stderr).toContain("hello.xlsx has no worksheet of tests");
  });

  test("a graph twice in one workbook is asked for by its worksheet", async () => {
    const sheet = (name: string) => ({ name, data: rowsOf([HEADER, HELLO]) });
    put("twice.xlsx", bookOf({ sheets: [sheet("A"), sheet("B")] }));
    const ran = await run("run", "twice.xlsx", "--graph", "Hello", "--input", "name=Ada");
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toContain("A::Hello, B::Hello");
    expect((await run("run", "twice.xlsx", "--graph", "B::Hello", "--input", "name=Ada")).code).toBe(0);
    rmSync(join(cwd, "twice.xlsx"));
  });
});

describe("what merged cells and formulas mean", () => {
  test("a graph's name that is merged downwards counts for each row", async () => {
    const rows = [
      HEADER,
      ["Hello", "One", "echo", "Two", "", "a", "x"],
      ["", "Two", "echo", "", "", "b", "y"],
    ];
    const merge = (ref: string) => `<mergeCells count="1"><mergeCell ref="${ref}"/></mergeCells>`;
    put("merged.xlsx", bookOf({ sheets: [{ name: "S", data: rowsOf(rows), after: merge("A2:A3") }] }));
    expect((await run("validate", "merged.xlsx")).stdout).toContain("no problems (1 graph, 2 nodes)");
    put(
      "merged.xlsx",
      bookOf({ sheets: [{ name: "S", data: rowsOf([HEADER, HELLO, HELLO]), after: merge("G2:G3") }] }),
    );
    expect((await run("validate", "merged.xlsx")).stdout).toContain(
      "warning merged-cells: the cells G2:G3 are merged",
    );
    rmSync(join(cwd, "merged.xlsx"));
  });

  test("a formula without a value is an error at its cell", async () => {
    const data = rowsOf([HEADER, HELLO]).replace(
      '<c r="G2" t="inlineStr"><is><t xml:space="preserve">Hello {name}!</t></is></c>',
      '<c r="G2"><f>"Hello"</f></c>',
    );
    put("valueless.xlsx", bookOf({ sheets: [{ name: "S", data }] }));
    const { stdout } = await run("validate", "valueless.xlsx");
    expect(stdout).toContain(
      "error formula-without-value: the cell holds a formula that has no value yet\n  --> valueless.xlsx  S!G2",
    );
    rmSync(join(cwd, "valueless.xlsx"));
  });
});

describe("formulas of a formula node", () => {
  const sheet = (cells: string): Uint8Array => {
    const header = rowsOf([
      ["graph_name", "node_name", "agent_type", "input_fields", "output_field", "prompt"],
    ]);
    const row = rowsOf([[], ["F", "Gross", "formula", "vat19:number", "gross", "X"]]).replace(
      /^<row r="1"><\/row>/,
      "",
    );
    return bookOf({ sheets: [{ name: "S", data: header + row.replace(/<c r="F2".*?<\/c>/, cells) }] });
  };

  test("the text is the formula's own, whatever its value", async () => {
    put("f.xlsx", sheet('<c r="F2" t="e"><f>_xlfn.ROUND(vat19*2,1)</f><v>#NAME?</v></c>'));
    const ran = await run("run", "f.xlsx", "--input", "vat19=1.5", "--json");
    expect(JSON.parse(ran.stdout)).toMatchObject({ state: { gross: 3 } });
  });

  test("a shared one without its first cell is refused at its own", async () => {
    put("f.xlsx", sheet('<c r="F2"><f t="shared" si="0"/><v>1</v></c>'));
    expect((await run("validate", "f.xlsx")).stdout).toContain("the cell was filled from another cell");
    rmSync(join(cwd, "f.xlsx"));
  });
});
