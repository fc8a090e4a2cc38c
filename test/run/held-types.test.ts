import { expect, test } from "vitest";
import { defineAgent, Flowsheet, type Logger, type WorkflowResult } from "../../runtime/index.js";
import { createFolder } from "../cli/folder.js";
import { sheetOf } from "./sheets.js";

const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Case {
  readonly sheet: string;
  readonly graph?: string;
  readonly files?: { readonly [path: string]: string };
  readonly answers?: { readonly [agent: string]: unknown };
  readonly given?: { readonly [field: string]: unknown };
}

/** The end of a run; agents are named by what they answer. */
async function endOf({ sheet, graph, files = {}, answers = {}, given = {} }: Case): Promise<WorkflowResult> {
  const agents = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, defineAgent(() => answer as string)]),
  );
  const cwd = createFolder({ "a.csv": sheet, ...files });
  const flowsheet = new Flowsheet({ cwd, log: quiet, agents });
  return flowsheet.runWorkflow({
    csvPath: "a.csv",
    initialState: given,
    ...(graph === undefined ? {} : { graphName: graph }),
  });
}

test("a cell of a file that is no number is decided by nobody", async () => {
  const { status, state } = await endOf({
    graph: "Report",
    files: { "data/lines.csv": 'net\n"1.200,50"\nabc\n250\n99\n' },
    sheet: sheetOf(
      "Report,Read,Each,csv_reader,,,,lines,lines.csv,",
      'Report,Each,,graph,,,lines,big=bigs|errors,,"{""graph"": ""Line"", ""over"": ""lines"", ""as"": ""line"", ""on_error"": ""collect""}"',
      'Line,Big,,branching,,,net=line.net:number,big,,"{""when"": {""net"": "">100""}}"',
    ),
  });
  expect(status).toBe("completed");
  expect(state["bigs"]).toEqual([null, null, true, false]);
  expect(state["errors"]).toEqual([
    { index: 0, item: { net: "1.200,50" }, error: 'input "net" (line.net) must be number, not "1.200,50"' },
    { index: 1, item: { net: "abc" }, error: 'input "net" (line.net) must be number, not "abc"' },
  ]);
});

test("the error stands at the entry that names the type", async () => {
  const written = await endOf({ sheet: sheetOf("G,A,,odd,,,,b=n:number,,"), answers: { odd: "abc" } });
  expect(written.error).toMatchObject({ code: "bad_value", node: "A", cell: "H2", line: 2 });
  const read = await endOf({
    sheet: sheetOf("G,A,B,odd,,,,line,,", "G,B,,odd,,,line|net=line.net:number,out,,"),
    answers: { odd: { line: { net: "x" } } },
  });
  expect(read.error).toMatchObject({ code: "bad_value", node: "B", cell: "G3", line: 3 });
});

test("a graph that is run takes text as what its inputs say, or its caller's node throws bad_value", async () => {
  const sheet = sheetOf(
    'Outer,Call,,graph,,,amount=box.text,doubled,,"{""graph"": ""Inner""}"',
    "Inner,Twice,,twice,,,amount:number,doubled:number,,",
  );
  const agents = {
    twice: defineAgent(({ amount }: { readonly amount: number }) => ({ doubled: amount * 2 })),
  };
  const flowsheet = new Flowsheet({ cwd: createFolder({ "a.csv": sheet }), log: quiet, agents });
  const run = (text: unknown): Promise<WorkflowResult> =>
    flowsheet.runWorkflow({ csvPath: "a.csv", graphName: "Outer", initialState: { box: { text } } });
  expect((await run("21")).state["doubled"]).toBe(42);
  expect((await run("much")).error).toMatchObject({
    code: "bad_value",
    node: "Call",
    message: 'input "amount" of graph "Inner" must be number, not "much"',
    cell: "G2",
  });
});

test("a loop's list holds items of its type: one that does not fit is an error of that item", async () => {
  const rows = (onError: string): string =>
    sheetOf(
      `G,Each,Use,graph,,,items,n=ns:number[]${onError === "collect" ? "|errors" : ""},,"{""graph"": ""One"", ""over"": ""items"", ""as"": ""item"", ""on_error"": ""${onError}""}"`,
      "G,Use,,echo,,,ns,copy,,",
      "One,Copy,,echo,,,item,n,,",
    );
  const given = { items: [1, "2", 3] };
  const collected = await endOf({ sheet: rows("collect"), graph: "G", given });
  expect(collected.state["ns"]).toEqual([1, null, 3]);
  expect(collected.state["errors"]).toEqual([
    { index: 1, item: "2", error: 'each item of output "ns" must be number, not "2"' },
  ]);
  const failed = await endOf({ sheet: rows("fail"), graph: "G", given });
  expect(failed.error).toMatchObject({ code: "bad_value", node: "Each", cell: "H2" });
  expect(failed.error?.message).toBe('output "ns" must be number[], not [1,"2",3]');
});

test("a whole field is held where it is read when its writer names no type", async () => {
  const sheet = sheetOf("G,A,B,odd,,,,line,,", "G,B,,sees,,,line:object,out,,");
  const sees = defineAgent(({ line }: { readonly line: unknown }) => typeof line);
  const run = async (line: unknown): Promise<WorkflowResult> => {
    const agents = { odd: defineAgent(() => ({ line })), sees };
    const flowsheet = new Flowsheet({ cwd: createFolder({ "a.csv": sheet }), log: quiet, agents });
    return flowsheet.runWorkflow({ csvPath: "a.csv" });
  };
  expect((await run('{"net": 1}')).state["out"]).toBe("object");
  // What stands in the field stays as it was written.
  expect((await run('{"net": 1}')).state["line"]).toBe('{"net": 1}');
  expect((await run("[1]")).error).toMatchObject({ code: "bad_value", node: "B", cell: "G3" });
});
