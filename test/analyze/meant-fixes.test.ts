import { describe, expect, test } from "vitest";
import { understandSheet } from "../../compiler/compile.js";
import type { Code } from "../../compiler/diagnostics/catalogue.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { mayBe } from "../../compiler/diagnostics/explanations/fixable.js";
import { applyFixes } from "../../compiler/service/fix-rounds.js";
import { understandTests } from "../../compiler/understand-tests.js";
import type { World } from "../../compiler/world.js";
import { testWorld } from "../world.js";

/** What a message suggests, written: the mended row, and whether --fix does it without being told so. */
interface Mended {
  readonly row: string;
  readonly safe: boolean | undefined;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function mendedRow(
  text: string,
  row: string,
  code: Code,
  diagnosticsOf: (text: string) => readonly Diagnostic[],
): Mended {
  const all = diagnosticsOf(text).filter((one) => one.code === code);
  expect(all.map(({ code: found }) => found)).toEqual([code]);
  expect(mayBe(code, all[0]?.fix?.safe ?? false)).toBe(true);
  const mended = applyFixes(text, all, { unsafe: true, codes: null });
  expect(diagnosticsOf(mended.text).filter((one) => one.code === code)).toEqual([]);
  const at = text.split("\n").indexOf(row);
  return { row: mended.text.split("\n")[at] ?? "", safe: all[0]?.fix?.safe };
}

const HEADER = "graph_name,node_name,agent_type,next_node,input_fields,output_field,context,prompt";
const world: Partial<World> = {
  customAgents: new Set(["translate"]),
  otherGraphs: new Set(["other::Elsewhere"]),
  prompt: (kind, name) =>
    kind === "prompt" && name === "greet" ? { text: "Hi" } : { missing: "none", meant: "greet" },
};

/** The second row of a sheet is mended; further rows stand around it. */
function mended(row: string, code: Code, ...others: readonly string[]): Mended {
  const text = [HEADER, row, ...others, ""].join("\n");
  const diagnosticsOf = (sheet: string) =>
    understandSheet({ file: "a.csv", bytes: bytesOf(sheet) }, testWorld(world)).diagnostics;
  return mendedRow(text, row, code, diagnosticsOf);
}

const INNER = "Inner,Add,echo,,amount|rate,total,,{amount} {rate}";

describe("names in a sheet", () => {
  test.each<[string, Code, string, string, boolean, ...string[]]>([
    [
      "a graph",
      "unknown-graph",
      'S,A,graph,,amount|rate,total,"{""graph"": ""Iner""}",',
      'S,A,graph,,amount|rate,total,"{""graph"": ""Inner""}",',
      false,
      INNER,
    ],
    [
      "a graph in other letters",
      "unknown-graph",
      'S,A,graph,,amount|rate,total,"{""graph"": ""inner""}",',
      'S,A,graph,,amount|rate,total,"{""graph"": ""Inner""}",',
      true,
      INNER,
    ],
    [
      "a graph of another sheet",
      "unknown-graph",
      'S,A,graph,,,total,"{""graph"": ""Elsewhere""}",',
      'S,A,graph,,,total,"{""graph"": ""other::Elsewhere""}",',
      false,
    ],
    ["an agent", "unknown-agent", "S,A,translte,,x,y,,{x}", "S,A,translate,,x,y,,{x}", false],
    [
      "a setting",
      "unknown-setting",
      'S,A,echo,,x,y,"{""retri"": 3}",{x}',
      'S,A,echo,,x,y,"{""retry"": 3}",{x}',
      false,
    ],
    [
      "a setting without quotes",
      "unknown-setting",
      "S,A,echo,,x,y,{retri: 3},{x}",
      'S,A,echo,,x,y,"{""retry"": 3}",{x}',
      false,
    ],
    [
      "a part of retry",
      "unknown-setting",
      'S,A,echo,,x,y,"{""retry"": {""atempts"": 3}}",{x}',
      'S,A,echo,,x,y,"{""retry"": {""attempts"": 3}}",{x}',
      false,
    ],
    [
      "a time zone",
      "bad-setting",
      'S,A,echo,,x,y,"{""timezone"": ""Berlin""}",{x}',
      'S,A,echo,,x,y,"{""timezone"": ""Europe/Berlin""}",{x}',
      false,
    ],
    [
      "an input in a setting",
      "bad-setting",
      'S,A,branching,B,score|x,,"{""when"": {""scor"": "">1""}}",',
      'S,A,branching,B,score|x,,"{""when"": {""score"": "">1""}}",',
      false,
      "S,B,echo,,x,y,,{x}",
    ],
    [
      "the only input",
      "bad-setting",
      'S,A,graph,,rows,total,"{""graph"": ""Each"", ""over"": ""list""}",',
      'S,A,graph,,rows,total,"{""graph"": ""Each"", ""over"": ""rows""}",',
      false,
      "Each,A,echo,,item,total,,{item}",
    ],
    ["a prompt", "missing-prompt", "S,A,echo,,,y,,prompt:gret", "S,A,echo,,,y,,prompt:greet", false],
    [
      "text like a placeholder",
      "almost-placeholder",
      "S,A,echo,,customer,y,,Hi {customer",
      "S,A,echo,,customer,y,,Hi {customer}",
      false,
    ],
    [
      "an input of a called graph",
      "unknown-input",
      'S,A,graph,,amount|rate|dept,total,"{""graph"": ""Deep""}",',
      'S,A,graph,,amount|rate|depth=dept,total,"{""graph"": ""Deep""}",',
      false,
      "Deep,Add,echo,,amount|rate|depth?,total,,{amount} {rate} {depth}",
    ],
    [
      "an input that a called graph needs",
      "missing-input",
      'S,A,graph,,amount,total,"{""graph"": ""Inner""}",',
      'S,A,graph,,amount|rate,total,"{""graph"": ""Inner""}",',
      false,
      "S,B,echo,A,,rate,,5",
      INNER,
    ],
    [
      "an input between double braces",
      "unused-input",
      "S,A,echo,,customer,y,,Hi {{customer}}",
      "S,A,echo,,customer,y,,Hi {customer}",
      false,
    ],
    [
      "an output of a called graph",
      "unknown-output",
      'S,A,graph,,amount|rate,totl:string,"{""graph"": ""Inner""}",',
      'S,A,graph,,amount|rate,total=totl:string,"{""graph"": ""Inner""}",',
      false,
      INNER,
    ],
    [
      "an output in other letters",
      "unknown-output",
      'S,A,graph,,amount|rate,Total=sum,"{""graph"": ""Inner""}",',
      'S,A,graph,,amount|rate,total=sum,"{""graph"": ""Inner""}",',
      true,
      INNER,
    ],
  ])("%s", (_, code, before, row, safe, ...others) => {
    expect(mended(before, code, ...others)).toEqual({ row, safe });
  });

  const writer = "S,W,echo,A,,customer,,Ada";

  test.each([
    [
      "its placeholders follow",
      "S,A,echo,,custome|x,y,,Hi {custome} and {x}",
      "S,A,echo,,customer|x,y,,Hi {customer} and {x}",
    ],
    [
      "with a path and a type",
      "S,A,echo,,custome.name?:string,y,,Hi {custome.name}",
      "S,A,echo,,customer.name?:string,y,,Hi {customer.name}",
    ],
    ["under a name of its own", "S,A,echo,,who=custome,y,,Hi {who}", "S,A,echo,,who=customer,y,,Hi {who}"],
    [
      "the graph that is called knows the input",
      'S,A,graph,END,custome,y,"{""graph"": ""Inner""}",',
      'S,A,graph,END,custome=customer,y,"{""graph"": ""Inner""}",',
    ],
    [
      "a setting names the input",
      'S,A,branching,END,custome,,"{""when"": {""custome"": ""A*""}}",',
      'S,A,branching,END,custome=customer,,"{""when"": {""custome"": ""A*""}}",',
    ],
  ])("a misspelt field: %s", (_, before, row) => {
    const inner = "Inner,Say,echo,,custome,y,,{custome}";
    const text = [HEADER, writer, before, inner, ""].join("\n");
    const diagnosticsOf = (sheet: string) =>
      understandSheet({ file: "a.csv", bytes: bytesOf(sheet) }, testWorld(world)).diagnostics;
    expect(mendedRow(text, before, "misspelt-field", diagnosticsOf)).toEqual({ row, safe: false });
  });

  test("the column of a setting is renamed only where every row has a value for the new name", () => {
    const header = "graph_name,node_name,agent_type,input_fields,output_field,prompt,context.retri";
    const found = (value: string) =>
      understandSheet(
        { file: "a.csv", bytes: bytesOf(`${header}\nS,A,echo,x,y,{x},2\nS,B,echo,x,z,{x},${value}\n`) },
        testWorld(),
      ).diagnostics.find(({ code }) => code === "unknown-setting");
    expect(found("3")?.fix?.edits[0]?.text).toBe("retry");
    const timeout = (value: string) =>
      understandSheet(
        {
          file: "a.csv",
          bytes: bytesOf(
            `${header.replace("retri", "max_visit")}\nS,A,echo,x,y,{x},2\nS,B,echo,x,z,{x},${value}\n`,
          ),
        },
        testWorld(),
      ).diagnostics.find(({ code }) => code === "unknown-setting");
    expect(timeout("3")?.fix?.edits[0]?.text).toBe("max_visits");
    expect(timeout("many")).toMatchObject({ help: 'did you mean "max_visits"?', fix: null });
  });
});

const SHEET = [
  HEADER,
  "S,Ask,input,Answer,,question,,What?",
  "S,Answer,echo,,question,answer,,{question}",
  "",
].join("\n");
const TESTS =
  "case,graph_name,given,mocks,answers,expect_status,expect_path,expect_state,expect_absent,expect_error";

describe("names in a test sheet", () => {
  test.each<[string, Code, string, string, boolean]>([
    ["a graph", "unknown-graph", "one,s,,,,,,,,", "one,S,,,,,,,,", true],
    [
      "a field that is given",
      "unknown-field",
      'one,S,"{""Question"": 1}",,,,,,,',
      'one,S,"{""question"": 1}",,,,,,,',
      false,
    ],
    [
      "an expected field",
      "unknown-field",
      'one,S,,,,,,"{""anwser"": 1}",,',
      'one,S,,,,,,"{""answer"": 1}",,',
      false,
    ],
    [
      "an expected field in other letters",
      "unknown-field",
      'one,S,,,,,,"{""Answer"": 1}",,',
      'one,S,,,,,,"{""answer"": 1}",,',
      true,
    ],
    [
      "a field that is absent",
      "unknown-field",
      "one,S,,,,,,,question|anwser,",
      "one,S,,,,,,,question|answer,",
      false,
    ],
    ["a node of a path", "unknown-node", "one,S,,,,,Ask>answer,,,", "one,S,,,,,Ask>Answer,,,", true],
    [
      "a node of a path in JSON",
      "unknown-node",
      'one,S,,,,,"[""Ask"", ""Anwser""]",,,',
      'one,S,,,,,"[""Ask"", ""Answer""]",,,',
      false,
    ],
    [
      "a mocked node",
      "unknown-node",
      'one,S,,"{""Anser"": ""x""}",,,,,,',
      'one,S,,"{""Answer"": ""x""}",,,,,,',
      false,
    ],
    [
      "an answered node",
      "unknown-node",
      'one,S,,,"{""ask"": ""x""}",,,,,',
      'one,S,,,"{""Ask"": ""x""}",,,,,',
      true,
    ],
    [
      "the node of an error",
      "unknown-node",
      'one,S,,,,,,,,"{""node"": ""Aks""}"',
      'one,S,,,,,,,,"{""node"": ""Ask""}"',
      false,
    ],
    ["a status", "bad-case", "one,S,,,,completd,,,,", "one,S,,,,completed,,,,", false],
    [
      "a matcher",
      "bad-case",
      'one,S,,,,,,"{""answer"": {""$anny"": ""string""}}",,',
      'one,S,,,,,,"{""answer"": {""$any"": ""string""}}",,',
      false,
    ],
    [
      "a kind",
      "bad-case",
      'one,S,,,,,,"{""answer"": {""$any"": ""strng""}}",,',
      'one,S,,,,,,"{""answer"": {""$any"": ""string""}}",,',
      false,
    ],
  ])("%s", (_, code, before, row, safe) => {
    const workflow = understandSheet({ file: "a.csv", bytes: bytesOf(SHEET) }, testWorld());
    const tested = { graphs: workflow.graphs, agents: testWorld().agents };
    const text = [TESTS, before, ""].join("\n");
    const diagnosticsOf = (sheet: string) =>
      understandTests({ file: "a.test.csv", bytes: bytesOf(sheet) }, tested).diagnostics;
    expect(mendedRow(text, before, code, diagnosticsOf)).toEqual({ row, safe });
  });
});

test.each([
  ["expect.level", "expect_state.level"],
  ["expected.level", "expect_state.level"],
  ["mock.Ask", "mocks.Ask"],
  ["answer.Ask", "answers.Ask"],
  ["input.net", "given.net"],
  ["givn.net", "given.net"],
  ["expect", "expect_state"],
  ["inputs", "given"],
  ["status", "expect_status"],
])("a column of a test sheet, %s, is %s", (header, meant) => {
  const diagnosticsOf = (sheet: string) =>
    understandTests({ file: "a.test.csv", bytes: bytesOf(sheet) }, { graphs: [], agents: testWorld().agents })
      .diagnostics;
  const before = `case,${header}`;
  const found = mendedRow(`${before}\none,\n`, before, "unknown-column", diagnosticsOf);
  expect(found).toEqual({ row: `case,${meant}`, safe: false });
});

test.each(["status.x", "net.level", "note"])("a column %s of a test sheet means none", (header) => {
  const found = understandTests(
    { file: "a.test.csv", bytes: bytesOf(`case,${header}\none,\n`) },
    { graphs: [], agents: testWorld().agents },
  ).diagnostics.find(({ code }) => code === "unknown-column");
  expect(found).toMatchObject({ fix: null, help: expect.not.stringContaining("did you mean") });
});

test("a name that the object has already is not suggested again", () => {
  const [found] = understandSheet(
    { file: "a.csv", bytes: bytesOf(`${HEADER}\nS,A,echo,,x,y,"{""retry"": 2, ""retri"": 3}",{x}\n`) },
    testWorld(),
  ).diagnostics;
  expect(found).toMatchObject({ code: "unknown-setting", fix: null });
  expect(found?.help).not.toContain("did you mean");
});
