import { echo, subgraph, subgraphEach } from "flowsheet/agents";
import { expect, test } from "vitest";
import type { AnyGraph, Given, Json, Ops, StateData } from "../../runtime/graph/contract/contract.js";
import { EngineStop } from "../../runtime/graph/drive/run.js";
import { decline, defineGraph, fail, pure, versionOf } from "../../runtime/graph/index.js";
import { answer, mapOps, nothingKept, openLeg, recordedIds } from "./memory-ops.js";
import { type Act, chain, pause, type Tiny, tiny } from "./tiny.js";

const work =
  (ms: number, value: unknown): Act =>
  async (_, { signal }) => {
    await Promise.race([pause(ms), new Promise((resolve) => signal.addEventListener("abort", resolve))]);
    if (signal.aborted) throw new Error("stopped");
    return value;
  };
const asks: Act = (_, context) => context.answer ?? context.wait({ prompt: "?" });
const over = (graph: AnyGraph, more: Partial<Tiny> = {}): Tiny => ({
  agent: subgraphEach(() => graph) as unknown as Act,
  settings: { over: "items" },
  reads: ["items"],
  ...more,
});

class Lost extends Error {}

test.each<[string, Partial<Ops>]>([
  ["rejects", { step: () => Promise.reject(new Lost("the lease is lost")) }],
  [
    "throws at once",
    {
      step: () => {
        throw new Lost("the lease is lost");
      },
    },
  ],
])(
  "P1: what a step %s with passes edges, retries and collected errors: the run rejects with it",
  async (_, broken) => {
    const handled: string[] = [];
    const handler: Act = (inputs) => handled.push(String(inputs));
    const ops = { ...mapOps(new Map()), ...broken };
    const edge = tiny({
      A: { agent: work(1, "a"), retry: { attempts: 3 }, failure: "F" },
      F: handler,
    });
    await expect(edge.run({}, { ops })).rejects.toBeInstanceOf(Lost);
    await expect(edge.stream({}, { ops }).result).rejects.toBeInstanceOf(Lost);
    const item = chain(work(1, "x"));
    const each = tiny({
      E: over(item, { settings: { over: "items", on_error: "collect" }, failure: "F" }),
      F: handler,
    });
    await expect(each.run({ items: [1, 2] }, { ops })).rejects.toBeInstanceOf(Lost);
    const split = tiny(
      { S: { agent: (() => 1) as Act, next: ["A", "B"] }, A: work(1, "a"), B: asks },
      { S: { next: [["A"], ["B"]] } },
    );
    await expect(split.run({}, { ops })).rejects.toBeInstanceOf(Lost);
    expect(handled).toEqual([]);
  },
);

test("P1: so do waits, pauses and what is known or told", async () => {
  const lost = (): never => {
    throw new Lost();
  };
  const waits = tiny({ A: { agent: asks, failure: "F" }, F: work(1, "f") });
  await expect(waits.run({}, { ops: { ...mapOps(new Map()), wait: lost } })).rejects.toBeInstanceOf(Lost);
  const retries = tiny({
    A: { agent: () => Promise.reject(new Error("no")), retry: { attempts: 2, delayMs: 5 }, failure: "F" },
    F: work(1, "f"),
  });
  await expect(retries.run({}, { ops: { ...mapOps(new Map()), sleep: lost } })).rejects.toBeInstanceOf(Lost);
  const late = tiny({
    A: { agent: subgraph(() => chain(work(5, "x"))) as unknown as Act, timeoutMs: 500, failure: "F" },
    F: work(1, "f"),
  });
  await expect(late.run({}, { ops: { ...mapOps(new Map()), known: lost } })).rejects.toBeInstanceOf(Lost);
  const pure = tiny({ A: { agent: echo as Act, failure: "F" }, F: work(1, "f") });
  await expect(pure.run({}, { ops: { ...mapOps(new Map()), told: lost } })).rejects.toBeInstanceOf(Lost);
  expect(new EngineStop(new Lost("why")).message).toBe("why");
});

