import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTime } from "../processor-time.js";
import { type Row, runProject } from "./project.js";

const ASK: Row = { node: "Ask", inputs: "q", outputs: "answer", prompt: "{q}" };
const mock = (answers?: object) => ({
  default_provider: "mock",
  providers: { mock: { kind: "mock", answers } },
});

async function state(
  row: Partial<Row>,
  q: string,
  llm: object = { default_provider: "mock" },
): Promise<object> {
  const { result } = await runProject({ rows: [{ ...ASK, ...row }], llm }, { q });
  const { q: _, ...rest } = result.state;
  return result.error === null ? rest : { error: result.error.message };
}

describe("the mock invents", () => {
  test("a text that names the question", async () => {
    expect(await state({}, "Why\n is it?")).toEqual({ answer: "Mock answer to: Why is it?" });
  });

  test("the first choice whose name occurs in the prompt, else the first one", async () => {
    const context = { choices: ["red", "green", "blue"] };
    expect(await state({ context }, "A BLUE or green car")).toEqual({ answer: "green" });
    expect(await state({ context }, "A car")).toEqual({ answer: "red" });
  });

  test("values by type", async () => {
    const outputs = "n:number, yes:boolean, no='x'/'y', list:list, words:string[], o:object, text";
    expect(
      await state({ outputs: outputs.replace("no='x'/'y'", "no:'x'/'y'") }, "No y for 3.5 of 10"),
    ).toEqual({
      n: 3.5,
      yes: false,
      no: "y",
      list: ["Mock answer to: No y for 3.5 of 10"],
      words: ["Mock answer to: No y for 3.5 of 10"],
      o: {},
      text: "Mock answer to: No y for 3.5 of 10",
    });
  });

  test("something that every output can take, whatever the prompt says, and always the same", async () => {
    const outputs = "n:number, b:boolean, c:'x'/'y', l:list, ns:number[], o:object, t, w:string";
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: "grapheme" }), async (q) => {
        fc.pre(q.trim() !== "");
        const first = await state({ outputs }, q);
        expect(first).not.toHaveProperty("error");
        expect(await state({ outputs }, q)).toEqual(first);
      }),
      { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 20) },
    );
  });
});

describe("the mock answers what the configuration says", () => {
  const answers = {
    "refund*order": "Money back",
    REFUND: "Which order?",
    broken: { error: "out of order" },
    rate: { score: 9, tags: ["x"] },
    "*": "Something else",
  };

  test.each([
    ["A refund for my order", "Money back"],
    ["My order: a Refund", "Which order?"],
    ["Hello", "Something else"],
  ])("%j: %s", async (q, answer) => {
    expect(await state({}, q, mock(answers))).toEqual({ answer });
  });

  test("data for several outputs, and for one", async () => {
    const outputs = "score:number, tags:string[]";
    expect(await state({ outputs }, "rate it", mock(answers))).toEqual({ score: 9, tags: ["x"] });
    expect(await state({ outputs: "score:number" }, "rate it", mock({ rate: 4 }))).toEqual({ score: 4 });
  });

  test("a choice, which is checked like any answer", async () => {
    const context = { choices: ["a", "b"] };
    expect(await state({ context }, "x", mock({ "*": "B!" }))).toEqual({ answer: "b" });
  });

  test.each([
    ["a choice", { context: { choices: ["a", "b"] } }, "it must be one of: a, b"],
    ["a type", { outputs: "n:number" }, "expected a number"],
  ])("what does not fit %s is named, and not asked for again", async (_, row, why) => {
    // The question that asks once more would find the other pattern.
    const error = await state(row, "rate x", mock({ "rate*x": "c", "*": "b" }));
    expect(error).toEqual({
      error: expect.stringMatching(
        `^mock \\(mock\\) gave no answer that fits: .*${why}.*; the answer to "rate\\*x" of llm.providers.mock.answers in flowsheet.yaml is `,
      ),
    });
  });

  test("a failure", async () => {
    expect(await state({}, "broken", mock(answers))).toEqual({ error: "mock (mock): out of order" });
  });

  test("nothing, which is an error", async () => {
    expect(await state({}, "x", mock({ "*": "" }))).toEqual({
      error: "mock (mock): it gave an empty answer",
    });
  });

  test("I03: a pattern of many stars takes no time", async () => {
    const began = processorTime();
    await state({}, "a".repeat(100_000), mock({ [`${"a*".repeat(2_000)}b`]: "x" }));
    expect(processorTime() - began).toBeLessThan(5_000);
  });
});

test("an empty prompt is an error, not a question", async () => {
  expect(await state({}, " ")).toEqual({ error: "there is nothing to ask: the rendered prompt is empty" });
});

test("without a prompt the inputs are the question", async () => {
  expect(await state({ prompt: "" }, "only one")).toEqual({ answer: "Mock answer to: only one" });
  expect(await state({ prompt: "", inputs: "q, a=q" }, "x")).toEqual({
    answer: 'Mock answer to: { "q": "x", "a": "x" }',
  });
});

test("other agents can ask, too: tokens of all calls count", async () => {
  const { askModel } = await import("../../runtime/agents/index.js");
  const { AgentError } = await import("../../runtime/index.js");
  const asker = async (_: object, context: Parameters<typeof askModel>[0]) => {
    const text = await askModel(context, { prompt: "one" });
    const choice = await askModel(context, { prompt: "b or a", choices: ["a", "b"] });
    const data = await askModel(context, {
      prompt: "3 of 4",
      outputs: [{ key: "n", type: { kind: "number" } }],
    });
    const failed = await askModel(context, { prompt: "x", provider: "nobody" }).catch(
      (error: unknown) => error,
    );
    return { text, choice, data, failed: failed instanceof AgentError && failed.code };
  };
  const rows = [{ node: "Ask", agent: "asker", outputs: "text, choice, data, failed" }];
  const setup = { rows, llm: mock(), options: { agents: { asker } } };
  const { result, events } = await runProject(setup);
  expect(result.state).toEqual({
    text: "Mock answer to: one",
    choice: "a",
    data: 3,
    failed: "provider_failed",
  });
  expect(events.find(({ type }) => type === "node_end")).toHaveProperty("usage.input_tokens", 5);
});

test("models that code gives take the place of ours", async () => {
  const asked: unknown[] = [];
  const generate = async (request: { readonly prompt: string }) => {
    asked.push(request.prompt);
    return { text: "from code", usage: { input_tokens: 1, output_tokens: 2 }, provider: "own", model: "m" };
  };
  const { result } = await runProject(
    { rows: [ASK], options: { services: { llm: { generate } } } },
    { q: "x" },
  );
  expect([result.state["answer"], asked]).toEqual(["from code", ["x"]]);
});
