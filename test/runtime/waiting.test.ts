import { branching, echo, human, input, subgraph, success, switching } from "flowsheet/agents";
import { describe, expect, it } from "vitest";
import { convert } from "../../compiler/types/convert.js";
import type {
  AnyGraph,
  Checkpoint,
  FieldType,
  Json,
  Ops,
  Result,
  StateData,
  WaitSpec,
  WriteSpec,
} from "../../runtime/graph/contract/contract.js";
import { mapOps } from "./memory-ops.js";
import { type Act, pause, type Tiny, tiny } from "./tiny.js";

const ask = (rest: Partial<Tiny> = {}): Tiny => ({ agent: input as Act, ...rest });
const judge = (settings: Tiny["settings"], rest: Partial<Tiny> = {}): Tiny => ({
  agent: human as Act,
  ...(settings === undefined ? {} : { settings }),
  ...rest,
});

function checkpointOf(result: Result<StateData>): Checkpoint {
  if (result.status !== "suspended") throw new Error(`the run is ${result.status}: ${result.error?.message}`);
  return JSON.parse(JSON.stringify(result.checkpoint)) as Checkpoint;
}

/** Runs to the first wait, through JSON, and on with one answer. */
async function answered(graph: AnyGraph, node: string, answer: Json): Promise<Result<StateData>> {
  return graph.resume(checkpointOf(await graph.run({})), { [node]: answer });
}

describe("input", () => {
  const greet: Tiny = {
    agent: echo as Act,
    reads: ["name"],
    prompt: ({ name }) => `Hello ${name}`,
    writes: ["greeting"],
  };
  const hello = tiny({
    Ask: ask({ writes: ["name"], prompt: () => "Your name?", next: "Greet" }),
    Greet: greet,
  });

  it("suspends the run, which goes on with an answer", async () => {
    const result = await hello.run({});
    expect(result).toMatchObject({ status: "suspended", path: ["Ask"], steps: 1, state: {}, error: null });
    expect(result.waiting).toEqual([
      { node: "Ask", field: "name", prompt: "Your name?", options: null, type: null },
    ]);
    const done = await hello.resume(checkpointOf(result), { Ask: "Ada" });
    expect(done).toMatchObject({
      status: "completed",
      path: ["Ask", "Greet"],
      steps: 2,
      runId: result.runId,
    });
    expect(done.state).toEqual({ name: "Ada", greeting: "Hello Ada" });
  });

  it("takes what was given, on the first visit only", async () => {
    expect((await hello.run({ name: "Ada" })).state).toEqual({ name: "Ada", greeting: "Hello Ada" });
    const again = tiny({ Ask: ask({ writes: ["name"], next: "Ask", maxVisits: 2 }) });
    expect(await again.run({ name: "Ada" })).toMatchObject({
      status: "suspended",
      path: ["Ask", "Ask"],
      state: { name: "Ada" },
    });
  });

  it("asks at once when there is somebody to ask", async () => {
    const asked: unknown[] = [];
    const result = await hello.run(
      {},
      {
        ask: async (waiting) => {
          asked.push(waiting);
          return "Ada";
        },
      },
    );
    expect(result).toMatchObject({
      status: "completed",
      path: ["Ask", "Greet"],
      state: { greeting: "Hello Ada" },
    });
    expect(asked).toMatchObject([{ node: "Ask", prompt: "Your name?" }]);
  });

  it("asks for several outputs as one mapping", async () => {
    const graph = tiny({ Ask: ask({ writes: ["first", { field: "family", key: "last" }] }) });
    expect((await answered(graph, "Ask", '{"first": "Ada", "last": "Lovelace"}')).state).toEqual({
      first: "Ada",
      family: "Lovelace",
    });
    expect((await graph.run({ first: "Ada", family: "Lovelace" })).status).toBe("completed");
    expect((await graph.run({ first: "Ada" })).status).toBe("suspended");
  });

  it("an empty answer is an answer", async () => {
    expect((await answered(hello, "Ask", "")).state).toEqual({ name: "", greeting: "Hello " });
  });

  it("the duration is that of the legs, not of the wait", async () => {
    const began = performance.now();
    const result = await hello.run({});
    const suspended = performance.now();
    await pause(50);
    const waited = performance.now() - suspended;
    const done = await hello.resume(checkpointOf(result), { Ask: "Ada" });
    expect(done.durationMs).toBeGreaterThanOrEqual(result.durationMs);
    expect(done.durationMs).toBeLessThanOrEqual(performance.now() - began - waited);
  });
});

