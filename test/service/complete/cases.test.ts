import { describe, expect, test } from "vitest";
import { atCaret, CARET, detailsAt, labelsAt, serviceWorld } from "./at-caret.js";

const SHEET = `graph_name,node_name,agent_type,next_node,next_on_success,next_on_failure,input_fields,output_field,context
Refund,Draft,llm,Approve,,Sorry,customer:string|size:'small'/'large',draft,
Refund,Approve,human,,Send,,draft,verdict,"{""options"": [""pay"", ""hold""]}"
Refund,Send,graph,,,,draft,reply,"{""graph"": ""Post""}"
Refund,Sorry,branching,,,,error,reply,
Post,Ask,input,,,,,sure:boolean,
`;

const options = { file: "refund.test.csv", world: serviceWorld(SHEET) };
const HEAD =
  "graph_name,case,given,mocks,answers,expect_status,expect_path,expect_state,expect_absent,expect_error";
const COLUMNS = HEAD.split(",");

/** A case with one cell, in quotes. */
function cell(column: string, text: string): string {
  const cells = COLUMNS.map((name) => {
    if (name === column) return `"${text.replaceAll('"', '""')}"`;
    return name === "graph_name" ? "Refund" : name === "case" ? "one" : "";
  });
  return `${HEAD}\n${cells.join(",")}\n`;
}

/** A cell of a case, under a column of one entry. */
const entry = (header: string, text: string): string => `graph_name,case,${header}\nRefund,one,${text}\n`;

test.each([
  ["given.size", CARET, ["small", "large"]],
  ["given.size", `la${CARET}`, ["small", "large"]],
  ["given.customer", CARET, []],
  ["Given . size", CARET, ["small", "large"]],
  ["answers.Approve", CARET, ["pay", "hold"]],
  ["answers.Approve", `"{""answer"": ${CARET}}"`, ["pay", "hold"]],
  ["mocks.Sorry", CARET, ["true", "false"]],
  ["mocks.Draft", `"{${CARET}}"`, ["return", "fail", "throw", "visits", "writes"]],
  ["expect_state.size", CARET, ["small", "large"]],
  ["expect_state.size", `"{${CARET}}"`, ["$any", "$match"]],
  ["given.nothing", CARET, []],
])("a cell under %s offers what its entry may be: %s", (header, text, wanted) => {
  expect(labelsAt(entry(header, text), options)).toEqual(wanted);
});

test("what is taken under a column of one entry is written as it is", () => {
  const at = atCaret(entry("given.size", `la${CARET}`), options);
  expect(at.choose("small")).toBe(entry("given.size", "small"));
});

