import { describe, expect, test } from "vitest";
import { applyFix, read, textAt } from "./read-sheet.js";

const meanings = (header: string): readonly string[] =>
  (read(`${header}\n${"x,".repeat(header.split(",").length).slice(0, -1)}\n`).sheet?.header ?? []).map(
    ({ meaning }) => ("name" in meaning ? meaning.name : meaning.kind),
  );

describe("columns", () => {
  test.each([
    [
      "canonical",
      "graph_name,node_name,next_node,context,agent_type",
      "graph_name node_name next_node context agent_type",
    ],
    ["V16 another order", "prompt,node_name,graph_name", "prompt node_name graph_name"],
    [
      "V17 case, spaces, _ and -",
      "Graph Name,NODE-NAME,nextNode, Agent  Type ",
      "graph_name node_name next_node agent_type",
    ],
    [
      "aliases",
      "Workflow,Step Name,edge,Configuration,agent",
      "graph_name node_name next_node context agent_type",
    ],
    [
      "aliases of edges",
      "graph,name,on_success,failure_target",
      "graph_name node_name next_on_success next_on_failure",
    ],
    [
      "aliases of fields",
      "graph,node,inputs,Output Fields,instructions,desc",
      "graph_name node_name input_fields output_field prompt description",
    ],
    ["settings", "graph,node,context.retry,Settings.timeout_ms", "graph_name node_name retry timeout_ms"],
    ["private", "graph,node,#notes,# mine", "graph_name node_name private private"],
    ["quoted", '"graph_name","node_name"', "graph_name node_name"],
    ["white space and U+FEFF", "\u00a0graph_name\ufeff,node_name", "graph_name node_name"],
  ])("%s", (_, header, expected) => {
    expect(meanings(header).join(" ")).toBe(expected);
    expect(read(`${header}\n${header.replaceAll(/[^,]+/g, "x")}\n`).found).toEqual([]);
  });

  test("the place of a setting's name is in the header", () => {
    const { sheet, rows } = read("graph_name,node_name, context.retry\nG,N,3\n");
    expect(rows[0]?.settings).toMatchObject([
      { name: "retry", nameAt: { row: -1, column: 2, start: 9, end: 14 } },
    ]);
    expect(sheet?.header[2]?.meaning).toEqual({ kind: "setting", name: "retry" });
  });
});

describe("what is wrong with a header", () => {
  test.each<[string, string, string[]]>([
    ["V15 an unknown column", "graph_name,node_name,colour\nG,N,red\n", ["unknown-column 1:22 C1"]],
    ["an unknown column, indented", "graph_name,node_name,  colour\nG,N,red\n", ["unknown-column 1:24 C1"]],
    [
      "white space for a name over filled cells",
      "graph_name,node_name,  \nG,N,red\n",
      ["unknown-column 1:22 C1"],
    ],
    ["no name over filled cells", "graph_name,node_name,\nG,N,red\n", ["unknown-column 1:22 C1"]],
    [
      "V12 two columns of one name",
      "graph_name,node_name,prompt,prompt\nG,N,a,b\n",
      ["duplicate-column 1:29 D1"],
    ],
    [
      "V12 two columns of one meaning",
      "graph_name,node_name,prompt,Instructions\nG,N,a,b\n",
      ["duplicate-column 1:29 D1"],
    ],
    [
      "three columns of one meaning",
      "graph,workflow,graph_name,node\nG,G,G,N\n",
      ["duplicate-column 1:7 B1", "duplicate-column 1:16 C1"],
    ],
    ["two columns of one setting", "graph,node,context.a,config.a\nG,N,1,2\n", ["duplicate-column 1:22 D1"]],
    ["a setting of a refused name", "graph,node,context.__proto__\nG,N,1\n", ["reserved-name 1:12 C1"]],
    ["a setting without a name", "graph,node,context.\nG,N,1\n", ["unknown-column 1:12 C1"]],
    ["V14 no node_name", "graph_name,prompt\nG,hi\n", ["missing-column 1:1 A1"]],
    [
      "V14 neither",
      "a,b\nG,hi\n",
      ["unknown-column 1:1 A1", "missing-column 1:1 A1", "missing-column 1:1 A1", "unknown-column 1:3 B1"],
    ],
    ["misspelt", "grpah_name,node_name\nG,N\n", ["unknown-column 1:1 A1", "missing-column 1:1 A1"]],
  ])("%s", (_, text, expected) => {
    expect(read(text).found).toEqual(expected);
  });

  test.each([
    ["no name over empty cells", "graph_name,node_name,,\nG,N,,\n"],
    ["no name over white space", "graph_name,node_name,\nG,N, \n"],
    ["no name over a comment", "graph_name,node_name,\n# a,b,c\nG,N,\n"],
    ["a trailing empty column", "graph_name,node_name,\nG,N,\nG,M,\n"],
    ["a private column", "graph_name,node_name,#x,#x\nG,N,1,2\n"],
  ])("silent: %s", (_, text) => {
    expect(read(text).found).toEqual([]);
  });

  test.each<[string, string | null]>([
    ["Promt", "prompt"],
    ["next_nodes", "next_node"],
    ["agnet_type", "agent_type"],
    ["instruction", "instructions"],
    ["contxt.retry", "context.retry"],
    ["Formula", "prompt"],
    ["colour", null],
    ["node_nam", null],
  ])("%s: did you mean %s?", (header, suggestion) => {
    const { problems } = read(`graph_name,node_name,${header}\nG,N,x\n`);
    expect(problems.map(({ code }) => code)).toEqual(["unknown-column"]);
    expect(problems[0]?.fix?.edits[0]?.text ?? null).toBe(suggestion);
    expect(problems[0]?.fix?.safe ?? false).toBe(false);
  });

  test("a missing column is named, with the column it concerns", () => {
    const { problems, sheet } = read("prompt,next_node\nx,y\n");
    expect(sheet).toBeNull();
    expect(problems.map(({ column, message }) => [column, message])).toEqual([
      ["graph_name", 'the header has no column "graph_name"'],
      ["node_name", 'the header has no column "node_name"'],
    ]);
  });
});