test("P2: a time-out is part of the recorded call, so a late answer is never recorded", async () => {
  const kept = nothingKept();
  const graph = tiny({
    A: { agent: work(150, "late"), timeoutMs: 20, failure: "F", success: "S" },
    F: work(1, "f"),
    S: work(1, "s"),
  });
  const first = await graph.run({}, { ops: openLeg(kept).ops });
  await pause(200);
  expect(recordedIds(kept)).toEqual(["A|1", "F|1"]);
  expect(kept.steps[0]).toMatchObject({ outcome: "thrown", error: "the agent did not finish within 20 ms" });
  const second = await graph.run({}, { ops: openLeg(kept).ops });
  expect(second).toMatchObject({ path: ["A", "F"], state: first.state });
});

test("P3: only what the outputs take is recorded, so the rest of an answer need not be data", async () => {
  class Custom {
    readonly own = 1;
  }
  const graph = tiny({
    A: { agent: () => Promise.resolve({ a: 1, helper: () => 2 }), writes: ["a"], next: "B" },
    B: { agent: () => Promise.resolve(new Custom()), writes: [], next: "C" },
    C: {
      agent: () =>
        Promise.resolve({ c: undefined, d: { "~": "undefined", unset: ["x"] }, more: new Custom() }),
      writes: ["c", "d"],
      next: "D",
    },
    D: {
      agent: () => Promise.resolve(fail("no", { d2: undefined, e: () => 1 })),
      writes: ["d2", "x"],
      next: "E",
    },
    E: { agent: () => Promise.resolve(decline({ e: [1], helper: () => 2 }, "odd")), writes: ["e"] },
  });
  const inMemory = await graph.run({ c: "before" });
  const kept = nothingKept();
  for (let leg = 0; leg < 2; leg++) {
    const durable = await graph.run({ c: "before" }, { ops: openLeg(kept).ops });
    expect(durable).toMatchObject({ status: "completed", state: inMemory.state, path: inMemory.path });
  }
  expect(inMemory.state).toMatchObject({ a: 1, c: "before", d: { "~": "undefined", unset: ["x"] }, e: [1] });
  expect(kept.steps).toHaveLength(5);
});

test.each<[string, unknown, Partial<Tiny>]>([
  ["a function", () => 1, {}],
  ["a function in a mapping", { a: () => 1 }, {}],
  ["no mapping for two outputs", 7, { writes: ["a", "b"] }],
  ["a function for two outputs", () => 7, { writes: ["a", "b"] }],
  ["a mapping without one of two outputs", { a: 1 }, { writes: ["a", "b"] }],
  ["a value of another type", { a: "x" }, { writes: [{ field: "a", key: "a", type: { kind: "number" } }] }],
  ["a reserved entry", JSON.parse('{"__proto__":1,"a":1}'), {}],
])("what a node cannot take fails in the same words when it is durable: %s", async (_, value, more) => {
  const graph = tiny({ A: { agent: () => Promise.resolve(value) as never, writes: ["a"], ...more } });
  const inMemory = await graph.run({});
  expect(inMemory.status).toBe("failed");
  const kept = nothingKept();
  for (let leg = 0; leg < 2; leg++) {
    const durable = await graph.run({}, { ops: openLeg(kept).ops });
    expect(durable.error).toEqual(inMemory.error);
  }
  expect(kept.steps[0]).toMatchObject({ outcome: "thrown", error: inMemory.error?.message });
});

test("P4: work that was stopped from outside is not recorded: the next process calls it again", async () => {
  const kept = nothingKept();
  const graph = tiny({
    A: { agent: work(60, "a"), failure: "F", success: "S" },
    F: work(1, "f"),
    S: work(1, "s"),
  });
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 10);
  const stopped = await graph.run({}, { ops: openLeg(kept).ops, signal: stopping.signal });
  expect(stopped.status).toBe("cancelled");
  await pause(20);
  expect(recordedIds(kept)).toEqual([]);
  expect(await graph.run({}, { ops: openLeg(kept).ops })).toMatchObject({ path: ["A", "S"] });
});