describe("answers", () => {
  const list = (item: "number" | "string"): FieldType => ({ kind: "list-of", item });
  it.each<[FieldType, Json, Json | { problem: string }]>([
    [{ kind: "string" }, 42, "42"],
    [{ kind: "string" }, "007", "007"],
    [{ kind: "number" }, " 42.5 ", 42.5],
    [{ kind: "number" }, "many", { problem: "expected a number" }],
    [{ kind: "number" }, "", { problem: "expected a number" }],
    [{ kind: "number" }, "Infinity", { problem: "expected a number" }],
    [{ kind: "boolean" }, "Yes", true],
    [{ kind: "boolean" }, 0, false],
    [{ kind: "boolean" }, "perhaps", { problem: "expected yes or no" }],
    [{ kind: "list" }, "[1, 2]", [1, 2]],
    [{ kind: "list" }, "a, b; c|d", ["a", "b", "c", "d"]],
    [list("number"), "1, 2", [1, 2]],
    [list("number"), "1, x", { problem: "expected a number for each item of the list" }],
    [list("string"), "", []],
    [{ kind: "object" }, '{"a": 1}', { a: 1 }],
    [{ kind: "object" }, "[1]", { problem: "expected a JSON object" }],
    [{ kind: "any" }, "7", "7"],
    [{ kind: "choice", values: ["Red", "Blue"] }, " blue", "Blue"],
    [{ kind: "choice", values: ["Red", "Blue"] }, "green", { problem: "expected one of Red, Blue" }],
    [{ kind: "union", members: [{ kind: "string" }, { kind: "number" }] }, "7", 7],
    [{ kind: "union", members: [{ kind: "string" }, { kind: "number" }] }, "x", "x"],
  ])("as %j: %j", (type, given, wanted) => {
    const problem = typeof wanted === "object" && wanted !== null && "problem" in wanted;
    expect(convert(given, type)).toEqual(problem ? wanted : { value: wanted });
  });

  it("are of the field's type", async () => {
    const graph = tiny({ Ask: ask({ writes: [{ field: "age", type: { kind: "number" } }] }) });
    expect((await answered(graph, "Ask", "42")).state).toEqual({ age: 42 });
  });

  it("an answer that does not fit, or for nobody, is refused and nothing is run", async () => {
    let called = 0;
    const count: Act = () => {
      called += 1;
      return called;
    };
    const graph = tiny({
      Ask: ask({ writes: [{ field: "age", type: { kind: "number" } }], next: "Next" }),
      Next: count,
    });
    const checkpoint = checkpointOf(await graph.run({}));
    await expect(graph.resume(checkpoint, { Ask: "many" })).rejects.toMatchObject({
      code: "answer_invalid",
      node: "Ask",
      message: 'the answer for "Ask" does not fit: expected a number',
    });
    await expect(graph.resume(checkpoint, { Next: 1 })).rejects.toMatchObject({
      code: "answer_invalid",
      message: '"Next" waits for no answer; what waits is "Ask"',
    });
    expect(called).toBe(0);
    expect((await graph.resume(checkpoint, { Ask: 4 })).state).toEqual({ age: 4, Next: 1 });
  });

  it("of an agent that names no type is read by that of the node's only output", async () => {
    const type = { kind: "number" } as const;
    const asks = (spec: WaitSpec, writes: readonly WriteSpec[]): AnyGraph =>
      tiny({ Ask: { agent: (_, { answer, wait }) => answer ?? wait(spec), writes } });
    const answerOf = async (graph: AnyGraph, answer: Json): Promise<unknown> =>
      (await graph.resume(checkpointOf(await graph.run({})), { Ask: answer })).state;
    expect(await answerOf(asks({}, [{ field: "n", type }]), " 7 ")).toEqual({ n: 7 });
    await expect(answerOf(asks({}, [{ field: "n", type }]), "seven")).rejects.toThrow("expected a number");
    expect(await answerOf(asks({}, [{ field: "n" }]), "7")).toEqual({ n: "7" });
    // What it says itself goes first.
    const yes = { type: { kind: "boolean" } } as const;
    expect(await answerOf(asks(yes, [{ field: "n" }]), "yes")).toEqual({ n: true });
    expect(await answerOf(asks({ options: ["1", "2"] }, [{ field: "n", type }]), "2")).toEqual({ n: 2 });
  });

  it("an answer given at once that does not fit fails the node", async () => {
    const graph = tiny({ Ask: ask({ writes: [{ field: "age", type: { kind: "number" } }] }) });
    expect((await graph.run({}, { ask: () => "many" })).error).toMatchObject({
      node: "Ask",
      code: "agent_failed",
    });
  });
});

