import { afterEach, onTestFinished, test } from "vitest";
import { DurableExecutor, type ExecutorSettings } from "../../runtime/durable/executor.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import type { AnyGraph, Json } from "../../runtime/graph/contract/contract.js";
import { defineGraph, versionOf } from "../../runtime/graph/index.js";
import { host } from "../../runtime/host.js";
import { toWorkflowResult } from "../../runtime/runs/result.js";
import { openAt } from "./open-at.js";
import { type Kind, newPlace, STORES } from "./places.js";

export const settings: ExecutorSettings = {
  concurrency: 10,
  limits: {},
  recoveries: 5,
  deadAfterMs: 30_000,
  record: "full",
  erase: false,
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

let on: Kind | undefined;

/** The kind of store that the test is about. */
export const kindOf = (): Kind => on ?? STORES[0] ?? "libsql";

/** Where executors share a store. */
export const placeOf = (): Promise<string> => newPlace(kindOf());

/** A test that runs once on each kind of store. */
export const onEachStore = (name: string, work: () => Promise<void>, ms?: number): void => {
  for (const kind of STORES)
    test(
      `${name}, on ${kind}`,
      async () => {
        on = kind;
        onTestFinished(() => {
          on = undefined;
        });
        await work();
      },
      ms,
    );
};

export async function open(
  graphs: readonly AnyGraph[],
  more: {
    readonly place?: string | Promise<string>;
    readonly settings?: Partial<ExecutorSettings>;
    readonly wrap?: (store: DurableStore) => DurableStore;
    readonly redact?: (text: string) => string;
    readonly log?: { readonly warn?: (message: string) => void; readonly error?: () => void };
  } = {},
): Promise<DurableExecutor> {
  const { place = placeOf(), wrap = (store) => store, redact = (text) => text } = more;
  const executor = new DurableExecutor({
    store: wrap(await openAt(await place)),
    graphs: {
      open: async ({ graph: name }) => {
        const graph = graphs.find((one) => one.name === name);
        if (graph === undefined) return { held: `graph ${name}` };
        const describe = (result: Parameters<typeof toWorkflowResult>[0]): Json =>
          toWorkflowResult(result, () => null) as unknown as Json;
        return { graph, options: { redact }, describe };
      },
    },
    settings: { ...settings, ...more.settings },
    host,
    log: { warn: () => {}, error: console.error, ...more.log },
    redact,
  });
  closing.push(() => executor.close());
  return executor;
}

export const request = (graph: AnyGraph, given = {}) => ({
  graph: graph.name,
  sheet: null,
  version: versionOf(graph),
  texts: () => null,
  given,
  limits: { maxSteps: null, timeoutMs: null },
});

export const none = (): object => ({});

export const approval = defineGraph()({
  name: "Approval",
  entry: "Ask",
  nodes: {
    Ask: {
      agent: (_inputs: unknown, context: { readonly answer?: Json; wait(spec: object): unknown }) =>
        context.answer ?? context.wait({ prompt: "well?" }),
      inputs: none,
      writes: "answer",
    },
    After: { agent: async () => "done", inputs: none, writes: "after" },
  },
  routes: { Ask: { next: "After" }, After: {} },
  fingerprint: "approval",
}) as unknown as AnyGraph;

/** Waits for what workers do, with a cap against hanging. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("it did not come to be");
}
