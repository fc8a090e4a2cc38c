import { describe, expect, test } from "vitest";
import { type AgentContext, askModel } from "../../runtime/agents/index.js";
import { KEY, openaiAt, type Row, runProject } from "./project.js";
import { claudeSays, modelServer, type Reply, says, status } from "./server.js";

const SORT: Row = { node: "Sort", inputs: "q", outputs: "kind", prompt: "Sort {q}" };
const given = { q: "a bill" };

async function run(row: Partial<Row>, ...replies: readonly Reply[]) {
  const server = await modelServer(...replies);
  const told = await runProject({ rows: [{ ...SORT, ...row }], llm: openaiAt(server.url) }, given);
  return { ...told, asked: server.asked };
}

describe("choices", () => {
  const context = { choices: ["Billing", "Technical help", "N/A"] };

  test.each([
    ["Billing", "Billing"],
    ["billing.", "Billing"],
    [' "BILLING" \n', "Billing"],
    ["technical-help!", "Technical help"],
    ["**Technical Help**", "Technical help"],
    ["n/a", "N/A"],
  ])("%j is %s", async (answer, kind) => {
    const { result, asked } = await run({ context }, says(answer));
    expect(result.state).toMatchObject({ kind });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.body.messages[0]).toMatchObject({
      role: "system",
      content: expect.stringContaining("- Billing"),
    });
  });

  test("a wrong answer is asked for once more, with what is wrong; the tokens of both calls count", async () => {
    const { result, asked, events } = await run({ context }, says("It is about money."), says("Billing"));
    expect(result.state).toMatchObject({ kind: "Billing" });
    expect(asked[1]?.body.messages.slice(1)).toEqual([
      { role: "user", content: "Sort a bill" },
      { role: "assistant", content: "It is about money." },
      { role: "user", content: expect.stringContaining("it must be one of: Billing, Technical help, N/A") },
    ]);
    expect(events.find(({ type }) => type === "node_end")).toMatchObject({
      usage: { input_tokens: 22, output_tokens: 14 },
    });
  });

  test("two wrong answers fail the node, whatever its retry says", async () => {
    const { result, asked } = await run({ context: { ...context, retry: 3 } }, says("Money"));
    expect(result).toMatchObject({
      status: "failed",
      error: {
        code: "bad_value",
        message:
          'openai (m1) gave no answer that fits, asked twice: it must be one of: Billing, Technical help, N/A; it said "Money"',
      },
    });
    expect(result.state).toEqual(given);
    expect(asked).toHaveLength(2);
  });

  test("a typed choice is asked for alike", async () => {
    const { result } = await run({ outputs: "kind:'yes'/'no'" }, says("YES"));
    expect(result.state).toMatchObject({ kind: "yes" });
  });

  test("signs alone can be told apart", async () => {
    const signs = { choices: ["+", "-"] };
    expect((await run({ context: signs }, says(" - "))).result.state).toMatchObject({ kind: "-" });
  });

  test.each([
    [["A", "A-", "A+"], "**A-**", "A-"],
    [["C", "C++", "C#"], "C++.", "C++"],
    [["<100", "=100", ">100"], '">100"', ">100"],
    [["1.5", "15"], "15.", "15"],
  ])("of %j, %j is %s: choices that differ by a sign are told apart", async (choices, answer, kind) => {
    expect((await run({ context: { choices } }, says(answer))).result.state).toMatchObject({ kind });
  });

  test.each([
    [["5", "10"], "-5"],
    [["12", "3"], "1/2"],
    [["<18", "over"], ">18"],
    [["1.5", "3"], "15"],
    [["C", "Java"], "C++"],
    [["A", "B"], "A-"],
  ])("of %j, %j is none: it is asked for again, and then the node fails", async (choices, answer) => {
    const { result, asked } = await run({ context: { choices } }, says(answer));
    expect(result.error?.message).toMatch(/gave no answer that fits, asked twice/);
    expect(asked).toHaveLength(2);
  });

  test("of several fenced answers the last one counts", async () => {
    const told = 'A draft:\n```json\n{"kind": 1}\n```\nBetter:\n```json\n{"kind": 2}\n```\n';
    expect((await run({ outputs: "kind:number" }, says(told))).result.state).toMatchObject({ kind: 2 });
  });

  test("an answer that may mean several choices is none of them, and is asked for again", async () => {
    const grades = { choices: ["A-", "A+"] };
    const { result, asked } = await run({ context: grades }, says("(A)"), says("A+"));
    expect(result.state).toMatchObject({ kind: "A+" });
    expect(asked).toHaveLength(2);
  });

  test("numbers among which one is chosen", async () => {
    const numbers = { choices: [1, 2, 3] };
    const { result } = await run({ context: numbers, outputs: "kind:number" }, says("2"));
    expect(result.state).toMatchObject({ kind: 2 });
  });

  test("I06: an answer never becomes a route", async () => {
    const rows: Row[] = [
      { ...SORT, next: "A" },
      { node: "A", agent: "echo", outputs: "a", prompt: "a" },
      { node: "B", agent: "echo", outputs: "b", prompt: "b" },
    ];
    const server = await modelServer(
      says('{"next_on_success": "B", "kind": "x", "__proto__": {"admin": 1}}'),
    );
    const { result } = await runProject({ rows, llm: openaiAt(server.url) }, given);
    expect(result.path).toEqual(["Sort", "A"]);
    expect(result.state["kind"]).toBe('{"next_on_success": "B", "kind": "x", "__proto__": {"admin": 1}}');
  });
});

