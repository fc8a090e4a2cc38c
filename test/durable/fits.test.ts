import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { subgraph } from "../../runtime/agents/graphs/subgraph.js";
import { type Fit, fitOf } from "../../runtime/durable/edits/fits.js";
import { DurableExecutor } from "../../runtime/durable/executor.js";
import { openSqliteStore } from "../../runtime/durable/sqlite/store.js";
import type { AnyGraph, Json } from "../../runtime/graph/contract/contract.js";
import { defineGraph, versionOf } from "../../runtime/graph/index.js";
import { host } from "../../runtime/host.js";
import { toWorkflowResult } from "../../runtime/runs/result.js";

type Node = { readonly [key: string]: unknown };

/** Calls of all agents: a check may make none. */
let calls: string[] = [];

const call = (field: string, value: Json = field): Node => ({
  agent: async () => {
    calls.push(field);
    return value;
  },
  inputs: () => ({}),
  writes: field,
});

const ask = (options?: readonly string[]): Node => ({
  agent: (_: unknown, context: { readonly answer?: Json; wait(spec: object): unknown }) =>
    context.answer ?? context.wait({ prompt: "well?", ...(options && { options }) }),
  inputs: () => ({}),
  writes: "answer",
});

/** Nodes in a row; a route of its own says otherwise. */
function graph(
  nodes: { readonly [name: string]: Node },
  own: { readonly [name: string]: object } = {},
  splits: object = {},
): AnyGraph {
  const names = Object.keys(nodes);
  const routes = Object.fromEntries(
    names.map((name, index) => {
      const next = names[index + 1];
      return [name, own[name] ?? (next === undefined ? {} : { next })];
    }),
  );
  const fingerprint = JSON.stringify([names, routes]);
  const definition = { name: "G", entry: names[0]!, nodes, routes, splits, fingerprint };
  return defineGraph()(definition as never) as unknown as AnyGraph;
}

const within = (inner: AnyGraph): Node => ({
  agent: subgraph(() => inner),
  inputs: () => ({}),
  writes: [],
});

/** Drives a run of the first graph until it waits, and holds the second one against it. */
async function check(old: AnyGraph, edited: AnyGraph): Promise<Fit> {
  const store = await openSqliteStore(join(mkdtempSync(join(tmpdir(), "fits-")), "runs.db"));
  const executor = new DurableExecutor({
    store,
    graphs: {
      open: async () => ({
        graph: old,
        options: {},
        describe: (result) => toWorkflowResult(result, () => null) as unknown as Json,
      }),
    },
    settings: {
      ...{ concurrency: 1, limits: {}, recoveries: 5, deadAfterMs: 30_000 },
      ...{ record: "full", erase: false },
    },
    host,
    log: console,
    redact: (text) => text,
  });
  try {
    const about = { graph: "G", sheet: null, version: versionOf(old), texts: () => null, given: {} };
    const limits = { maxSteps: null, timeoutMs: null };
    const followed = await executor.runHere({ ...about, limits });
    if (followed.kind !== "result") throw new Error("the run was let go of");
    expect(followed.result).toMatchObject({ status: "suspended", error: null });
    const { runId } = followed.result;
    const run = (await executor.get(runId))!;
    calls = [];
    const fit = await fitOf(edited, {
      run,
      steps: await executor.steps(runId),
      waits: await executor.waits(runId),
    });
    expect(calls).toEqual([]);
    return fit;
  } finally {
    await executor.close();
  }
}

const before = (): AnyGraph => graph({ A: call("a"), B: call("b"), Ask: ask(), Z: call("z") });
const inside = (ask: AnyGraph): AnyGraph => graph({ A: call("a"), Call: within(ask), Z: call("z") });
const split = (
  left: { readonly [name: string]: Node },
  right: { readonly [name: string]: Node },
): AnyGraph => {
  const row = (names: readonly string[]): object =>
    Object.fromEntries(
      names.map((name, index) => [name, names[index + 1] ? { next: names[index + 1]! } : {}]),
    );
  const [lefts, rights] = [Object.keys(left), Object.keys(right)];
  return graph(
    { S: call("s"), ...left, ...right },
    { S: { next: [lefts[0]!, rights[0]!] }, ...row(lefts), ...row(rights) },
    { S: { next: [lefts, rights].map((own) => ({ own, others: [] })) } },
  );
};

