import { describe, expect, test } from "vitest";
import { problemsOf, understandText } from "../world.js";
import { applyFix, HEADER, read } from "./read-sheet.js";

const nodes = (text: string): readonly string[] =>
  read(text).rows.map(({ node, record }) => `${node.name}@${record + 1}`);

describe("empty-sheet", () => {
  test.each<[string, string, string[]]>([
    ["V01 an empty file", "", ["empty-sheet 1:1 A1"]],
    ["a byte order mark alone", "\ufeff", ["empty-sheet 1:1 A1"]],
    ["V02 a header alone", "graph_name,node_name\n", ["empty-sheet 1:1 A1"]],
    ["V02 a header without a line end", "graph_name,node_name", ["empty-sheet 1:1 A1"]],
    ["V03 newlines", "\n\r\n\r", ["empty-sheet 1:1 A1"]],
    ["white space", "  \n\t\n", ["empty-sheet 1:1 A1"]],
    ["comments", "# one\n// two\n", ["empty-sheet 1:1 A1"]],
    ["a header, comments and empty rows", "graph_name,node_name\n# x,y\n,\n\n//,z\n", ["empty-sheet 1:1 A1"]],
    [
      "a header with faults",
      "graph_name,node_name,colour\n",
      ["empty-sheet 1:1 A1", "unknown-column 1:22 C1"],
    ],
    [
      "no header and no row",
      "hello\n",
      ["unknown-column 1:1 A1", "missing-column 1:1 A1", "missing-column 1:1 A1", "empty-sheet 1:1 A1"],
    ],
    ["a sep line alone", "sep=;\n", ["empty-sheet 1:1 A1"]],
  ])("%s", (_, text, expected) => {
    const { sheet, found } = read(text);
    expect(sheet).toBeNull();
    expect(found).toEqual(expected);
  });
});

describe("records", () => {
  test.each<[string, string, string[]]>([
    ["LF", "graph_name,node_name\nG,A\nG,B\n", ["A@2", "B@3"]],
    ["CRLF", "graph_name,node_name\r\nG,A\r\nG,B\r\n", ["A@2", "B@3"]],
    ["CR", "graph_name,node_name\rG,A\rG,B\r", ["A@2", "B@3"]],
    ["V18 mixed", "graph_name,node_name\r\nG,A\nG,B\rG,C\n\rG,D", ["A@2", "B@3", "C@4", "D@6"]],
    ["no line end at the end", "graph_name,node_name\nG,A", ["A@2"]],
    ["empty rows count", "\n\ngraph_name,node_name\n,\nG,A\n \nG,B\n\n", ["A@5", "B@7"]],
    [
      "comments count",
      '# x\n// y\ngraph_name,node_name\n# z,1,2,3\n//,\nG,A\n"# q",,\nG,B\n',
      ["A@6", "B@8"],
    ],
    ["a quoted comment of several lines is one row", 'graph_name,node_name\n# a,"b\nc"\nG,A\n', ["A@3"]],
    ["a sep line is a line, but no row", "sep=,\ngraph_name,node_name\nG,A\n", ["A@2"]],
    ["no comment without the space", "graph_name,node_name\n#G,A\n", ["A@2"]],
    ["white space is empty", "graph_name,node_name\n \u00a0,\u3000\ufeff\u0085\nG,A\n", ["A@3"]],
  ])("%s", (_, text, expected) => {
    expect(nodes(text)).toEqual(expected);
    expect(read(text).found).toEqual([]);
  });

  test.each<[string, string, string]>([
    ["V20 semicolons", "graph_name;node_name;prompt\nG;A;x,y\n", "x,y"],
    ["V20 tabs", "graph_name\tnode_name\tprompt\nG\tA\tx,y;z\n", "x,y;z"],
    ["sep=; is honoured", "sep=;\ngraph_name;node_name;prompt\nG;A;x,y\n", "x,y"],
    ["SEP with a tab and CRLF", "SEP=\t\r\ngraph_name\tnode_name\tprompt\r\nG\tA\tx,y\r\n", "x,y"],
    ["comments with other delimiters above", "# a,b,c,d,e\n\ngraph_name;node_name;prompt\nG;A;x,y\n", "x,y"],
    ["a quoted header", '"graph_name";"node_name";"a,b#"\n', ""],
    ["misspelt, with semicolons", "graph_name;node_name;prompt,x\nG;A;y\n", ""],
  ])("%s", (_, text, prompt) => {
    expect(read(text).rows[0]?.prompt?.text ?? "").toBe(prompt);
    expect(read(text).sheet?.delimiter ?? ";").toBe(text.includes("\t") ? "\t" : ";");
  });

  test("sep= decides even against the header", () => {
    expect(read("sep=;\ngraph_name,node_name\nG,A\n").found).toEqual([
      "unknown-column 2:1 A1",
      "missing-column 2:1 A1",
      "missing-column 2:1 A1",
    ]);
  });

  test("lines count below a sep line", () => {
    expect(read("sep=,\ngraph_name,node_name\nG|H,A\n").found).toEqual(["bad-name 3:1 A2"]);
  });
});

