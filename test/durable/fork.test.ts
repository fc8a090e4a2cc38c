import { expect, test } from "vitest";
import { subgraph } from "../../runtime/agents/graphs/subgraph.js";
import type { ForkPoint } from "../../runtime/durable/edits/fork.js";
import type { DurableExecutor } from "../../runtime/durable/executor.js";
import type { FullRun } from "../../runtime/durable/rows.js";
import type { AnyGraph, Json, StateData } from "../../runtime/graph/contract/contract.js";
import { defineGraph, pure, versionOf } from "../../runtime/graph/index.js";
import { onEachStore, open, placeOf, request, until } from "./executors.js";

type Node = { readonly [key: string]: unknown };

/** Calls of all agents, with what they were given. */
let calls: string[] = [];

/** Adds its own name to what the field `trail` holds. */
const call = (name: string, more: Node = {}): Node => ({
  agent: async ({ trail, total }: { readonly trail?: string; readonly total?: number }) => {
    calls.push(name);
    return `${trail ?? ""}${name}${total === undefined ? "" : `(${total})`} `;
  },
  inputs: ({ trail, total }: StateData) => ({ trail, total }),
  writes: "trail",
  ...more,
});

const ask: Node = {
  agent: (_: unknown, context: { readonly answer?: Json; wait(spec: object): unknown }) =>
    context.answer ?? context.wait({ prompt: "well?" }),
  inputs: () => ({}),
  writes: "answer",
};

/** Nodes in a row; a route of its own says otherwise. */
function graph(
  nodes: { readonly [name: string]: Node },
  own: { readonly [name: string]: object } = {},
  more: object = {},
): AnyGraph {
  const names = Object.keys(nodes);
  const next = (index: number): object => (index === names.length - 1 ? {} : { next: names[index + 1] });
  const routes = Object.fromEntries(names.map((name, index) => [name, own[name] ?? next(index)]));
  const fingerprint = JSON.stringify([names, routes]);
  const definition = { name: "G", entry: names[0]!, nodes, routes, fingerprint, ...more };
  return defineGraph()(definition as never) as unknown as AnyGraph;
}

const starter = { key: null, userId: null, startedBy: null };

/** What became of a run that is driven here. */
async function end(executor: DurableExecutor, runId: string): Promise<{ status: string; state: StateData }> {
  const followed = await executor.follow(runId, {});
  if (followed.kind !== "result") throw new Error("it was let go of");
  return followed.result;
}

async function begin(executor: DurableExecutor, of: AnyGraph, given = {}): Promise<FullRun> {
  const { run } = await executor.start(request(of, given));
  await end(executor, run.runId);
  calls = [];
  return run;
}

async function fork(executor: DurableExecutor, runId: string, point: ForkPoint): Promise<string> {
  return (await executor.fork(runId, point, { starter })).run.runId;
}

const trailOf = async (executor: DurableExecutor, runId: string): Promise<Json | undefined> =>
  (await end(executor, runId)).state["trail"];

onEachStore(
  "what is set stands in front of the visit that is named, and nothing before it is called again",
  async () => {
    const chain = graph({ A: call("A"), B: call("B"), C: call("C") });
    const executor = await open([chain]);
    const { runId } = await begin(executor, chain);
    const set = await fork(executor, runId, { from: "B", set: { trail: "else ", total: 9 } });
    expect(await trailOf(executor, set)).toBe("else B(9) C(9) ");
    expect(calls).toEqual(["B", "C"]);
    expect(await executor.get(set)).toMatchObject({ parent: { runId, at: "B#1" } });
    expect((await executor.steps(runId)).map(({ node }) => node)).toEqual(["A", "B", "C"]);
  },
);

onEachStore("a fork of a fork keeps what was set before, adds to it, or begins before it", async () => {
  const chain = graph({ A: call("A"), B: call("B"), C: call("C") });
  const executor = await open([chain]);
  const { runId } = await begin(executor, chain);
  const first = await fork(executor, runId, { from: "B", set: { total: 9 } });
  await end(executor, first);
  const later = await fork(executor, first, { from: "C", set: { trail: "cut " } });
  expect(await trailOf(executor, later)).toBe("cut C(9) ");
  const same = await fork(executor, first, { from: "B", set: { trail: "both " } });
  expect(await trailOf(executor, same)).toBe("both B(9) C(9) ");
  const before = await fork(executor, first, { from: "A" });
  expect(await trailOf(executor, before)).toBe("A B C ");
});