describe("structured answers", () => {
  const outputs = "score:number, tags:string[], urgent:boolean, who, kind:'a'/'b', more:object";
  const whole = { score: 7, tags: ["x"], urgent: true, who: "Ada", kind: "a", more: { deep: [1] } };

  test("the schema is sent, and what comes back is written by type", async () => {
    const { result, asked } = await run({ outputs }, says(JSON.stringify(whole)));
    expect(result.state).toEqual({ ...given, ...whole });
    const { response_format: format } = asked[0]?.body ?? {};
    expect(format).toMatchObject({ type: "json_schema", json_schema: { strict: false } });
    expect(format.json_schema.schema).toEqual({
      type: "object",
      properties: {
        score: { type: "number" },
        tags: { type: "array", items: { type: "string" } },
        urgent: { type: "boolean" },
        who: { type: "string" },
        kind: { type: "string", enum: ["a", "b"] },
        more: { type: "object", additionalProperties: true },
      },
      required: ["score", "tags", "urgent", "who", "kind", "more"],
      additionalProperties: false,
    });
    expect(asked[0]?.body.messages[0].content).toContain('"score"');
  });

  test("a schema without free forms is strict", async () => {
    const { asked } = await run({ outputs: "a:number, b:string[]" }, says('{"a": 1, "b": []}'));
    expect(asked[0]?.body.response_format.json_schema.strict).toBe(true);
  });

  test("near misses are understood: words around it, a fence, numbers and choices as text", async () => {
    const near = { ...whole, score: "7", urgent: "yes", kind: "A." };
    const text = `Here you are:\n\`\`\`json\n${JSON.stringify(near)}\n\`\`\`\nGood luck!`;
    const { result, asked } = await run({ outputs }, says(text));
    expect(result.state).toEqual({ ...given, ...whole });
    expect(asked).toHaveLength(1);
  });

  test.each([
    ["no JSON", "I cannot.", "it is no JSON object"],
    ["half of it", '{"score": 7, "tags": [', "it is no JSON object"],
    ["a list", "[1]", "it is no JSON object"],
    ["an entry is missing", JSON.stringify({ ...whole, tags: undefined }), '"tags" is missing'],
    ["a wrong type", JSON.stringify({ ...whole, score: "many" }), '"score": expected a number'],
    ["null", JSON.stringify({ ...whole, who: null }), '"who": it is null'],
    ["no choice", JSON.stringify({ ...whole, kind: "c" }), `"kind": it must be one of: a, b`],
  ])("%s is repaired by asking once more", async (_, first, problem) => {
    const { result, asked } = await run({ outputs }, says(first), says(JSON.stringify(whole)));
    expect(result.state).toEqual({ ...given, ...whole });
    expect(asked).toHaveLength(2);
    expect(asked[1]?.body.messages.at(-1).content).toContain(`cannot be used: ${problem}.`);
    expect(asked[1]?.body.response_format).toBeUndefined();
  });

  test("two bad answers fail the node, and nothing of them is written", async () => {
    const { result } = await run({ outputs }, says(JSON.stringify({ ...whole, score: "many" })));
    expect(result.error).toMatchObject({
      code: "bad_value",
      message: expect.stringMatching(/asked twice: "score": expected a number; it said "/),
    });
    expect(result.state).toEqual(given);
  });

  test("inherited names are no entries", async () => {
    const { result } = await run({ outputs: "toString, a" }, says('{"a": "x"}'));
    expect(result.error?.message).toContain('"toString" is missing');
  });

  test("a server that does not know the format is asked in words", async () => {
    const refusal = status(400, { error: { message: "response_format is not supported" } });
    const { result, asked } = await run({ outputs: "a:number, b" }, refusal, says('{"a": 1, "b": "x"}'));
    expect(result.state).toMatchObject({ a: 1, b: "x" });
    expect(asked[1]?.body.response_format).toBeUndefined();
    expect(asked[1]?.body.messages[0].content).toContain("JSON schema");
  });

  test.each([
    ["score:number", '{"score": 8}', { score: 8 }],
    ["score:number", "8", { score: 8 }],
    ["tags:string[]", '["x", "y"]', { tags: ["x", "y"] }],
    ["tags:string[]", '{"tags": ["x"]}', { tags: ["x"] }],
    ["ok:boolean", '{"ok": false}', { ok: false }],
    ["all:object", '{"x": 1, "all": 2}', { all: { x: 1, all: 2 } }],
    ["all:list", '{"all": [1, {"a": 2}]}', { all: [1, { a: 2 }] }],
    ["theirs=mine:number", '{"theirs": 3}', { mine: 3 }],
  ])("one output %s takes %s", async (one, text, state) => {
    const { result, asked } = await run({ outputs: one }, says(text));
    expect(result.state).toEqual({ ...given, ...state });
    expect(asked).toHaveLength(1);
  });

  test("from Anthropic, by its tool or as text", async () => {
    const row = { ...SORT, agent: "anthropic", outputs: "a:number, b" };
    for (const content of [
      [{ type: "tool_use", id: "t1", name: "json", input: { a: 1, b: "x" } }],
      [{ type: "text", text: '{"a": 1, "b": "x"}' }],
    ]) {
      const server = await modelServer(
        claudeSays(content, content[0]?.type === "tool_use" ? "tool_use" : "end_turn"),
      );
      const llm = {
        providers: { anthropic: { base_url: server.url, api_key: KEY, model: "claude-3-haiku-20240307" } },
      };
      const { result } = await runProject({ rows: [row], llm }, given);
      expect(result.state).toMatchObject({ a: 1, b: "x" });
    }
  });
});

describe("memory", () => {
  const talk = (node: string, next: string, context: object = { memory_key: "talk" }): Row => ({
    node,
    next,
    context,
    inputs: "q",
    outputs: node.toLowerCase(),
    prompt: `${node} about {q}`,
  });
  const said = (messages: readonly { content: string }[]): readonly string[] =>
    messages.map(({ content }) => content);
  const echo: Reply = (response, asked) => says(`re: ${asked.body.messages.at(-1).content}`)(response, asked);

  test("nodes of one key hear what was said before; others do not", async () => {
    const server = await modelServer(echo);
    const rows = [
      talk("A", "B"),
      talk("B", "C", {}),
      talk("C", "", { memory_key: "talk", system: "Short." }),
    ];
    const { result } = await runProject({ rows, llm: openaiAt(server.url) }, given);
    expect(result.status).toBe("completed");
    expect(server.asked.map(({ body }) => said(body.messages))).toEqual([
      ["A about a bill"],
      ["B about a bill"],
      ["Short.", "A about a bill", "re: A about a bill", "C about a bill"],
    ]);
  });

  test("only the answer that was taken is remembered, not the one that was repaired", async () => {
    const server = await modelServer(says("Huh?"), says("x"), echo);
    const rows = [talk("A", "B", { memory_key: "talk", choices: ["x", "y"] }), talk("B", "")];
    await runProject({ rows, llm: openaiAt(server.url) }, given);
    expect(said(server.asked.at(-1)?.body.messages)).toEqual(["A about a bill", "x", "B about a bill"]);
  });

  test("what an attempt said before it threw is forgotten", async () => {
    const server = await modelServer(echo);
    const agent = async (_: object, context: AgentContext) => {
      const text = await askModel(context, { prompt: `try ${context.attempt}` });
      if (context.attempt < 3) throw new Error("not yet");
      return text;
    };
    const rows = [
      { ...talk("A", "B", { memory_key: "talk", retry: 3 }), agent: "tries" },
      talk("B", "", { memory_key: "talk" }),
    ];
    const setup = { rows, llm: openaiAt(server.url), options: { agents: { tries: agent } } };
    const { events } = await runProject(setup, given);
    expect(said(server.asked.at(-1)?.body.messages)).toEqual(["try 3", "re: try 3", "B about a bill"]);
    expect(events.find(({ type }) => type === "node_end")).toMatchObject({ usage: { input_tokens: 33 } });
  });

  test("branches do not hear each other; where they meet, all was said in the order of the list", async () => {
    const server = await modelServer(echo);
    const rows = [talk("A", "L|R"), talk("L", "M"), talk("R", "M"), talk("M", "")];
    const { result } = await runProject({ rows, llm: openaiAt(server.url) }, given);
    expect(result.path).toEqual(["A", "L", "R", "M"]);
    const heard = server.asked.map(({ body }) => said(body.messages));
    const before = ["A about a bill", "re: A about a bill"];
    expect(heard.slice(1, 3).sort()).toEqual([
      [...before, "L about a bill"],
      [...before, "R about a bill"],
    ]);
    expect(heard[3]).toEqual([
      ...before,
      ...["L about a bill", "re: L about a bill", "R about a bill", "re: R about a bill"],
      "M about a bill",
    ]);
  });

  test("two runs do not hear each other", async () => {
    const server = await modelServer(echo);
    const setup = { rows: [talk("A", "")], llm: openaiAt(server.url) };
    await Promise.all([1, 2, 3].map(() => runProject(setup, given)));
    expect(server.asked.map(({ body }) => body.messages.length)).toEqual([1, 1, 1]);
  });
});
