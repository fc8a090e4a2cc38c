import { describe, expect, test } from "vitest";
import { SheetDocument } from "../../compiler/service/document.js";
import { testWorld, understandText } from "../world.js";

const HEAD = "graph_name,node_name,next_node,agent_type,prompt\n";
const SHEET = `${HEAD}Hello,Greet,Bye,echo,"Hello, ""you"""\nHello,Bye,,echo,Bye\n`;

const open = (text: string, file = "sheet.csv"): SheetDocument =>
  SheetDocument.open(file, text, { world: testWorld() });

describe("what a file is", () => {
  test.each([
    ["sheet", "sheet.csv", SHEET],
    ["sheet", "a header without its second column.csv", "graph_name,prompt\n"],
    ["sheet", "a table in Markdown.csv", "| graph_name | node_name |\n|---|---|\n| A | B |\n"],
    ["tests", "support.test.csv", "case,given\none,{}\n"],
    ["tests", "untitled", "graph_name,case,given\nG,one,{}\n"],
    ["other", "people.csv", "name,city\nAda,London\n"],
    ["other", "law.csv", "case,lawyer\nX,Y\n"],
    ["other", "empty.csv", ""],
  ])("%s: %s", (kind, file, text) => {
    expect(open(text, file).kind).toBe(kind);
  });

  test("the service says nothing of other files", () => {
    const view = open("name,city\nAda\n", "people.csv").view();
    expect(view).toMatchObject({ sheet: null, tests: null, graphs: [], diagnostics: [] });
  });
});

test("the text is understood as the bytes of the file are", () => {
  const { graphs, diagnostics } = open(SHEET.replace("Bye,echo", "By,echo")).view();
  const whole = understandText(SHEET.replace("Bye,echo", "By,echo"));
  expect(diagnostics).toEqual(whole.diagnostics);
  expect(graphs).toEqual(whole.graphs);
  expect(diagnostics[0]).toMatchObject({
    code: "unknown-node",
    place: { line: 2, column: 13, cell: "C2" },
    span: { record: 1, column: 2, start: 0, end: 2 },
  });
});

test("a byte order mark that an editor leaves in the text is no part of the first cell", () => {
  expect(open(`\ufeff"graph_name"${SHEET.slice("graph_name".length)}`).view().diagnostics).toEqual([]);
});

test("edits follow one another, and a view stays while nothing changes", () => {
  const document = open(SHEET);
  const before = document.view();
  expect(document.view()).toBe(before);
  document.edit([
    { start: 0, end: 5, text: "" },
    { start: 0, end: 0, text: "graph" },
  ]);
  expect(document.text).toBe(SHEET);
  expect(document.view()).not.toBe(before);
  expect(document.view()).toEqual(before);
});

describe("editCell", () => {
  test.each([
    ["a plain cell", { record: 1, column: 1 }, "Hi", "Hello,Hi,Bye,echo"],
    ["text that needs quotes", { record: 1, column: 1 }, 'a, "b"', 'Hello,"a, ""b""",Bye,echo'],
    ["quotes that are there", { record: 1, column: 4 }, 'say "so"', ',"say ""so"""\n'],
    ["a cell that its record is too short for", { record: 2, column: 6 }, "x", "echo,Bye,,x\n"],
    ["the record after the last one", { record: 3, column: 1 }, "Next", "echo,Bye\n,Next"],
  ])("writes %s", (_, at, text, expected) => {
    const document = open(SHEET);
    const edit = document.editCell(at, text);
    expect(document.text).toContain(expected);
    expect(document.text).toBe(SHEET.slice(0, edit.start) + edit.text + SHEET.slice(edit.end));
  });

  test("works in a file that is no sheet", () => {
    const document = open("name;city\nAda;London\n", "people.csv");
    document.editCell({ record: 1, column: 1 }, "Paris; London");
    expect(document.text).toBe('name;city\nAda;"Paris; London"\n');
  });
});

test("a test sheet is checked against the graphs that it tests", () => {
  const { graphs } = understandText(SHEET);
  const text = "graph_name,case,expect_path\nHello,one,Greet > Buy\n";
  const document = SheetDocument.open("sheet.test.csv", text, { world: testWorld(), testedGraphs: graphs });
  expect(document.view().graphs).toBe(graphs);
  expect(document.view().diagnostics).toMatchObject([
    { code: "unknown-node", span: { record: 1, column: 2, start: 8, end: 11 } },
  ]);
  document.changeWorld({ world: testWorld() });
  expect(document.view().graphs).toEqual([]);
});

describe("the span of a diagnostic is the stretch of its cell", () => {
  test.each([
    ['G,A,,echo,a "b"\n', { code: "bad-quote", span: { record: 1, column: 4, start: 2, end: 3 } }],
    ['G,A,,echo,"a ""b" c"\n', { code: "bad-quote", span: { record: 1, column: 4, start: 4, end: 5 } }],
    ['G,A,,echo,"a\nG,B,,echo,b\n', { code: "bad-quote", span: { record: 1, column: 4, start: 0, end: 0 } }],
    ["G,A,,echo\n", { code: "short-row", span: { record: 1, column: 4, start: 0, end: 0 } }],
  ])("%j", (row, expected) => {
    expect(open(HEAD + row).view().diagnostics[0]).toMatchObject(expected);
  });
});