test("P5: a replay does not sleep through back-offs again, also of nodes with a sub-graph", async () => {
  const kept = nothingKept();
  const first: Act = async (_, { attempt }) => {
    if (attempt === 1) throw new Error("once");
    return "ok";
  };
  let calls = 0;
  const inner = chain(async () => {
    calls += 1;
    if (calls === 1) throw new Error("once");
    return "in";
  });
  const retry = { attempts: 2, delayMs: 100 };
  const graph = tiny({
    A: { agent: first, retry, next: "G" },
    G: { agent: subgraph(() => inner) as unknown as Act, retry, writes: [] },
  });
  const slept: number[] = [];
  const run = async (): Promise<object> => {
    const { ops } = openLeg(kept);
    const sleep: Ops["sleep"] = async (id, ms) => {
      const began = performance.now();
      await ops.sleep(id, ms);
      slept.push(Math.round(performance.now() - began));
    };
    const { state, status } = await graph.run({}, { ops: { ...ops, sleep } });
    return { state, status };
  };
  const inOneGo = await run();
  await pause(100);
  expect(await run()).toEqual(inOneGo);
  expect(slept).toHaveLength(4);
  expect(Math.min(...slept.slice(0, 2))).toBeGreaterThan(80);
  expect(Math.max(...slept.slice(2))).toBeLessThan(80);
  expect(calls).toBe(2);
});

test("P6: a run whose visits all wait is put aside, and goes on with the answers, in splits and sub-graphs", async () => {
  const kept = nothingKept();
  const inner = tiny({ X: { agent: work(1, "x"), next: "Y" }, Y: asks });
  const graph = tiny(
    {
      S: { agent: work(1, "s"), next: ["A", "G"] },
      A: { agent: asks, next: "J" },
      G: { agent: subgraph(() => inner) as unknown as Act, writes: ["Y"], next: "J" },
      J: work(1, "j"),
    },
    { S: { next: [["A"], ["G"]] } },
  );
  const first = await graph.run({}, { ops: openLeg(kept).ops });
  expect(first.status).toBe("suspended");
  expect(first.waiting.map(({ node }) => node)).toEqual(["A", "G/Y"]);
  answer(kept, { A: "a" });
  const second = await graph.run({}, { ops: openLeg(kept).ops });
  expect(second.waiting.map(({ node }) => node)).toEqual(["G/Y"]);
  answer(kept, { "G/Y": "y" });
  const third = await graph.run({}, { ops: openLeg(kept).ops });
  expect(third).toMatchObject({ status: "completed", state: { A: "a", Y: "y", J: "j" } });
  expect(recordedIds(kept)).toEqual(["S|1", "A|1", "G|1/X|1", "G|1/Y|1", "A|1|2", "G|1/Y|1|2", "J|1"]);
});

test("a visit that asks twice has two waits", async () => {
  const kept = nothingKept();
  let firstAnswer: unknown;
  const twice: Act = (_, context) => {
    if (context.answer === "more") firstAnswer = context.answer;
    return context.answer === undefined || context.answer === "more"
      ? context.wait({ prompt: "?" })
      : context.answer;
  };
  const graph = tiny({ A: twice });
  await graph.run({}, { ops: openLeg(kept).ops });
  answer(kept, { A: "more" });
  expect((await graph.run({}, { ops: openLeg(kept).ops })).status).toBe("suspended");
  answer(kept, { A: "done" });
  expect(await graph.run({}, { ops: openLeg(kept).ops })).toMatchObject({ state: { A: "done" } });
  expect(firstAnswer).toBe("more");
  expect([...kept.ends.keys()]).toEqual(["A|1", "A|1|2"]);
});