describe("human", () => {
  const decide = (settings: Tiny["settings"] = {}, rest: Partial<Tiny> = {}): AnyGraph =>
    tiny({ Decide: judge(settings, { success: "Yes", failure: "No", ...rest }), Yes: () => 1, No: () => 0 });

  it.each<[string, Json, readonly string[], Json]>([
    ["yes", "yes", ["Decide", "Yes"], "yes"],
    ["a word for yes", "Approved", ["Decide", "Yes"], "Approved"],
    ["true", true, ["Decide", "Yes"], "true"],
    ["no", "no", ["Decide", "No"], "no"],
    ["reject", "reject", ["Decide", "No"], "reject"],
    ["with a comment", { answer: "no", comment: "too dear" }, ["Decide", "No"], "no"],
  ])("an approval decides the outcome: %s", async (_, answer, path, value) => {
    const result = await answered(decide(), "Decide", answer);
    expect(result).toMatchObject({ status: "completed", path, state: { Decide: value } });
    expect(result.state).not.toHaveProperty("error");
  });

  it("says what may be answered", async () => {
    expect((await decide().run({})).waiting).toMatchObject([{ options: ["approve", "reject"] }]);
    expect((await decide({ options: ["Ship it", "Hold"] }).run({})).waiting).toMatchObject([
      { options: ["Ship it", "Hold"] },
    ]);
    expect((await decide({ interaction: "text" }).run({})).waiting).toMatchObject([{ options: null }]);
  });

  it("an answer that is no judgement is refused", async () => {
    await expect(answered(decide(), "Decide", "perhaps")).rejects.toMatchObject({ code: "answer_invalid" });
  });

  it("the first option of an approval approves", async () => {
    const graph = decide({ interaction: "approval", options: ["Ship it", "Hold"] });
    expect(await answered(graph, "Decide", " ship IT")).toMatchObject({
      path: ["Decide", "Yes"],
      state: { Decide: "Ship it" },
    });
    expect((await answered(graph, "Decide", "Hold")).path).toEqual(["Decide", "No"]);
  });

  it("a choice is one of its options, and always succeeds", async () => {
    const graph = decide({ options: ["Red", "No"] });
    expect(await answered(graph, "Decide", "no")).toMatchObject({
      path: ["Decide", "Yes"],
      state: { Decide: "No" },
    });
    await expect(answered(graph, "Decide", "Green")).rejects.toThrow("expected one of Red, No");
  });

  it("fits the answer to the field", async () => {
    const typed = (type: FieldType): AnyGraph => decide({}, { writes: [{ field: "ok", type }] });
    expect((await answered(typed({ kind: "boolean" }), "Decide", "approve")).state).toMatchObject({
      ok: true,
    });
    const words = typed({ kind: "choice", values: ["approved", "rejected"] });
    expect((await answered(words, "Decide", "no")).state).toMatchObject({ ok: "rejected" });
  });

  it("a comment has a field of its own when there is one", async () => {
    const graph = decide({}, { writes: ["verdict", { field: "why", key: "comment" }] });
    const result = await answered(graph, "Decide", '{"answer": "no", "comment": "too dear"}');
    expect(result.state).toMatchObject({ verdict: "no", why: "too dear" });
    expect((await answered(graph, "Decide", "yes")).state).not.toHaveProperty("why");
  });

  it("a given answer is judged like any other", async () => {
    expect((await decide().run({ Decide: "no" })).path).toEqual(["Decide", "No"]);
  });

  it("a wait that is over takes the default action, else throws", async () => {
    const slow = { ask: () => new Promise<Json>(() => {}) };
    const fallback = decide({ default_action: "reject" }, { timeoutMs: 10 });
    expect(await fallback.run({}, slow)).toMatchObject({
      path: ["Decide", "No"],
      state: { Decide: "reject" },
    });
    expect((await tiny({ Decide: judge({}, { timeoutMs: 10 }) }).run({}, slow)).error).toMatchObject({
      code: "node_timeout",
    });
  });

  it("also when the run was suspended meanwhile", async () => {
    const fallback = decide({ default_action: "reject" }, { timeoutMs: 10 });
    const checkpoint = checkpointOf(await fallback.run({}));
    await pause(20);
    expect((await fallback.resume(checkpoint, {})).path).toEqual(["Decide", "No"]);
    expect((await fallback.resume(checkpoint, { Decide: "yes" })).path).toEqual(["Decide", "No"]);
    const bare = tiny({
      Decide: judge({}, { timeoutMs: 10, failure: "Late" }),
      Late: { agent: ({ error }) => error, reads: ["error"] },
    });
    const waiting = checkpointOf(await bare.run({}));
    await pause(20);
    expect((await bare.resume(waiting, {})).state).toMatchObject({ Late: "no answer within 10 ms" });
  });
});