describe("test sheets", () => {
  test.each([
    ["graph_name", CARET, ["Refund", "Post"]],
    ["case", CARET, []],
    ["given", `{"size": ${CARET}}`, ["small", "large"]],
    ["mocks", `{${CARET}}`, ["Draft", "Approve", "Send", "Send/Ask", "Sorry"]],
    ["mocks", `{"Sorry": ${CARET}}`, ["true", "false"]],
    ["mocks", `{"Draft": {"fail": "no", ${CARET}}}`, ["return", "throw", "visits", "writes"]],
    ["mocks", `{"Draft": {"visits": [{${CARET}`, ["return", "fail", "throw", "visits", "writes"]],
    ["answers", CARET, ["Approve", "Send", "Send/Ask"]],
    ["answers", `{"Approve": ${CARET}}`, ["pay", "hold"]],
    ["answers", `{"Approve": {${CARET}}}`, ["answer", "comment", "visits"]],
    ["answers", `{"Approve": {"visits": ["pay", ${CARET}]}}`, ["pay", "hold"]],
    ["expect_status", `s${CARET}`, ["completed", "failed", "suspended"]],
    ["expect_path", `Draft>${CARET}`, ["Approve", "Sorry", "*", "Draft", "Send"]],
    ["expect_path", CARET, ["Draft", "*", "Approve", "Send", "Sorry"]],
    ["expect_path", `["Draft", "${CARET}"]`, ["Draft", "Approve", "Send", "Sorry", "*"]],
    ["expect_state", `{"verdict": {${CARET}}}`, ["$any", "$match"]],
    [
      "expect_state",
      `{"verdict": {"$any": ${CARET}}}`,
      ["string", "number", "boolean", "object", "list", "null", "any"],
    ],
    ["expect_absent", `draft|${CARET};verdict`, ["reply", "error", "customer", "size"]],
    ["expect_error", `{"code": "agent_failed", ${CARET}}`, ["node", "message"]],
    ["expect_error", `{"node": "${CARET}"}`, ["Draft", "Approve", "Send", "Sorry"]],
  ])("%s %s", (column, text, expected) => {
    expect([...labelsAt(cell(column, text), options)].sort()).toEqual([...expected].sort());
    expect(labelsAt(cell(column, text), options)[0]).toBe(expected[0]);
  });

  test("what must be given comes first, with its type", () => {
    expect(detailsAt(cell("given", CARET), options)).toMatchInlineSnapshot(`
      [
        "customer: string, needed",
        "size: 'small'/'large', needed",
        "verdict: string, may be given",
        "$now: the clock of the run",
        "draft: string, written by nodes",
        "reply: object | boolean, written by nodes",
        "error: string, written by nodes",
      ]
    `);
  });

  test("what is always set at the end comes first", () => {
    expect(detailsAt(cell("expect_state", `{${CARET}}`), options)).toMatchInlineSnapshot(`
      [
        "customer: string, set at the end",
        "size: 'small'/'large', set at the end",
        "draft: string, may be unset",
        "verdict: string, may be unset",
        "reply: object | boolean, may be unset",
        "error: string, may be unset",
      ]
    `);
  });

  test("a cell without an object gets its braces", () => {
    expect(atCaret(cell("given", CARET), options).choose("customer")).toBe(cell("given", '{"customer": }'));
    expect(atCaret(cell("expect_path", `Draft>Ap${CARET}p>Send`), options).choose("Approve")).toBe(
      cell("expect_path", "Draft>Approve>Send"),
    );
  });

  test("the header has columns of test sheets, then entries of cases", () => {
    const labels = labelsAt(`case,given,${CARET}\n`, options);
    const columns = COLUMNS.filter((name) => name !== "case" && name !== "given");
    expect(labels.slice(0, columns.length)).toEqual(columns);
    expect(labels[columns.length]).toBe("given.customer");
  });

  test("the header has the entries of the graphs that the cases name", () => {
    const at = (graph: string): readonly string[] =>
      detailsAt(`graph_name,case,given.customer,${CARET}\n${graph},one,x,\n`, options).filter((label) =>
        /^\w+\./.test(label),
      );
    expect(at("Refund")).toMatchInlineSnapshot(`
      [
        "given.size: 'small'/'large', needed",
        "given.verdict: string, may be given",
        "answers.Approve: human, row 3",
        "given.$now: the clock of the run",
        "answers.Send: graph, row 4",
        "answers.Send/Ask: ",
        "expect_state.customer: string, set at the end",
        "expect_state.size: 'small'/'large', set at the end",
        "given.draft: string, written by nodes",
        "given.reply: object | boolean, written by nodes",
        "given.error: string, written by nodes",
        "mocks.Draft: llm, row 2",
        "mocks.Approve: human, row 3",
        "mocks.Send: graph, row 4",
        "mocks.Send/Ask: ",
        "mocks.Sorry: branching, row 5",
        "expect_state.draft: string, may be unset",
        "expect_state.verdict: string, may be unset",
        "expect_state.reply: object | boolean, may be unset",
        "expect_state.error: string, may be unset",
      ]
    `);
    expect(at("Post")).toMatchInlineSnapshot(`
      [
        "given.sure: boolean, may be given",
        "answers.Ask: input, row 6",
        "given.$now: the clock of the run",
        "expect_state.sure: boolean, set at the end",
        "mocks.Ask: input, row 6",
        "expect_state.error: string, may be unset",
      ]
    `);
  });

  test("an entry of the header replaces what is typed, in quotes where it needs them", () => {
    const world = serviceWorld('graph_name,node_name,agent_type,output_field\nG,"Ask, then",human,reply\n');
    const { choose } = atCaret(`case,answ${CARET}\none,x\n`, { ...options, world });
    expect(choose("answers.Ask, then")).toBe('case,"answers.Ask, then"\none,x\n');
  });

  test("without a graph there is nothing to name", () => {
    expect(labelsAt(`case,given\none,${CARET}\n`, options)).toEqual([]);
    expect(
      labelsAt(`case,given\none,${CARET}\n`, { file: "refund.test.csv", world: serviceWorld() }),
    ).toEqual([]);
  });
});