onEachStore(
  "what is set holds after a wait, in another process, and when the fork is tried again",
  async () => {
    let isBroken = true;
    const failing = call("C", {
      agent: async ({ total }: { readonly total: number }) => {
        calls.push("C");
        if (isBroken) throw new Error("broken");
        return `${total}`;
      },
    });
    const asking = graph({ A: call("A"), Ask: ask, C: failing });
    const place = placeOf();
    const executor = await open([asking], { place });
    const { runId } = await begin(executor, asking);
    const other = await fork(executor, runId, { from: "Ask", set: { total: 5 } });
    expect(await end(executor, other)).toMatchObject({ status: "suspended" });
    const another = await open([asking], { place });
    await another.answer(other, { Ask: "yes" });
    expect(await end(another, other)).toMatchObject({ status: "failed", state: { total: 5 } });
    isBroken = false;
    await another.retry(other, "A");
    expect(await end(another, other)).toMatchObject({ status: "suspended" });
    await another.answer(other, { Ask: "yes" });
    expect(await end(another, other)).toMatchObject({ status: "completed", state: { trail: "5", total: 5 } });
  },
);

onEachStore(
  "a visit inside a graph, the node that ran it, and a pure node are places to fork at",
  async () => {
    const inner = graph({ I: call("I"), J: call("J") }, {}, { name: "Inner" });
    const passing: Node = {
      agent: subgraph(() => inner),
      inputs: ({ trail, total }: StateData) => ({ trail, total }),
      writes: "trail",
    };
    const plain = call("P", { agent: pure(() => "p "), inputs: () => ({}) });
    const outer = graph({ A: call("A"), P: plain, Call: passing, Z: call("Z") });
    const executor = await open([outer]);
    const { runId } = await begin(executor, outer);
    const inside = await fork(executor, runId, { from: "Call/J", set: { total: 3 } });
    expect(await trailOf(executor, inside)).toBe("p I J(3) Z ");
    expect(calls.splice(0)).toEqual(["J", "Z"]);
    const whole = await fork(executor, runId, { from: "Call", set: { total: 4 } });
    expect(await trailOf(executor, whole)).toBe("p I(4) J(4) Z(4) ");
    expect(calls.splice(0)).toEqual(["I", "J", "Z"]);
    const pureOne = await fork(executor, runId, { from: "P" });
    expect(await trailOf(executor, pureOne)).toBe("p I J Z ");
    expect(calls.splice(0)).toEqual(["I", "J", "Z"]);
  },
);

onEachStore("a retry from a node with a graph calls what it ran once more", async () => {
  let isBroken = true;
  const inner = graph({ I: call("I") }, {}, { name: "Inner" });
  const breaking = call("Z", {
    agent: async () => {
      if (isBroken) throw new Error("broken");
      return "done";
    },
  });
  const passing: Node = { agent: subgraph(() => inner), inputs: () => ({}), writes: "trail" };
  const outer = graph({ A: call("A"), Call: passing, Z: breaking });
  const executor = await open([outer]);
  const { runId } = await begin(executor, outer);
  isBroken = false;
  await executor.retry(runId, "Call");
  expect(await trailOf(executor, runId)).toBe("done");
  expect(calls).toEqual(["I"]);
});

onEachStore("a node without a number is its last visit", async () => {
  const again: Node = {
    ...call("B"),
    agent: async ({ trail }: { readonly trail: string }) => `${trail}B `,
    maxVisits: 3,
  };
  const loop = graph({ A: call("A"), B: again }, { B: { next: "A", limit: "END" } });
  const executor = await open([loop]);
  const { runId } = await begin(executor, loop);
  const last = await fork(executor, runId, { from: "A", set: { trail: "last " } });
  expect(await trailOf(executor, last)).toBe("last A ");
  const second = await fork(executor, runId, { from: "A#2", set: { trail: "second " } });
  expect(await trailOf(executor, second)).toBe("second A B A B A ");
  await expect(fork(executor, runId, { from: "A#9" })).rejects.toMatchObject({ code: "input_invalid" });
});

onEachStore("answers that came before the visit are kept, and what was open then is asked anew", async () => {
  const both = graph(
    { S: call("S"), Ask: ask, Slow: call("Slow"), Last: call("Last") },
    {
      S: { next: ["Ask", "Slow"] },
      Ask: { next: "Last" },
      Slow: { next: "Last" },
    },
    { splits: { S: { next: [["Ask"], ["Slow"]] } } },
  );
  const executor = await open([both]);
  const { runId } = await begin(executor, both);
  await executor.answer(runId, { Ask: "yes" });
  expect(await end(executor, runId)).toMatchObject({ status: "completed" });
  const late = await fork(executor, runId, { from: "Last" });
  expect(await end(executor, late)).toMatchObject({ status: "completed", state: { answer: "yes" } });
  const early = await fork(executor, runId, { from: "Slow" });
  expect(await end(executor, early)).toMatchObject({ status: "suspended" });
  await executor.answer(early, { Ask: "no" });
  expect(await end(executor, early)).toMatchObject({ status: "completed", state: { answer: "no" } });
});

