import fc from "fast-check";
import { expect, test } from "vitest";
import { DurableExecutor } from "../../runtime/durable/executor.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { StoreError } from "../../runtime/durable/store-error.js";
import type { Json, Result, StateData } from "../../runtime/graph/contract/contract.js";
import { versionOf } from "../../runtime/graph/index.js";
import { host } from "../../runtime/host.js";
import { toWorkflowResult } from "../../runtime/runs/result.js";
import { settings } from "../durable/executors.js";
import { openAt } from "../durable/open-at.js";
import { newPlace, STORES } from "../durable/places.js";
import { howMany } from "../how-many.js";
import type { RefGraph } from "../reference/graph.js";
import type { Script } from "../reference/script.js";
import { actualOf, answersFor, expectedOf, type Played, playScript } from "../runtime/play.js";
import { buildGraph, type Pace } from "../runtime/reference-graph.js";
import { numbersFrom, paces, seeds } from "./generators/deaths.js";
import { runs } from "./generators/graphs.js";

const RUNS = howMany(50, 10);
const PATIENCE_MS = 600_000;

const DEAD = new StoreError("store_unwritable", "this worker is dead");

/** What a worker writes while it has a run. */
const WRITES: ReadonlySet<string> = new Set(["start", "claim", "record", "openWait", "suspend", "finish"]);

/** The store as a worker has it that dies at one of its next writes, before or after it was done. */
function mortal(store: DurableStore, random: () => number): DurableStore {
  let left = random() < 0.7 ? 1 + Math.floor(random() * 6) : Number.POSITIVE_INFINITY;
  const isDone = random() < 0.5;
  return new Proxy(store, {
    get: (target, name) => {
      const call = Reflect.get(target, name) as undefined | ((...given: unknown[]) => Promise<unknown>);
      if (call === undefined) return undefined;
      return async (...given: unknown[]) => {
        if (name === "close") return;
        // The dead give nothing back.
        if (left <= 0 && name === "giveBack") return "lost";
        if (WRITES.has(String(name))) left -= 1;
        if (left > 0) return call.apply(target, given);
        if (left === 0 && isDone) await call.apply(target, given);
        throw DEAD;
      };
    },
  });
}

let keys = 0;

/** Plays a script by workers of whom most die soon. */
async function playOn(
  store: DurableStore,
  { graph: ref, script }: { readonly graph: RefGraph; readonly script: Script },
  { pace, random }: { readonly pace: readonly Pace[]; readonly random: () => number },
): Promise<{ readonly played: readonly Played[]; readonly deaths: number }> {
  const played: Played[] = [];
  const key = `play ${++keys}`;
  const workerOn = (its: DurableStore): DurableExecutor =>
    new DurableExecutor({
      store: its,
      graphs: {
        open: async () => ({
          graph: buildGraph(ref, script, pace, (node) => `N${node}`).graph,
          options: { log: { debug() {}, info() {}, warn() {}, error: console.error } },
          describe: (result) => toWorkflowResult(result, () => null) as unknown as Json,
        }),
      },
      settings: { ...settings, recoveries: 1_000 },
      host,
      log: { warn: () => {}, error: console.error },
      redact: (text) => text,
    });
  const { graph } = buildGraph(ref, script, pace, (node) => `N${node}`);
  const request = {
    ...{ graph: graph.name, sheet: null, version: versionOf(graph), texts: () => null, key },
    ...{ given: { ...script.initial }, limits: { maxSteps: script.maxSteps ?? null, timeoutMs: null } },
  };
  for (let deaths = 0; ; ) {
    const worker = workerOn(mortal(store, random));
    try {
      const followed = await worker.runHere(request);
      if (followed.kind !== "result") throw new Error("the run was let go of");
      const result = followed.result as unknown as Result<StateData>;
      played.push({ result, seen: [] });
      if (result.status !== "suspended") return { played, deaths };
      const answers = answersFor(result.waiting, script.answers?.[played.length - 1]);
      await workerOn(store).answer(followed.result.runId, answers);
    } catch (error) {
      if (error !== DEAD) throw error;
      deaths += 1;
      await store.sweep({ isGone: () => true, now: Date.now(), recoveries: 1_000 });
    } finally {
      await worker.close(0);
    }
  }
}

test.each(STORES)(
  "a run whose workers die at random writes ends as in memory, and as the reference says, on %s",
  async (kind) => {
    const store = await openAt(await newPlace(kind));
    let deaths = 0;
    const plays = runs({ clean: true, maxSteps: 100 });
    await fc.assert(
      fc.asyncProperty(plays, paces, seeds, async (play, pace, seed) => {
        const expected = expectedOf(play.graph, play.script);
        const inMemory = await playScript(play.graph, play.script, pace);
        fc.pre(inMemory.every(({ result }) => result.error?.code !== "bad_value"));
        const durable = await playOn(store, play, { pace, random: numbersFrom(seed) });
        deaths += durable.deaths;
        expect(actualOf(durable.played, expected)).toEqual(expected);
        expect(actualOf(durable.played, expected)).toEqual(actualOf(inMemory, expected));
      }),
      { numRuns: RUNS },
    );
    await store.close();
    expect(deaths).toBeGreaterThan(RUNS / 2);
  },
  PATIENCE_MS,
);