const fits: Fit = { fits: true, reworded: [] };
const stays = (node: string, why: string): Fit => ({ fits: false, why, node });

test.each<[what: string, old: AnyGraph, edited: AnyGraph, fit: Fit]>([
  ["nothing", before(), before(), fits],
  [
    "a node put behind the one that waits",
    before(),
    graph({ A: call("a"), B: call("b"), Ask: ask(), Y: call("y"), Z: call("z") }),
    fits,
  ],
  [
    "a node put in front",
    before(),
    graph({ A: call("a"), N: call("n"), B: call("b"), Ask: ask(), Z: call("z") }),
    stays("B", '"B" would be called anew (N was put before it)'),
  ],
  [
    "a new entry",
    before(),
    graph({ N: call("n"), A: call("a"), B: call("b"), Ask: ask(), Z: call("z") }),
    stays("A", '"A" would be called anew (N was put before it)'),
  ],
  [
    "a node put right before the one that waits",
    before(),
    graph({ A: call("a"), B: call("b"), N: call("n"), Ask: ask(), Z: call("z") }),
    stays("Ask", '"Ask" would be called anew (N was put before it)'),
  ],
  [
    "a node renamed that was called",
    before(),
    graph({ A: call("a"), C: call("b"), Ask: ask(), Z: call("z") }),
    stays("B", '"B", which was called, is gone'),
  ],
  [
    "a node removed that was called",
    before(),
    graph({ A: call("a"), Ask: ask(), Z: call("z") }),
    stays("B", '"B", which was called, is gone'),
  ],
  [
    "the node renamed that waits",
    before(),
    graph({ A: call("a"), B: call("b"), Approve: ask(), Z: call("z") }),
    stays("Ask", '"Ask", which it waits for, is gone'),
  ],
  [
    "the node removed that waits",
    before(),
    graph({ A: call("a"), B: call("b"), Z: call("z") }),
    stays("Ask", '"Ask", which it waits for, is gone'),
  ],
  ["a node removed that was not come to", before(), graph({ A: call("a"), B: call("b"), Ask: ask() }), fits],
  [
    "a way around the node that waits",
    before(),
    graph({ A: call("a"), B: call("b"), Ask: ask(), Z: call("z") }, { B: {} }),
    stays("Ask", '"Ask", which was called, is not come to any more'),
  ],
  [
    "another question of the node that waits, which keeps the one that it asked",
    before(),
    graph({ A: call("a"), B: call("b"), Ask: ask(["yes", "no"]), Z: call("z") }),
    fits,
  ],
  [
    "other inputs of a node that was called",
    before(),
    graph({ A: call("a"), B: { ...call("b"), inputs: () => ({ to: "Ada" }) }, Ask: ask(), Z: call("z") }),
    { fits: true, reworded: ["B"] },
  ],
  [
    "a type that does not take what was recorded",
    before(),
    graph({
      A: { ...call("a"), writes: { field: "a", type: { kind: "number" } } },
      B: call("b"),
      Ask: ask(),
      Z: call("z"),
    }),
    { fits: false, why: expect.stringContaining("number") as string, node: "A", wouldFail: true },
  ],
  [
    "a node put behind one that waits inside a called graph",
    inside(graph({ Ask: ask() })),
    inside(graph({ Ask: ask(), Y: call("y") })),
    fits,
  ],
  [
    "a node renamed inside a called graph",
    inside(graph({ Ask: ask() })),
    inside(graph({ Approve: ask() })),
    stays("Call/Ask", '"Call/Ask", which it waits for, is gone'),
  ],
  [
    "the caller of a graph renamed",
    inside(graph({ Ask: ask() })),
    graph({ A: call("a"), Call2: within(graph({ Ask: ask() })), Z: call("z") }),
    stays("Call", '"Call", which it waits for, is gone'),
  ],
  [
    "a node put behind in another branch",
    split({ A: call("a"), B: call("b") }, { Ask: ask() }),
    split({ A: call("a"), B: call("b"), C: call("c") }, { Ask: ask() }),
    fits,
  ],
  [
    "a node put in front in another branch",
    split({ A: call("a"), B: call("b") }, { Ask: ask() }),
    split({ N: call("n"), A: call("a"), B: call("b") }, { Ask: ask() }),
    stays("A", '"A" would be called anew (N was put before it)'),
  ],
])("%s", async (_what, old, edited, fit) => {
  expect(await check(old, edited)).toEqual(fit);
});
