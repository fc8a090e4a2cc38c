import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { DurableExecutor } from "../../runtime/durable/executor.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { StoreError } from "../../runtime/durable/store-error.js";
import type { AnyGraph, Json } from "../../runtime/graph/contract/contract.js";
import { defineGraph } from "../../runtime/graph/index.js";
import { howMany, inCi } from "../how-many.js";
import { none, onEachStore, open, request, until } from "./executors.js";

type Asks = { readonly answer?: Json; wait(spec: object): unknown };

/** Two calls, a wait that nobody answers in time, one that is answered, and a last call. */
const graph = defineGraph()({
  name: "Faulty",
  entry: "A",
  nodes: {
    A: { agent: async () => "a", inputs: none, writes: "a" },
    Late: {
      agent: (_inputs: unknown, context: Asks) =>
        context.answer ?? context.wait({ prompt: "?", fallback: "late" }),
      inputs: none,
      writes: "late",
      timeoutMs: 40,
    },
    Ask: {
      agent: (_inputs: unknown, context: Asks) => context.answer ?? context.wait({ prompt: "well?" }),
      inputs: none,
      writes: "answer",
    },
    B: { agent: async () => "b", inputs: none, writes: "b" },
  },
  routes: { A: { next: "Late" }, Late: { next: "Ask" }, Ask: { next: "B" }, B: {} },
  fingerprint: "faulty",
}) as unknown as AnyGraph;

const LATE_MS = 300;
/** What may become of a call of the store. */
const FAULTS = {
  busy: async () => {
    throw new StoreError("store_busy", "another process holds it");
  },
  full: async () => {
    throw new StoreError("store_unwritable", "the disk is full");
  },
  away: async () => {
    throw new Error("the store is away");
  },
  late: async (call: () => Promise<unknown>) => {
    await pause(LATE_MS);
    return call();
  },
  lost: async (call: () => Promise<unknown>) => {
    await call();
    throw new Error("the answer of the store was lost");
  },
} satisfies { readonly [name: string]: (call: () => Promise<unknown>) => Promise<unknown> };
type Fault = keyof typeof FAULTS;

/** A store whose calls fail by a plan. */
const failing =
  (plan: (call: string) => Fault | null) =>
  (store: DurableStore): DurableStore =>
    new Proxy(store, {
      get: (target, name) => {
        const call = Reflect.get(target, name) as undefined | ((...given: unknown[]) => Promise<unknown>);
        if (call === undefined) return undefined;
        return async (...given: unknown[]) => {
          const fault = plan(String(name));
          const done = (): Promise<unknown> => call.apply(target, given);
          return fault === null ? done() : FAULTS[fault](done);
        };
      },
    });

/** The answer was taken, and perhaps the run has ended since. */
const DONE: ReadonlySet<string> = new Set(["already_answered", "already_ended"]);

/** People try again what was refused; that it was done already is what they wanted. */
async function trying<T>(call: () => Promise<T>): Promise<T | null> {
  for (let tries = 0; ; tries++)
    try {
      return await call();
    } catch (error) {
      if (error instanceof StoreError && DONE.has(error.code)) return null;
      if (tries === 20) throw error;
      await pause(50);
    }
}

/** Starts runs, answers them, and holds their ends against those of runs that nothing befalls. */
async function play(executor: DurableExecutor, runs: number): Promise<void> {
  executor.work();
  const key = (i: number): string => `run-${i}`;
  const started = await Promise.all(
    Array.from({ length: runs }, (_, i) => trying(() => executor.start({ ...request(graph), key: key(i) }))),
  );
  const ids = started.map((one) => one?.run.runId ?? "");
  const answered = new Set<string>();
  await until(async () => {
    for (const runId of ids) {
      const waits = (await trying(() => executor.waits(runId))) ?? [];
      const asks = waits.some(({ waiting, ending }) => waiting.node === "Ask" && ending === null);
      if (!asks || answered.has(runId)) continue;
      answered.add(runId);
      await trying(() => executor.answer(runId, { Ask: "yes" }));
    }
    return ((await trying(() => executor.store.counts({})))?.completed ?? 0) === runs;
  });
  for (const runId of ids) await judge(executor, runId);
}

async function judge(executor: DurableExecutor, runId: string): Promise<void> {
  const run = await trying(() => executor.get(runId));
  const state = { a: "a", late: "late", answer: "yes", b: "b" };
  expect(run?.result).toMatchObject({ status: "completed", state, path: ["A", "Late", "Ask", "B"] });
  const steps = await trying(() => executor.steps(runId));
  // Whoever waits is called a second time, with the end of the wait.
  const recorded = ["A|1", "Late|1", "Late|1|2", "Ask|1", "Ask|1|2", "B|1"];
  expect(steps?.filter(({ pure }) => !pure).map(({ id }) => id)).toEqual(recorded);
  const waits = await trying(() => executor.waits(runId));
  expect(waits?.map(({ ending }) => ending)).toEqual([{ kind: "over" }, { kind: "answer", answer: "yes" }]);
}

/** What is repeated at once when it fails, before the leg is given up. */
const INSISTED = ["start", "record", "openWait", "endWait", "suspend", "answer", "finish"];
/** What else the executor asks of a store in the life of a run. */
const OTHERS = ["beat", "claim", "journal", "waits", "run", "leasesOf", "sweep"];

const each = (calls: readonly string[], times: number) =>
  calls.flatMap((call) => (Object.keys(FAULTS) as Fault[]).map((fault) => ({ call, fault, times })));
/** Five times is more than anybody insists. On a full disk nobody does. */
const often = each(INSISTED, 5).filter(({ fault }) => fault !== "full");
const cases = [...each([...INSISTED, ...OTHERS], 1), ...(inCi ? often : [])];

onEachStore(
  "each call of the store may be refused, late or unacknowledged: the run ends as ever",
  async () => {
    await Promise.all(
      cases.map(async ({ call, fault, times }) => {
        let left = times;
        const plan = (name: string): Fault | null => (name === call && left-- > 0 ? fault : null);
        const executor = await open([graph], {
          wrap: failing(plan),
          log: { warn: () => {}, error: () => {} },
        });
        await play(executor, 1);
        expect(left, `${call} was never asked for`).toBeLessThan(times);
        await executor.close();
      }),
    );
  },
);

onEachStore("nor does it matter when any of them fails, and which", async () => {
  let seed = 7;
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const faults = ["busy", "away", "lost"] as const;
  const plan = (name: string): Fault | null =>
    name === "close" || random() < 0.9 ? null : faults[Math.floor(random() * faults.length)]!;
  const executor = await open([graph], { wrap: failing(plan), log: { warn: () => {}, error: () => {} } });
  await play(executor, howMany(15, 5));
});
