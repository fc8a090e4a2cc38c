import { describe, expect, it } from "vitest";
import { createProject, type SheetRow } from "./sheet.js";

const ends: readonly SheetRow[] = ["Yes", "No", "Other"].map((node) => ({
  node,
  agent: "echo",
  prompt: node,
}));
const goes = async (row: Partial<SheetRow>, given: object): Promise<unknown> => {
  const first: SheetRow = { node: "Check", inputs: "x", outputs: "y", ...row };
  const { path, state, error } = await createProject([first, ...ends]).run(given);
  return error === null ? [path[1], state["y"]] : error.message;
};

describe("branching in a sheet", () => {
  const when = (criterion: unknown): Partial<SheetRow> => ({
    agent: "branching",
    context: { when: { x: criterion } },
    success: "Yes",
    failure: "No",
    inputs: "x?",
  });
  it.each<[unknown, unknown, boolean]>([
    [">100", 101, true],
    [">100", "101", true],
    [">100", "1e3", true],
    [">100", "many", false],
    [">100", null, false],
    ["<>DE", undefined, true],
    ["<>", undefined, false],
    ["<>", "", false],
    ["", null, true],
    ["=", undefined, true],
    ["*", undefined, false],
    ["*", "", true],
    ["*urgent*", "Very URGENT!", true],
    ["a?c", "abc", true],
    ["~*", "*", true],
    ["~*", "x", false],
    ["007", 7, true],
    [true, "true", true],
    ["TRUE", true, true],
    [">=2026-02-28", "2026-03-01", true],
    [["AT", "D*"], "de", true],
    [7, "7.0", true],
  ])("%j is met by %j: %s", async (criterion, x, met) => {
    expect(await goes(when(criterion), x === undefined ? {} : { x })).toEqual([met ? "Yes" : "No", met]);
  });

  it("settings may name an input by its field", async () => {
    const row = { ...when(">1"), inputs: "n=x", context: { when: { x: ">1" } } };
    expect(await goes(row, { x: 2 })).toEqual(["Yes", true]);
    const second = {
      agent: "branching",
      context: { success_field: "b" },
      inputs: "x|c=b",
      success: "Yes",
      failure: "No",
    };
    expect(await goes(second, { x: "no", b: "yes" })).toEqual(["Yes", true]);
  });

  it.each([
    ["passed", true],
    ["INVALID", false],
    ["On", true],
    [0, false],
  ])("%j is a common word", async (x, met) => {
    const row = { agent: "branching", success: "Yes", failure: "No" };
    expect(await goes(row, { x })).toEqual([met ? "Yes" : "No", met]);
  });
});

describe("switch in a sheet", () => {
  const row = {
    agent: "switch",
    next: "Yes|No",
    context: { cases: { "7": "Yes", true: "No", Ja: "Yes" }, default: "Other" },
  };
  it.each([
    ["yes", "Yes", "yes"],
    [7, "Yes", "7"],
    [true, "No", "true"],
    ["JA", "Yes", "JA"],
    [" no ", "No", " no "],
    ["what", "Other", "what"],
    [{ a: 1 }, "Other", '{"a":1}'],
  ])("%j", async (x, node, y) => {
    expect(await goes(row, { x })).toEqual([node, y]);
  });

  it("without a default an unknown value throws", async () => {
    expect(await goes({ ...row, context: "" }, { x: "what" })).toBe(
      'nothing is listed for "what", and there is no default',
    );
  });
});

describe("input in a sheet", () => {
  it.each<[string, unknown, unknown]>([
    ["number", "12.5", 12.5],
    ["boolean", "Yes", true],
    ["string", 12, "12"],
    ["list", "a, b|c", ["a", "b", "c"]],
    ["number[]", "[1, 2]", [1, 2]],
    ["object", '{"a": 1}', { a: 1 }],
    ["'red'/'blue'", "RED", "red"],
    ["any", [1], [1]],
  ])("an answer becomes %s: %j", async (type, answer, value) => {
    const { run, flowsheet } = createProject([
      { node: "Ask", agent: "input", outputs: `y:${type}`, prompt: "?" },
    ]);
    const { runId } = await run();
    expect((await flowsheet.resume(runId, { Ask: answer as never })).state["y"]).toEqual(value);
  });

  it.each([
    ["number", "twelve", "expected a number"],
    ["boolean", "perhaps", "expected yes or no"],
    ["'red'/'blue'", "green", "expected one of red, blue"],
    ["object", "[1]", "expected a JSON object"],
    ["string", { a: 1 }, "expected a text"],
  ])("what is no %s is refused, and the run waits on: %j", async (type, answer, problem) => {
    const { run, flowsheet } = createProject([
      { node: "Ask", agent: "input", outputs: `y:${type}`, prompt: "?" },
    ]);
    const { runId } = await run();
    await expect(flowsheet.resume(runId, { Ask: answer as never })).rejects.toThrow(problem);
    expect(await flowsheet.runs()).toHaveLength(1);
  });

  it("a given value stands for the first visit only; a second asks again", async () => {
    const rows: readonly SheetRow[] = [
      { node: "Ask", next: "Check", agent: "input", outputs: "y", prompt: "Which?" },
      {
        node: "Check",
        agent: "branching",
        inputs: "y",
        context: { when: { y: "good" } },
        success: "END",
        failure: "Ask",
      },
    ];
    const { run, flowsheet } = createProject(rows);
    const first = await run({ y: "bad" });
    expect(first).toMatchObject({ status: "suspended", path: ["Ask", "Check", "Ask"] });
    expect(await flowsheet.resume(first.runId, { Ask: "good" })).toMatchObject({
      status: "completed",
      state: { y: "good" },
    });
  });
});

