import { expect, test } from "vitest";
import { createReport, formatJson } from "../../compiler/diagnostics/report.js";
import type { FieldIR, GraphIR, NodeIR } from "../../compiler/ir.js";
import { diagnostic, FILE, misspeltTarget, placeOf, SUPPORT } from "./samples.js";

const sources = new Map([[FILE, SUPPORT]]);

const field = (name: string, input: FieldIR["input"], writers: readonly number[]): FieldIR => ({
  name,
  type: { kind: "string" },
  full: { kind: "string" },
  mayBeLeftOut: false,
  input,
  checks: [],
  writers,
  readers: [],
  setAtEnd: true,
  setAtSuccess: true,
});
const graph = (name: string, nodes: readonly string[], fields: readonly FieldIR[]): GraphIR => ({
  name,
  file: FILE,
  nodes: nodes.map((node) => ({ name: node }) as NodeIR),
  fields,
  splits: [],
  timezone: null,
  schedule: null,
  webhook: null,
  mayFail: false,
});

test("the JSON report has the documented keys in the documented order, and nothing else", () => {
  expect(JSON.parse(formatJson([misspeltTarget()], sources, []))).toEqual({
    valid: false,
    errors: 1,
    warnings: 0,
    diagnostics: [
      {
        code: "unknown-node",
        severity: "error",
        message: 'next_on_success names a node that graph "triage" does not have',
        file: "support.csv",
        line: 5,
        column: 38,
        cell: "F5",
        worksheet: null,
        graph: "triage",
        node: "Classify",
        field: "next_on_success",
        help: 'did you mean "Answer" (row 6)?',
        fix: {
          title: 'write "Answer"',
          safe: true,
          edits: [{ line: 5, column: 38, endLine: 5, endColumn: 44, text: "Answer" }],
        },
      },
    ],
    graphs: [],
  });
  const [first] = createReport([misspeltTarget()], sources, []).diagnostics;
  expect(Object.keys(first ?? {}).join()).toBe(
    "code,severity,message,file,line,column,cell,worksheet,graph,node,field,help,fix",
  );
});

test("what does not apply is null", () => {
  const [first] = createReport([diagnostic()], sources, []).diagnostics;
  const none = {
    line: null,
    column: null,
    cell: null,
    worksheet: null,
    graph: null,
    node: null,
    field: null,
    help: null,
    fix: null,
  };
  expect(first).toMatchObject(none);
});

test("a label takes the place of a help that is not there", () => {
  const [first] = createReport([diagnostic({ label: "opened here" })], sources, []).diagnostics;
  expect(first?.help).toBe("opened here");
});

test("graphs list required inputs before optional ones, and what nodes write", () => {
  const fields = [
    field("question", "optional", [0]),
    field("customer", "required", []),
    field("answer", null, [1]),
    field("region", "required", []),
  ];
  const graphs = createReport([], sources, [
    graph("Support", ["Ask", "Answer"], fields),
    graph("None", [], []),
  ]).graphs;
  expect(graphs).toEqual([
    {
      name: "Support",
      entry: "Ask",
      nodes: 2,
      inputs: ["customer", "region", "question"],
      outputs: ["question", "answer"],
    },
    { name: "None", entry: "", nodes: 0, inputs: [], outputs: [] },
  ]);
});

test("warnings alone leave a sheet valid", () => {
  const report = createReport([diagnostic({ severity: "warning" })], sources, []);
  expect(report).toMatchObject({ valid: true, errors: 0, warnings: 1 });
});

test("the list is sorted by file and place and cut at 200, the totals are not", () => {
  const at = (file: string, line: number) =>
    diagnostic({ file, place: { ...placeOf(SUPPORT, "a"), file, line, endLine: line } });
  const many = Array.from({ length: 300 }, (_, index) => at(index % 2 === 0 ? FILE : "a.csv", 300 - index));
  const report = createReport(
    many,
    new Map([
      [FILE, ""],
      ["a.csv", ""],
    ]),
    [],
  );
  expect(report.errors).toBe(300);
  expect(report.diagnostics).toHaveLength(200);
  const lines = report.diagnostics.map(({ file, line }) => [file, line]);
  expect(lines.slice(0, 2)).toEqual([
    [FILE, 2],
    [FILE, 4],
  ]);
  expect(lines.slice(150, 152)).toEqual([
    ["a.csv", 1],
    ["a.csv", 3],
  ]);
});

test("edits name their place by line and column, across lines and with every kind of line break", () => {
  const text = "a\r\nb\rc\nd";
  const found = diagnostic({ fix: { title: "join", safe: true, edits: [{ start: 1, end: 6, text: " " }] } });
  const [first] = createReport([found], new Map([[FILE, text]]), []).diagnostics;
  expect(first?.fix?.edits).toEqual([{ line: 1, column: 2, endLine: 3, endColumn: 2, text: " " }]);
});