test("P7: a wait whose time is over takes no late answer, in no replay", async () => {
  const kept = nothingKept();
  const graph = tiny({
    A: { agent: asks, timeoutMs: 30, failure: "F", success: "S" },
    F: asks,
    S: work(1, "s"),
  });
  const first = await graph.run({}, { ops: openLeg(kept).ops });
  expect(first).toMatchObject({ status: "suspended", path: ["A"] });
  await pause(40);
  expect(await graph.run({}, { ops: openLeg(kept).ops })).toMatchObject({
    status: "suspended",
    path: ["A", "F"],
  });
  answer(kept, { A: "too late", F: "f" });
  const end = await graph.run({}, { ops: openLeg(kept).ops });
  expect(end).toMatchObject({ status: "completed", path: ["A", "F"], state: { F: "f" } });
});

test("P8: a replay tells the same one of several failures", async () => {
  const branches = tiny(
    {
      S: { agent: work(1, "s"), next: ["A", "B"] },
      A: { agent: work(1, "a"), next: "A2" },
      A2: async () => {
        await pause(40);
        throw new Error("A was slower");
      },
      B: async () => {
        await pause(15);
        throw new Error("B was first");
      },
    },
    { S: { next: [["A", "A2"], ["B"]] } },
  );
  const kept = nothingKept();
  const first = await branches.run({}, { ops: openLeg(kept).ops });
  expect(first.error?.message).toBe("B was first");
  // A2 had thrown, too, and its record was under way when the worker died.
  const a2 = {
    ...kept.steps.at(-1)!,
    id: "A2|1",
    result: {
      became: { kind: "thrown", code: "agent_failed", message: "A was slower" },
      said: null,
      usage: null,
      at: 0,
    },
  };
  for (const steps of [
    [...kept.steps, a2],
    [...kept.steps.slice(0, -1), a2, kept.steps.at(-1)!],
  ]) {
    const again = await branches.run({}, { ops: openLeg({ ...kept, steps }).ops });
    expect(again.error?.message).toBe(steps.at(-1) === a2 ? "B was first" : "A was slower");
  }
});

test("P8: nothing new begins while anything is left to replay", async () => {
  const graph = tiny(
    {
      S: { agent: work(1, "s"), next: ["A", "B"] },
      A: work(40, "a"),
      B: { agent: work(1, "b"), next: "C" },
      C: async () => {
        throw new Error("C");
      },
    },
    { S: { next: [["A"], ["B", "C"]] } },
  );
  const kept = nothingKept();
  await graph.run({}, { ops: openLeg(kept).ops });
  expect(recordedIds(kept)).toEqual(["S|1", "B|1", "C|1"]);
  const called: string[] = [];
  const A: Act = () => {
    called.push("A");
    throw new Error("A");
  };
  const again = await graph.run({}, { ops: openLeg(kept).ops, nodes: { A } });
  expect(again.error?.message).toBe("C");
  expect(called).toEqual([]);
});

test("P9: another attempt of a node with a graph inside runs it anew, and is replayed as such", async () => {
  const kept = nothingKept();
  let calls = 0;
  const inner = chain(async () => {
    calls += 1;
    if (calls % 3 !== 0) throw new Error(`try ${calls}`);
    return calls;
  });
  const each = over(inner, { writes: ["N0"], retry: { attempts: 3 } });
  const graph = tiny({
    G: { agent: subgraph(() => inner) as unknown as Act, writes: ["N0"], retry: { attempts: 3 }, next: "E" },
    E: each,
  });
  for (let leg = 0; leg < 2; leg++) {
    const end = await graph.run({ items: ["only"] }, { ops: openLeg(kept).ops });
    expect(end).toMatchObject({ status: "completed", state: { N0: [6] } });
  }
  expect(calls).toBe(6);
  expect(recordedIds(kept)).toEqual([
    "G|1/N0|1",
    "G|1|2/N0|1",
    "G|1|3/N0|1",
    "E|1[0]/N0|1",
    "E|1|2[0]/N0|1",
    "E|1|3[0]/N0|1",
  ]);
});