describe("waiting in branches", () => {
  const called: string[] = [];
  const note =
    (value: unknown): Act =>
    (_, { node }) => {
      called.push(node);
      return value;
    };
  const graph = tiny(
    {
      S: { agent: note(0), next: ["A", "B", "C"] },
      A: ask({ next: "A2" }),
      A2: { agent: note("a2"), next: "M" },
      B: { agent: (inputs, context) => pause(10).then(() => note("b")(inputs, context)), next: "M" },
      C: ask({ next: "M" }),
      M: { agent: ({ A, B, C }) => [A, B, C], reads: ["A", "B", "C"] },
    },
    { S: { next: [["A", "A2"], ["B"], ["C"]] } },
  );

  it("the other branches settle first; each answer goes on alone; no finished node is repeated", async () => {
    called.length = 0;
    const first = await graph.run({});
    expect(first).toMatchObject({ status: "suspended", path: ["S", "A", "B", "C"], state: { S: 0 } });
    expect(first.waiting.map(({ node }) => node)).toEqual(["A", "C"]);
    const second = await graph.resume(checkpointOf(first), { C: "c" });
    expect(second).toMatchObject({ status: "suspended", path: ["S", "A", "B", "C"], state: { S: 0 } });
    expect(second.waiting.map(({ node }) => node)).toEqual(["A"]);
    const third = await graph.resume(checkpointOf(second), { A: "a" });
    expect(third).toMatchObject({ status: "completed", path: ["S", "A", "A2", "B", "C", "M"], steps: 6 });
    expect(third.state).toMatchObject({ A: "a", A2: "a2", B: "b", C: "c", M: ["a", "b", "c"] });
    expect(called).toEqual(["S", "B", "A2"]);
  });

  it("the same checkpoint can be answered twice: resuming changes nothing in it", async () => {
    const first = await graph.run({});
    if (first.status !== "suspended") throw new Error("not suspended");
    const before = JSON.stringify(first.checkpoint);
    const one = await graph.resume(first.checkpoint, { A: 1, C: 2 });
    const two = await graph.resume(first.checkpoint, { A: 1, C: 2 });
    expect(one.state).toEqual(two.state);
    expect(JSON.stringify(first.checkpoint)).toBe(before);
  });
});