describe("human in a sheet", () => {
  const ask = (context: object, outputs = "y"): readonly SheetRow[] => [
    { node: "Ask", agent: "human", context, outputs, success: "Yes", failure: "No", prompt: "Well?" },
    ...ends,
  ];
  const answered = async (rows: readonly SheetRow[], answer: unknown): Promise<readonly unknown[]> => {
    const { run, flowsheet } = createProject(rows);
    const { runId } = await run();
    const { path, state } = await flowsheet.resume(runId, { Ask: answer as never });
    return [path[1], state];
  };
  it.each<[object, unknown, string, string]>([
    [{}, "ok", "Yes", "ok"],
    [{}, "Declined", "No", "Declined"],
    [{ interaction: "approval", options: ["ship it", "hold it"] }, "HOLD IT", "No", "hold it"],
    [{ interaction: "approval", options: ["ship it", "hold it"] }, "yes", "Yes", "yes"],
    [{ options: ["Red", "Blue"] }, "blue", "Yes", "Blue"],
    [{ interaction: "text" }, "no", "Yes", "no"],
  ])("%j, answered %j: %s", async (context, answer, node, y) => {
    expect(await answered(ask(context), answer)).toEqual([node, { y }]);
  });

  it("a comment comes along, also as JSON text; a field of yes and no gets that", async () => {
    const rows = ask({ interaction: "approval" }, "y:boolean|comment");
    for (const answer of [
      { answer: "reject", comment: "too much" },
      '{"answer": "reject", "comment": "too much"}',
    ])
      expect(await answered(rows, answer)).toEqual(["No", { y: false, comment: "too much" }]);
    expect(await answered(rows, "approve")).toEqual(["Yes", { y: true }]);
  });

  it("what is given is one answer: another node that asks for the field asks", async () => {
    const { run, flowsheet } = createProject([
      { node: "Ask", next: "Again", agent: "input", outputs: "y", prompt: "Which?" },
      { node: "Again", agent: "input", outputs: "y", prompt: "Which else?" },
    ]);
    const first = await run({ y: "one" });
    expect(first).toMatchObject({ status: "suspended", path: ["Ask", "Again"], state: { y: "one" } });
    expect((await flowsheet.resume(first.runId, { Again: "two" })).state).toEqual({ y: "two" });
  });

  it("a judgement given beforehand that is none keeps the run from beginning", async () => {
    const rows = ask({ options: ["small", "large"] });
    await expect(createProject(rows).run({ y: "huge" })).rejects.toThrow(
      'input "y" is no answer: expected one of small, large, not "huge"',
    );
    expect((await createProject(rows).run({ y: "LARGE" })).state["y"]).toBe("large");
  });

  it("a judgement given beforehand is taken at once, with its comment", async () => {
    const rows = ask({ interaction: "approval" }, "comment|y");
    expect(await createProject(rows).run({ y: "no", comment: "late" })).toMatchObject({
      status: "completed",
      path: ["Ask", "No"],
      state: { y: "no", comment: "late" },
    });
    expect((await createProject(rows).run({ y: "yes" })).path).toEqual(["Ask", "Yes"]);
    expect((await createProject(rows).run({ comment: "alone" })).status).toBe("suspended");
  });

  it("a wait that is over takes default_action, else the node throws", async () => {
    for (const [context, next] of [
      [{ timeout_ms: 20, default_action: "approve" }, "Yes"],
      [{ timeout_ms: 20, default_action: "reject" }, "No"],
      [{ timeout_ms: 20 }, "No"],
    ] as const) {
      const { run, flowsheet } = createProject(ask(context));
      const { runId } = await run();
      await new Promise((resolve) => setTimeout(resolve, 40));
      const { path, state } = await flowsheet.resume(runId);
      expect(path[1]).toBe(next);
      expect(state["error"]).toBe("default_action" in context ? undefined : "no answer within 20 ms");
    }
  });
});