onEachStore("runs that wait and runs at work are forked, also at the node that is at work", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = call("B", {
    agent: async ({ total }: { readonly total?: number }) => {
      if (total === undefined) await held;
      return `${total ?? "slow"}`;
    },
  });
  const chain = graph({ A: call("A"), B: slow });
  const executor = await open([chain]);
  const { run } = await executor.start(request(chain));
  const worker = executor.work();
  await until(async () => (await executor.events(run.runId)).some(({ event }) => isOf(event, "B")));
  const other = await fork(executor, run.runId, { from: "B", set: { total: 2 } });
  await until(async () => (await executor.get(other))?.status === "completed");
  expect(await executor.get(run.runId)).toMatchObject({ status: "running" });
  release();
  await until(async () => (await executor.get(run.runId))?.status === "completed");
  await worker.stop();
});

const isOf = (event: Json, node: string): boolean => (event as { readonly node?: string }).node === node;

onEachStore("a run whose values were erased is not forked, from its first node neither", async () => {
  const chain = graph({ A: call("A"), B: call("B") });
  const executor = await open([chain], { settings: { erase: true } });
  const { runId } = await begin(executor, chain, { given: "secret" });
  for (const from of ["A", "B"])
    await expect(fork(executor, runId, { from })).rejects.toMatchObject({ code: "run_erased" });
  const copy = await executor.store.copy(runId);
  const elsewhere = await open([chain]);
  expect(await elsewhere.store.restore(copy!, null)).toBe(true);
  await expect(fork(elsewhere, runId, { from: "A" })).rejects.toMatchObject({ code: "run_erased" });
});

onEachStore("a fork that is erased keeps nothing of what was set", async () => {
  const chain = graph({ A: call("A"), B: call("B") });
  const place = placeOf();
  const { runId } = await begin(await open([chain], { place }), chain);
  const executor = await open([chain], { place, settings: { erase: true } });
  const other = await fork(executor, runId, { from: "B", set: { trail: "a secret" } });
  await end(executor, other);
  expect(JSON.stringify(await executor.store.copy(other))).not.toContain("secret");
});

const typed = graph(
  {
    A: call("A", { writes: { field: "trail", type: { kind: "string" } } }),
    B: call("B", { takes: { param: "total", type: { kind: "number" } } }),
  },
  {},
  { inputs: { given: { types: [{ kind: "number" }] } } },
);

test.each([
  ["a field of no node", { set: { totl: 1 } }, 'the graph "G" has no field "totl"'],
  ["a reserved name", { written: { ["__proto__"]: "1" } }, 'the graph "G" has no field "__proto__"'],
  ["a value of another type than its reader takes", { set: { total: [1] } }, '"total" must be number'],
  ["a value of another type than its writer gives", { set: { trail: 5 } }, '"trail" must be string'],
  ["a value of another type than a caller gives", { set: { given: "x" } }, '"given" must be number'],
  ["what is no data", { set: { total: (() => 1) as never } }, '"total" was given'],
])("%s is refused", async (_, wanted, message) => {
  const executor = await open([typed]);
  const { runId } = await begin(executor, typed, { given: 1 });
  const asked = fork(executor, runId, { from: "B", ...wanted });
  await expect(asked).rejects.toMatchObject({
    code: "input_invalid",
    message: expect.stringContaining(message),
  });
});

onEachStore("text is converted, and on a command line JSON that does not fit stays text", async () => {
  const executor = await open([typed]);
  const { runId } = await begin(executor, typed, { given: 1 });
  const written = { total: "7", trail: "5" };
  const other = await fork(executor, runId, { from: "B", set: { given: "3" }, written });
  expect(await end(executor, other)).toMatchObject({ state: { given: 3, total: 7, trail: "5B(7) " } });
});