describe("rows above the header", () => {
  const HEADER = "graph_name,node_name,prompt";

  test.each<[string, string, string, string[]]>([
    [
      "a title",
      `My workflow,,\n${HEADER}\nG,N,x\n`,
      `# My workflow,,\n${HEADER}\nG,N,x\n`,
      ["missing-column 1:1 A1"],
    ],
    [
      "a quoted title",
      `"My, workflow",,\n${HEADER}\nG,N,x\n`,
      `"# My, workflow",,\n${HEADER}\nG,N,x\n`,
      ["missing-column 1:2 A1"],
    ],
    [
      "a title in the second column",
      `,Mine,\n${HEADER}\nG,N,x\n`,
      `# ,Mine,\n${HEADER}\nG,N,x\n`,
      ["missing-column 1:1 A1"],
    ],
    [
      "several, with comments and empty rows between",
      `\nTitle\n# known\n\nBy: me\n${HEADER}\nG,N,x\n`,
      `\n# Title\n# known\n\n# By: me\n${HEADER}\nG,N,x\n`,
      ["missing-column 2:1 A2"],
    ],
    [
      "an alias",
      `Workflow,,\n${HEADER}\nG,N,x\n`,
      `# Workflow,,\n${HEADER}\nG,N,x\n`,
      ["missing-column 1:1 A1"],
    ],
    [
      "bad quotes",
      `My "best" flow,,\n${HEADER}\nG,N,x\n`,
      `# My "best" flow,,\n${HEADER}\nG,N,x\n`,
      ["missing-column 1:1 A1"],
    ],
    [
      "another delimiter in it",
      `One, two, three, four\ngraph_name;node_name\nG;N\n`,
      `# One, two, three, four\ngraph_name;node_name\nG;N\n`,
      ["missing-column 1:1 A1"],
    ],
  ])("%s", (_, text, cured, expected) => {
    const { sheet, found, problems } = read(text);
    expect(sheet).toBeNull();
    expect(found).toEqual(expected);
    expect(problems[0]?.fix?.safe).toBe(true);
    expect(applyFix(text, problems[0]?.fix)).toBe(cured);
    expect(read(cured).found).toEqual([]);
    expect(read(cured).rows).toHaveLength(1);
  });

  test("names both columns and the row of the header", () => {
    const [problem] = read(`Title\n\n${HEADER}\nG,N,x\n`).problems;
    expect(problem?.message).toBe('the header has no column "graph_name" and no column "node_name"');
    expect(problem?.help).toContain("row 3");
    expect(problem?.column).toBeNull();
  });

  test("the tenth row below the first is looked at, the eleventh is not", () => {
    const below = (count: number): readonly string[] =>
      read(`${"Title\n".repeat(count)}${HEADER}\nG,N,x\n`).found;
    expect(below(10)).toEqual(["missing-column 1:1 A1"]);
    expect(below(11)).toEqual(["unknown-column 1:1 A1", "missing-column 1:1 A1", "missing-column 1:1 A1"]);
  });

  test("a place always names the text", () => {
    const text = `"Title ""x""",\n${HEADER}\nG,N,x\n`;
    expect(textAt(text, read(text).problems[0] ?? { place: null })).toBe('Title ""x""');
  });
});