test("P9: that a node with a graph inside took too long is recorded before anything follows", async () => {
  const kept = nothingKept();
  let called = 0;
  // It answers when its time is over, and not before.
  const endless: Act = (_, { signal }) => {
    called += 1;
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
  };
  const graph = (timeoutMs: number): AnyGraph => {
    const inner = tiny({ X: { agent: () => "x", next: "Y" }, Y: endless });
    return tiny({
      G: { agent: subgraph(() => inner) as unknown as Act, timeoutMs, failure: "F", success: "S" },
      F: work(1, "f"),
      S: work(1, "s"),
    });
  };
  const end = await graph(25).run({}, { ops: openLeg(kept).ops });
  expect(end).toMatchObject({ path: ["G", "F"], state: { error: "the agent did not finish within 25 ms" } });
  expect(recordedIds(kept)).toEqual(["G|1/X|1", "G|1|late1", "F|1"]);
  // A replay waits for neither: with an hour it would not end.
  const again = await graph(3_600_000).run({}, { ops: openLeg(kept).ops });
  expect(again).toMatchObject({ path: ["G", "F"] });
  expect(recordedIds(kept)).toEqual(["G|1/X|1", "G|1|late1", "F|1"]);
  expect(called).toBe(1);
});

test("a deadline is a time: the run fails at it, and one that is over calls no node", async () => {
  let calls = 0;
  const graph = tiny({
    A: async () => {
      calls += 1;
      await pause(80);
      return "a";
    },
  });
  const late = await graph.run({}, { deadline: Date.now() + 20 });
  expect(late.error).toMatchObject({
    code: "run_timeout",
    message: "the run did not end before its deadline",
    node: "A",
  });
  const before = await graph.run({}, { deadline: Date.now() - 1 });
  expect(before.error).toMatchObject({ code: "run_timeout", node: null });
  expect(calls).toBe(1);
  expect((await graph.run({}, { deadline: Date.now() + 600_000 })).status).toBe("completed");
});

test("what an agent reads through its services is part of its step", async () => {
  const kept = nothingKept();
  let reads = 0;
  const storage = { json: () => Promise.resolve({ reads: ++reads }) };
  const reading: Act = async (_, { services }) =>
    (services as unknown as { storage: typeof storage }).storage.json();
  const graph = tiny({ A: { agent: reading, writes: ["reads"] } });
  for (let leg = 0; leg < 2; leg++) {
    const end = await graph.run({}, { ops: openLeg(kept).ops, services: { storage } as never });
    expect(end.state).toEqual({ reads: 1 });
  }
});

test("the driver tells a history: whole names, branches, inputs, prompts, writes, outcomes, and pure visits once", async () => {
  const kept = nothingKept();
  const secret = "hunter2";
  const inner = tiny({
    X: {
      agent: work(1, `is ${secret}`),
      reads: ["item"],
      writes: ["x"],
      prompt: ({ item }) => `about ${item}`,
    },
  });
  const graph = tiny(
    {
      S: { agent: echo as Act, reads: ["items"], writes: [], next: ["A", "E"] },
      A: async () => fail(`no ${secret}`),
      E: over(inner, { writes: ["x"] }),
    },
    { S: { next: [["A"], ["E"]] } },
  );
  const redact = (text: string): string => text.replaceAll(secret, "***");
  const rest: string[][] = [];
  for (let leg = 0; leg < 2; leg++) {
    const journal = openLeg(kept);
    await graph.run({ items: [secret] }, { ops: journal.ops, redact, runId: "r" });
    rest.push(journal.rest().map(({ id }) => id));
  }
  expect(rest).toEqual([["E|1"], ["E|1"]]);
  expect(kept.steps.map(({ id, pure }) => [id, pure])).toEqual([
    ["S|1", true],
    ["A|1", false],
    ["E|1[0]/X|1", false],
  ]);
  expect(kept.steps[1]).toMatchObject({
    node: "A",
    branch: [0],
    outcome: "failure",
    error: "no ***",
    key: "r/A/1",
  });
  expect(kept.steps[2]).toMatchObject({
    node: "E[0]/X",
    visit: 1,
    attempt: 1,
    branch: [1],
    outcome: "success",
    seen: { inputs: { item: "***" }, prompt: "about ***" },
    writes: { x: "is ***" },
    error: null,
  });
  expect(JSON.stringify(kept.steps[2]?.result)).toContain(secret);
  const [shown, call] = [kept.steps[0]!, kept.steps[1]!];
  expect(shown).toMatchObject({ outcome: "success", result: null, seen: { inputs: { items: ["***"] } } });
  expect(shown.began).toBeLessThanOrEqual(call.ended);
  const clock = (call.result as { readonly [key: string]: Json })["at"];
  expect(clock).toBeGreaterThanOrEqual(shown.began);
});