describe("cells stay text", () => {
  test("V30 numbers, NA, white space and formulas", () => {
    const text = "graph_name,node_name,prompt\n007,NA, 2 \n=1+1,@SUM,\"=cmd|' /C calc'!A0\"\n-1,+1,\t-x\n";
    const { rows, found } = read(text);
    expect(found).toEqual([]);
    expect(rows.map(({ graph, node, prompt }) => [graph.name, node.name, prompt?.text])).toEqual([
      ["007", "NA", " 2 "],
      ["=1+1", "@SUM", "=cmd|' /C calc'!A0"],
      ["-1", "+1", "\t-x"],
    ]);
  });
});

describe("ragged rows", () => {
  test.each<[string, string, string[]]>([
    ["V10 short", "graph_name,node_name,prompt\nG,A\n", ["short-row 2:4 C2"]],
    ["short by two", "graph_name,node_name,prompt,context\nG,A\n", ["short-row 2:4 C2"]],
    [
      "short behind a quoted cell of two lines",
      'graph_name,node_name,prompt\nG,"A"\r\nG,B,x\n',
      ["short-row 2:6 C2"],
    ],
    ["short at the end of the file", "graph_name,node_name,prompt\nG,A", ["short-row 2:4 C2"]],
    [
      "short and without a node",
      "prompt,graph_name,node_name\nx,G\n",
      ["missing-name 2:4 C2", "short-row 2:4 C2"],
    ],
  ])("%s", (_, text, expected) => {
    expect([...read(text).found].sort()).toEqual([...expected].sort());
  });

  test.each([
    ["V11 long", "graph_name,node_name\nG,A,x\n", ["long-row 2:5 C2"]],
    ["long, the first surplus cell empty", 'graph_name,node_name\nG,A,,"x"\n', ["long-row 2:7 D2"]],
  ])("%s", (_, text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });

  test("long with empty surplus cells is silent", () => {
    expect(read("graph_name,node_name\nG,A,,, \n").found).toEqual([]);
  });

  test("says how many cells there are, and where they belong", () => {
    const [short] = read("graph_name,node_name,prompt\nG,A\n").problems;
    expect(short).toMatchObject({ severity: "warning", graph: "G", node: "A", column: "prompt" });
    expect(short?.message).toContain("2 cells, the header has 3");
    const [long] = understandText("graph_name,node_name\nG,A,x\n").diagnostics;
    expect(long).toMatchObject({ severity: "error", graph: "G", node: "A", column: null });
  });
});

