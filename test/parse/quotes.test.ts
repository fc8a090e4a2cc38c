import { describe, expect, test } from "vitest";
import { read } from "./read-sheet.js";

/** A sheet of three columns and, below, a row that must always be read. */
const sheet = (...lines: string[]): string =>
  ["graph_name,node_name,prompt", ...lines, "G,Last,bye"].join("\n");
const names = (text: string): readonly string[] => read(text).rows.map(({ node }) => node.name);

describe("bad-quote", () => {
  test.each<[string, string, string[]]>([
    [
      "V08 opened and never closed, at the end",
      'graph_name,node_name,prompt\nG,A,"hello',
      ["bad-quote 2:5 C2"],
    ],
    ["V08 never closed, nothing quoted below", sheet('G,A,"hello', "G,B,x"), ["bad-quote 2:5 C2"]],
    ["V08 never closed, a quoted cell below", sheet('G,A,"hello', 'G,B,"world"'), ["bad-quote 2:5 C2"]],
    [
      "V08 never closed, a quoted cell at the start of a line below",
      sheet('G,A,"hello', '"G",B,x'),
      ["bad-quote 2:5 C2"],
    ],
    [
      "V08 never closed, doubled quotes below",
      sheet('G,A,"hello', 'G,B,"say ""hi"" now"'),
      ["bad-quote 2:5 C2"],
    ],
    [
      "V08 never closed, a cell of a doubled quote below",
      sheet('G,A,"hello', 'G,B,""', 'G,C,"x"'),
      ["bad-quote 2:5 C2"],
    ],
    ["never closed in the first cell", sheet('"G,A,hello', 'G,B,"x"'), ["bad-quote 2:1 A2"]],
    ["V09 in the middle of a cell", sheet('G,A,5" pipe'), ["bad-quote 2:6 C2"]],
    ["V09 in the middle of two cells", sheet('G,A"A,5" pipe'), ["bad-quote 2:4 B2", "bad-quote 2:8 C2"]],
    ["two in one cell are one fault", sheet('G,A,say "hi" now'), ["bad-quote 2:9 C2"]],
    ["text after the closing quote", sheet('G,A,"hello" x'), ["bad-quote 2:11 C2"]],
    ["quotes inside that are not doubled", sheet('G,A,"say "hi" now"'), ["bad-quote 2:10 C2"]],
    ["quotes inside at the end", sheet('G,A,"say "hi""'), ["bad-quote 2:10 C2"]],
    [
      "quotes inside a cell of several lines",
      sheet('G,A,"one', 'say "hi" now', 'two"'),
      ["bad-quote 3:5 C2"],
    ],
    ["white space before the opening quote", sheet('G,A, "hello"'), ["bad-quote 2:6 C2"]],
    ["in two rows", sheet('G,A,"x" y', 'G,B,a"b'), ["bad-quote 2:7 C2", "bad-quote 3:6 C3"]],
  ])("%s", (_, text, expected) => {
    expect(read(text).found).toEqual(expected);
  });

  test.each<[string, string, string[]]>([
    ["never closed", sheet('G,A,"hello', 'G,B,"world"'), ["A", "B", "Last"]],
    ["never closed in the graph's cell", sheet('"G,A,hello', "G,B,x"), ["A", "B", "Last"]],
    ["undoubled over several lines", sheet('G,A,"one', 'say "hi" now', 'two"'), ["A", "Last"]],
    ["a comma behind undoubled quotes", sheet('G,A,"say "hi", you"', "G,B,x"), ["A", "B", "Last"]],
  ])("all rows are there: %s", (_, text, expected) => {
    expect(names(text)).toEqual(expected);
    expect(read(text).rows[0]?.damaged).toBe(true);
    expect(read(text).rows[0]?.graph.name).toBe("G");
    expect(read(text).rows.at(-1)?.damaged).toBe(false);
  });

  test("what stands before the bad cell of a row is still reported, what follows it is not", () => {
    const text = 'graph_name,node_name,input_fields,prompt,output_field\nG|H,A,1st,"x" y,z,2nd\n';
    expect(read(text).found).toEqual(["bad-name 2:1 A2", "bad-field 2:7 C2", "bad-quote 2:13 D2"]);
  });

  test("where it has moved no cell, what follows is reported, too", () => {
    const text = 'graph_name,node_name,input_fields,prompt,output_field\nG,A,,"x" y,2nd\n';
    expect(read(text).found).toEqual(["bad-quote 2:8 D2", "bad-field 2:12 E2"]);
    expect(read(text).rows[0]?.damaged).toBe(true);
  });

  test("a damaged row is not called short or long", () => {
    expect(read(sheet('G,"A')).found).toEqual(["bad-quote 2:3 B2"]);
    expect(read(sheet('G,A,a"b,c,d')).found).toEqual(["bad-quote 2:6 C2"]);
  });

  test.each([
    ["a quote in a comment", sheet('# say "hi", you', "G,A,x")],
    ["a quote that opens in a comment", sheet('# x,"hi', 'G,A,"x"')],
    ["doubled quotes", sheet('G,A,"say ""hi"""')],
    ["an empty quoted cell", sheet('G,A,""')],
    ["a quoted cell of quotes", sheet('G,A,""""')],
    ["quoted delimiters and line ends", sheet('G,A,"a,b\r\nc\rd\n"')],
  ])("silent: %s", (_, text) => {
    expect(read(text).found).toEqual([]);
  });

  test("names the row's graph and node, the column, and what is wrong", () => {
    const [problem] = read(sheet('G,A,"hello')).problems;
    expect(problem).toMatchObject({ graph: "G", node: "A", column: "prompt", severity: "error" });
    expect(problem?.message).toBe("a quoted cell is opened here and never closed");
  });

  test("in the header", () => {
    expect(read('graph_name,node_name,"prompt\nG,A,x\n').found).toEqual(["bad-quote 1:22 C1"]);
    expect(read('gra"ph_name,node_name\nG,A\n').found).toEqual([
      "unknown-column 1:1 A1",
      "missing-column 1:1 A1",
      "bad-quote 1:4 A1",
    ]);
  });
});
