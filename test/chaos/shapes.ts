import { defineGraph } from "flowsheet/graph";
import { subgraph } from "../../runtime/agents/graphs/subgraph.js";
import { subgraphEach } from "../../runtime/agents/graphs/subgraph-each.js";
import type { AgentContext, AnyGraph, Json } from "../../runtime/graph/contract/contract.js";

type Nodes = { readonly [name: string]: object };

const graphOf = (name: string, nodes: Nodes, routes: object, splits: object = {}): AnyGraph =>
  defineGraph()({
    ...{ name, entry: Object.keys(nodes)[0], nodes, routes, splits, fingerprint: name },
  } as never) as unknown as AnyGraph;

const nothing = (): object => ({});
const node = (agent: unknown, writes: unknown, more: object = {}): object => ({
  agent,
  inputs: nothing,
  writes,
  ...more,
});

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(Object.assign(new Error("aborted"), { name: "AbortError" }));
    });
  });

/** Works for a while, and tells which visit it was. */
const work =
  (ms: number) =>
  async (_inputs: unknown, { signal, node: name, visit }: AgentContext): Promise<string> => {
    await pause(ms, signal);
    return `${name}#${visit}`;
  };

const person = (_inputs: unknown, context: AgentContext): unknown =>
  context.answer ?? context.wait({ prompt: context.node });

const reads = (field: string) => (state: { readonly [field: string]: Json }) => ({ [field]: state[field] });

const item = graphOf(
  "Item",
  {
    X: {
      agent: async ({ item: i }: { readonly item: number }, { signal }: AgentContext) => {
        await pause(3 + (i % 3) * 4, signal);
        if (i % 5 === 4) throw new Error(`bad ${i}`);
        return i * 10;
      },
      inputs: reads("item"),
      writes: "x",
      retry: { attempts: 2, delayMs: 5 },
    },
    Y: { agent: async ({ x }: { readonly x: number }) => x + 1, inputs: reads("x"), writes: "y" },
  },
  { X: { next: "Y" }, Y: {} },
);

const asking = graphOf(
  "Asking",
  { P: node(work(5), "p"), Q: node(person, "q"), R: node(work(5), "r") },
  { P: { next: "Q" }, Q: { next: "R" }, R: {} },
);

const retries = graphOf(
  "retries",
  {
    A: node(
      async (_: unknown, { attempt, signal }: AgentContext) => {
        await pause(4, signal);
        if (attempt < 3) throw new Error(`try ${attempt}`);
        return `ok${attempt}`;
      },
      "a",
      { retry: { attempts: 3, delayMs: 20, factor: 1 } },
    ),
    B: node(
      async () => {
        throw new Error("never");
      },
      "b",
      { retry: { attempts: 2 } },
    ),
    F: {
      agent: async ({ error }: { readonly error: string }) => `took ${error}`,
      inputs: reads("error"),
      writes: "f",
    },
    Z: node(work(5), "z"),
  },
  { A: { next: "B" }, B: { failure: "F" }, F: { next: "Z" }, Z: {} },
);

const timeout = graphOf(
  "timeout",
  {
    A: node(async () => new Promise((resolve) => setTimeout(resolve, 400, "late")), "a", { timeoutMs: 25 }),
    F: node(work(15), "f"),
    S: node(work(5), "s"),
    T: node(work(10), "t"),
  },
  { A: { failure: "F", success: "S" }, F: { next: "T" }, S: {}, T: {} },
);

const split = graphOf(
  "split",
  {
    S: node(work(3), "s"),
    A1: node(work(9), "a1"),
    A2: node(work(6), "a2"),
    B1: node(work(5), "b1"),
    B2: node(work(11), "b2"),
    C1: node(person, "c1"),
    C2: node(work(4), "c2"),
    J: node(work(5), "j"),
    K: node(work(4), "k"),
  },
  {
    S: { next: ["A1", "B1", "C1"] },
    A1: { next: "A2" },
    A2: { next: "J" },
    B1: { next: "B2" },
    B2: { next: "J" },
    C1: { next: "C2" },
    C2: { next: "J" },
    J: { next: "K" },
    K: {},
  },
  {
    S: {
      next: [
        ["A1", "A2"],
        ["B1", "B2"],
        ["C1", "C2"],
      ],
    },
  },
);

const each = graphOf(
  "each",
  {
    L: node(async () => ({ items: [0, 1, 2, 3, 4, 5, 6] }), "items"),
    E: {
      agent: subgraphEach(() => item),
      inputs: reads("items"),
      settings: { over: "items", concurrency: 3, on_error: "collect" },
      writes: ["y", "errors"],
    },
    Z: node(work(5), "z"),
  },
  { L: { next: "E" }, E: { next: "Z" }, Z: {} },
);

const people = graphOf(
  "people",
  {
    E: {
      agent: subgraphEach(() => asking),
      inputs: () => ({ items: [0, 1, 2] }),
      settings: { over: "items", concurrency: 2 },
      writes: ["p", "q", "r"],
    },
    C: { agent: subgraph(() => asking), inputs: nothing, writes: ["q", "r"] },
    Z: node(work(5), "z"),
  },
  { E: { next: "C" }, C: { next: "Z" }, Z: {} },
);

const overdue = graphOf(
  "overdue",
  {
    A: node(work(3), "a"),
    H: node((_: unknown, c: AgentContext) => c.answer ?? c.wait({ prompt: "?", fallback: "fallback" }), "h", {
      timeoutMs: 60,
    }),
    I: node(person, "i", { timeoutMs: 50 }),
    F: node(work(5), "f"),
    Z: node(work(4), "z"),
  },
  { A: { next: "H" }, H: { next: "I" }, I: { failure: "F", success: "Z" }, F: { next: "Z" }, Z: {} },
);

const memory = graphOf(
  "memory",
  {
    A: node(async (_: unknown, c: AgentContext) => {
      c.remember("m", [{ role: "user", text: "one" }]);
      return "a";
    }, "a"),
    B: node(
      async (_: unknown, c: AgentContext) =>
        c
          .recall("m")
          .map(({ text }) => text)
          .join(),
      "b",
    ),
  },
  { A: { next: "B" }, B: {} },
);

const fails = graphOf(
  "fails",
  {
    A: node(work(5), "a"),
    B: node(async () => {
      throw new Error("for good");
    }, "b"),
  },
  { A: { next: "B" }, B: {} },
);

export const SHAPES: { readonly [name: string]: AnyGraph } = Object.fromEntries(
  [retries, timeout, split, each, people, overdue, memory, fails].map((graph) => [graph.name, graph]),
);