test("a stand-in for a node with a sub-graph is recorded, since no visits inside are", async () => {
  const kept = nothingKept();
  let calls = 0;
  const G: Act = async () => ({ N0: ++calls });
  const graph = tiny({ G: { agent: subgraph(() => chain(work(1, "x"))) as unknown as Act, writes: ["N0"] } });
  for (let leg = 0; leg < 2; leg++) {
    expect(await graph.run({}, { ops: openLeg(kept).ops, nodes: { G } })).toMatchObject({ state: { N0: 1 } });
  }
});

test("the version of a graph takes in the graphs that it runs, its fingerprint does not", () => {
  const graphs: { [name: string]: AnyGraph } = {};
  const define = (name: string, fingerprint: string, calls: readonly string[] = []): AnyGraph => {
    const nodes = Object.fromEntries(
      ["N", ...calls].map((called) => [
        called,
        { agent: called === "N" ? echo : subgraph(() => graphs[called]!), inputs: () => ({}) },
      ]),
    );
    const routes = Object.fromEntries(Object.keys(nodes).map((node) => [node, {}]));
    const graph = defineGraph<Given, StateData>()({ name, entry: "N", nodes, routes, fingerprint });
    graphs[name] = graph as unknown as AnyGraph;
    return graphs[name];
  };
  // Each calls the other.
  define("B", "b", ["A"]);
  const main = define("A", "a", ["B"]);
  const version = versionOf(main);
  expect(versionOf(graphs["B"]!)).not.toBe(version);
  define("B", "b2", ["A"]);
  expect(versionOf(main)).not.toBe(version);
  expect(main.fingerprint).toBe("a");
  define("B", "b", ["A"]);
  expect(versionOf(main)).toBe(version);
});

test("a pure agent of a project is called again in a replay, unless a clock or a count decides, too", async () => {
  const kept = nothingKept();
  let calls = 0;
  const twice: Act = pure((inputs) => {
    calls += 1;
    return Number(inputs["n"]) * 2;
  });
  const reads = ["n"];
  const graph = tiny({
    A: { agent: twice, reads, next: "B" },
    B: { agent: twice, reads, timeoutMs: 60_000, next: "C" },
    C: { agent: twice, reads, retry: { attempts: 2 } },
  });
  for (let leg = 0; leg < 2; leg++) {
    const end = await graph.run({ n: 4 }, { ops: openLeg(kept).ops });
    expect(end.state).toMatchObject({ A: 8, B: 8, C: 8 });
  }
  expect(recordedIds(kept)).toEqual(["B|1", "C|1"]);
  expect(calls).toBe(4);
});

test("a leg that is over records nothing any more, and keeps no process alive", async () => {
  const kept = nothingKept();
  const leg = openLeg(kept);
  const running = chain(work(20, "a"), work(1, "b")).run({}, { ops: leg.ops });
  leg.close();
  await expect(running).rejects.toThrow("this leg of the run is over");
  await expect(leg.ops.wait("N0|1", {} as never, null, {})).rejects.toThrow("over");
  await leg.ops.sleep("N0|1", 600_000);
  expect(kept.steps).toEqual([]);
});