describe("what a suspended run goes on in", () => {
  const graph = tiny({ Ask: ask() });
  it("the graph must mean the same", async () => {
    const checkpoint = checkpointOf(await graph.run({}));
    await expect(graph.resume({ ...checkpoint, fingerprint: "other" }, { Ask: 1 })).rejects.toMatchObject({
      code: "run_stale",
    });
    await expect(graph.resume({ ...checkpoint, graph: "Other" }, { Ask: 1 })).rejects.toMatchObject({
      code: "run_stale",
    });
    await expect(graph.resume({ ...checkpoint, version: 2 as 1 }, { Ask: 1 })).rejects.toMatchObject({
      code: "run_stale",
    });
  });

  it("values that come back are frozen again", async () => {
    const change: Act = ({ x }) => (x as number[]).push(1);
    const two = tiny({ Ask: ask({ next: "Change" }), Change: { agent: change, reads: ["x"] } });
    const checkpoint = checkpointOf(await two.run({ x: [0] }));
    expect((await two.resume(checkpoint, { Ask: 1 })).error?.message).toContain("not extensible");
  });

  it("visits, steps and limits go on where they were", async () => {
    const loop = tiny({ Ask: ask({ next: "Ask", maxVisits: 3, limit: "End" }), End: () => "end" });
    let result = await loop.run({});
    for (let i = 1; i <= 3; i++) result = await loop.resume(checkpointOf(result), { Ask: String(i) });
    expect(result).toMatchObject({
      status: "completed",
      path: ["Ask", "Ask", "Ask", "End"],
      steps: 4,
      state: { Ask: "3" },
    });
    const limited = await loop.resume(checkpointOf(await loop.run({})), { Ask: "1" }, { maxSteps: 1 });
    expect(limited.error).toMatchObject({ code: "step_limit" });
  });

  it("the attempts of a node whose graph asks go on; a checkpoint of before has the first one", async () => {
    const refuse: Act = (_, context) => {
      if (context.answer !== undefined) throw new Error(`no ${context.answer}`);
      return context.wait({ prompt: "What?" });
    };
    const inner = tiny({ Ask: refuse });
    const nodes = { agent: subgraph(() => inner) as unknown as Act, writes: [], retry: { attempts: 2 } };
    const graph = tiny({ Call: nodes });
    const second = checkpointOf(await answered(graph, "Call/Ask", "one"));
    expect(second.regions[0]?.asleep).toMatchObject({ node: "Call", visit: 1, attempt: 2 });
    expect(await graph.resume(second, { "Call/Ask": "two" })).toMatchObject({
      status: "failed",
      error: { message: "no two", node: "Call" },
    });
    const [region] = second.regions;
    const { attempt: _, ...asleep } = region!.asleep!;
    const old = { ...second, regions: [{ ...region!, asleep }] };
    expect(await graph.resume(old, { "Call/Ask": "two" })).toMatchObject({ status: "suspended" });
  });

  it("3,000 splits in each other are stored without a deep structure", async () => {
    const depth = 3_000;
    const nodes: { [name: string]: Tiny } = {};
    const splits: { [name: string]: { next: string[][] } } = {};
    for (let i = 0; i < depth; i++) {
      nodes[`S${i}`] = { agent: () => 1, next: [`A${i}`, `S${i + 1}`], writes: [] };
      nodes[`A${i}`] = { agent: () => 1, writes: [] };
    }
    nodes[`S${depth}`] = ask({ writes: ["x"] });
    const names = Object.keys(nodes);
    const every = names.slice(2);
    for (let i = 0; i < depth; i++) splits[`S${i}`] = { next: [[`A${i}`], i === 0 ? every : [`S${i + 1}`]] };
    const deep = tiny(nodes, splits);
    const result = await deep.run({});
    expect(result.status).toBe("suspended");
    expect(await deep.resume(checkpointOf(result), { [`S${depth}`]: "up" })).toMatchObject({
      status: "completed",
    });
  });
});

describe("R21: durable engines", () => {
  it("get each visit as a step with an id, and each wait; a step that was done is not done again", async () => {
    const done = new Map<string, Json>();
    let calls = 0;
    const work: Act = (_, { attempt }) => {
      calls += 1;
      if (attempt === 1) throw new Error("once");
      return { work: "done" };
    };
    const graph = tiny({
      Work: { agent: work, writes: ["work"], retry: { attempts: 2 }, next: "Sort" },
      Sort: { agent: switching as Act, reads: ["work"], cases: { done: "Ask" }, writes: [] },
      Ask: ask({ next: "Check" }),
      Check: {
        agent: branching as Act,
        reads: ["Ask"],
        failure: "Work",
        maxVisits: 1,
        success: "Fine",
        limit: "Fine",
      },
      Fine: { agent: success as Act, prompt: () => "fine" },
    });
    const ops: Ops = {
      ...mapOps(done),
      wait: async () => ({ kind: "answer", answer: "yes" }),
    };
    const first = await graph.run({}, { ops });
    expect(first).toMatchObject({ status: "completed", path: ["Work", "Sort", "Ask", "Check", "Fine"] });
    // The others depend on nothing but their inputs: they are called again.
    expect([...done.keys()]).toEqual(["Work|1", "Work|1|2", "Ask|1", "Ask|1|2"]);
    const second = await graph.run({}, { ops });
    expect(second.state).toEqual(first.state);
    expect(calls).toBe(2);
  });
});