describe("spreadsheet-error", () => {
  test.each(["#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#CALC!"])(
    "%s",
    (value) => {
      const { found, rows, problems } = read(`graph_name,node_name,next_node\nG,A, ${value}\n`);
      expect(found).toEqual(["spreadsheet-error 2:6 C2"]);
      expect(problems[0]).toMatchObject({
        column: "next_node",
        graph: "G",
        node: "A",
        place: { endColumn: 6 + value.length },
      });
      expect(rows[0]).toMatchObject({ next: [], damaged: true });
    },
  );

  test.each<[string, string, string[]]>([
    ["in the graph's name", "graph_name,node_name\n#REF!,A\n", ["spreadsheet-error 2:1 A2"]],
    ["in the node's name", "graph_name,node_name\nG,#REF!\n", ["spreadsheet-error 2:3 B2"]],
    ["in a setting", "graph_name,node_name,context.retry\nG,A,#N/A\n", ["spreadsheet-error 2:5 C2"]],
    [
      "in every column",
      `${HEADER}\n${HEADER.replaceAll(/\w+/g, "#N/A")}\n`,
      "ABCDEFGHIJ".split("").map((letter, i) => `spreadsheet-error 2:${1 + 5 * i} ${letter}2`),
    ],
    ["in a private column", "graph_name,node_name,#x\nG,A,#N/A\n", []],
    ["in text", "graph_name,node_name,prompt\nG,A,say #N/A\n", []],
    ["of another spelling", "graph_name,node_name,prompt\nG,A,#n/a\n", []],
  ])("%s", (_, text, expected) => {
    expect(read(text).found).toEqual(expected);
  });

  test("a row without its names is damaged; rows below do not take its graph", () => {
    const { rows, found } = read("graph_name,node_name\nG,A\n#REF!,B\n,C\nG,#REF!\n");
    expect(rows.map(({ damaged }) => damaged)).toEqual([false, true, false, true]);
    expect(found).toEqual(["spreadsheet-error 3:1 A3", "missing-name 4:1 A4", "spreadsheet-error 5:3 B5"]);
  });
});

describe("missing-name", () => {
  test("a merged graph_name: the fix fills from above", () => {
    const text = 'node_name,graph_name\nA,"Two, words"\nB,\nC,""\n# D,\n\nE\nF,Other\nG, \n';
    const { rows, found, problems } = read(text);
    expect(found).toEqual([
      "missing-name 3:3 B3",
      "missing-name 4:4 B4",
      "missing-name 7:2 B7",
      "short-row 7:2 B7",
      "missing-name 9:3 B9",
    ]);
    expect(rows.map(({ graph }) => graph.name)).toEqual([...Array(4).fill("Two, words"), "Other", "Other"]);
    const cured = problems
      .filter(({ code }) => code === "missing-name")
      .reverse()
      .reduce((now, { fix }) => applyFix(now, fix), text);
    expect(cured).toBe(
      'node_name,graph_name\nA,"Two, words"\nB,"Two, words"\nC,"Two, words"\n# D,\n\nE,"Two, words"\nF,Other\nG,Other\n',
    );
    expect(read(cured).found).toEqual([]);
    expect(problems.every(({ fix, code }) => code !== "missing-name" || fix?.safe)).toBe(true);
  });

  test.each<[string, string, string[], string]>([
    ["no graph above", "graph_name,node_name\n,A\n", ["missing-name 2:1 A2"], ""],
    ["no node", "graph_name,node_name\nG,\n", ["missing-name 2:3 B2"], "G"],
    ["no node, quoted", 'graph_name,node_name\nG," "\n', ["missing-name 2:4 B2"], "G"],
    ["neither", "graph_name,node_name,prompt\n,,x\n", ["missing-name 2:1 A2", "missing-name 2:2 B2"], ""],
  ])("%s", (_, text, expected, graph) => {
    const { found, rows, problems } = read(text);
    expect(found).toEqual(expected);
    expect(rows[0]?.graph.name).toBe(graph);
    expect(problems.every(({ fix }) => fix === null)).toBe(true);
  });

  test("a bad name above is taken, but not written again", () => {
    const { problems, rows } = read("graph_name,node_name\nG|H,A\n,B\n");
    expect(rows[1]?.graph.name).toBe("G|H");
    expect(problems.map(({ code, fix }) => [code, fix])).toEqual([
      ["bad-name", null],
      ["missing-name", null],
    ]);
  });
});