onEachStore("a key begins one fork, and with other values it is refused", async () => {
  const chain = graph({ A: call("A"), B: call("B") });
  const executor = await open([chain]);
  const { runId } = await begin(executor, chain);
  const begun = (set: StateData) =>
    executor.fork(runId, { from: "B", set }, { starter: { ...starter, key: "k" } });
  const first = await begun({ total: 1 });
  expect(await begun({ total: 1 })).toMatchObject({ created: false, run: { runId: first.run.runId } });
  await expect(begun({ total: 2 })).rejects.toMatchObject({ code: "key_reused" });
});

onEachStore("a fork goes on with the graph as it now is where what was recorded before fits", async () => {
  const chain = graph({ A: call("A"), B: call("B") });
  const edited = graph({ A: call("A"), New: call("New"), B: call("B") });
  const renamed = graph({ First: call("First"), B: call("B") });
  const without = graph({ A: call("A"), Other: call("Other") });
  const executor = await open([edited]);
  const { runId } = await begin(executor, chain, {});
  const into = (current: AnyGraph, point: ForkPoint) =>
    executor.fork(runId, point, { starter, current: { graph: current, sheet: null, texts: () => null } });
  const { run } = await into(edited, { from: "New", set: { total: 6 } });
  expect(run.version).toBe(versionOf(edited));
  expect(await trailOf(executor, run.runId)).toBe("A New(6) B(6) ");
  await expect(into(renamed, { from: "B" })).rejects.toMatchObject({
    code: "run_stale",
    message: expect.stringContaining('"A", which was called, is gone'),
  });
  await expect(into(without, { from: "B", set: { total: 6 } })).rejects.toMatchObject({
    code: "run_stale",
    message: expect.stringContaining('"B"'),
  });
});

test("a node whose graph waits is a place to fork at, and to retry from", async () => {
  const inner = graph({ "I/O": call("I"), Ask: ask }, {}, { name: "Inner" });
  const passing: Node = { agent: subgraph(() => inner), inputs: () => ({}), writes: "trail" };
  const middle = graph({ Call: passing }, {}, { name: "Middle" });
  const outer = graph({ A: call("A"), Each: { ...passing, agent: subgraph(() => middle) }, Z: call("Z") });
  const executor = await open([outer]);
  const { runId } = await begin(executor, outer);
  for (const from of ["Each", "Each#1", "Each/Call"]) {
    const forked = await fork(executor, runId, { from });
    expect(await end(executor, forked)).toMatchObject({ status: "suspended" });
    expect([from, calls.splice(0)]).toEqual([from, ["I"]]);
    expect((await executor.get(forked))?.parent?.at).toBe(from === "Each#1" ? from : `${from}#1`);
  }
  await executor.cancel(runId);
  await executor.retry(runId, "Each");
  expect(await end(executor, runId)).toMatchObject({ status: "suspended" });
  expect(calls).toEqual(["I"]);
  const refused = fork(executor, runId, { from: "Each/Cal" });
  await expect(refused).rejects.toMatchObject({ help: 'did you mean "Each/Call"?' });
});

test("a key that began a fork begins no start, and the other way round", async () => {
  const chain = graph({ A: call("A"), B: call("B") });
  const executor = await open([chain]);
  const { runId } = await begin(executor, chain);
  const started = await executor.start({ ...request(chain), key: "start" });
  const forking = (key: string): Promise<unknown> =>
    executor.fork(runId, { from: "B" }, { starter: { ...starter, key } });
  await forking("fork");
  const again = await executor.start({ ...request(chain), key: "start" });
  expect([again.created, again.run.runId]).toEqual([false, started.run.runId]);
  await expect(executor.start({ ...request(chain), key: "fork" })).rejects.toMatchObject({
    code: "key_reused",
    message: 'the key "fork" has begun a fork',
  });
  await expect(forking("start")).rejects.toMatchObject({ code: "key_reused" });
});

onEachStore(
  "a fork of a run that another version of flowsheet began is for workers of that version",
  async () => {
    const chain = graph({ A: call("A"), B: call("B") });
    let elsewhere = "";
    const executor = await open([chain], {
      wrap: (store) => ({
        ...store,
        run: async (runId) => {
          const run = await store.run(runId);
          return run === null || runId !== elsewhere ? run : { ...run, contract: 99 };
        },
      }),
    });
    const { runId } = await begin(executor, chain);
    elsewhere = runId;
    const forked = await fork(executor, runId, { from: "B" });
    expect(await executor.store.run(forked)).toMatchObject({ contract: 99, status: "queued" });
    const current = { graph: chain, sheet: null, texts: () => null };
    await expect(executor.fork(runId, { from: "B" }, { starter, current })).rejects.toMatchObject({
      code: "run_stale",
      message: expect.stringContaining("another version of flowsheet began it"),
    });
  },
);
