import { subgraph } from "flowsheet/agents";
import { expect, test } from "vitest";
import type { AnyGraph, Json, RunValues } from "../../runtime/graph/contract/contract.js";
import { defineGraph, pure } from "../../runtime/graph/index.js";
import { nothingKept, openLeg, recordedIds } from "./memory-ops.js";

const MORNING = Date.parse("2026-11-22T23:30:00Z");

const copy = pure((inputs: object) => ({ told: inputs }));

/** A graph of one node that copies what it is told of its run. */
function reading(names: readonly (keyof RunValues)[], more: object = {}): AnyGraph {
  const inputs = (_: object, run: RunValues) => Object.fromEntries(names.map((name) => [name, run[name]]));
  const nodes = { Tell: { agent: copy, inputs, writes: ["told"] } };
  const routes = { Tell: {} };
  const definition = { name: "G", entry: "Tell", nodes, routes, fingerprint: "f", ...more };
  return defineGraph<object, object>()(definition as never) as unknown as AnyGraph;
}

const told = async (running: ReturnType<AnyGraph["run"]>): Promise<Json | undefined> =>
  (await running).state["told"];

test("a node reads who started the run, when, and the clock of its visit", async () => {
  const graph = reading(["runId", "graph", "startedAt", "startedBy", "now", "today"]);
  const options = { runId: "0a1b", startedAt: MORNING, startedBy: "ada", clock: () => MORNING + 60_000 };
  expect(await told(graph.run({}, options))).toEqual({
    runId: "0a1b",
    graph: "G",
    startedAt: "2026-11-22T23:30:00.000Z",
    startedBy: "ada",
    now: "2026-11-22T23:31:00.000Z",
    today: "2026-11-22",
  });
  expect(await told(graph.run({}, { clock: () => MORNING }))).not.toHaveProperty("startedBy");
});

test("$today is that of the graph's time zone, else of the run's, else of UTC", async () => {
  const clock = (): number => MORNING;
  const day = { today: "2026-11-23" };
  expect(await told(reading(["today"]).run({}, { clock }))).toEqual({ today: "2026-11-22" });
  expect(await told(reading(["today"]).run({}, { clock, timezone: "Asia/Tokyo" }))).toEqual(day);
  const own = reading(["today"], { timezone: "Europe/Berlin" });
  expect(await told(own.run({}, { clock, timezone: "America/Lima" }))).toEqual(day);
});

/** Each call of the clock gives another time. */
function ticking(): () => number {
  let time = MORNING;
  return () => {
    time += 60_000;
    return time;
  };
}

test("a graph that is run inside of another one has the run, but its own name", async () => {
  const inner = reading(["runId", "graph", "startedAt", "startedBy"]);
  const outer = around(inner);
  const result = await told(outer.run({}, { runId: "0a1b", startedAt: MORNING, startedBy: "ada" }));
  const startedAt = "2026-11-22T23:30:00.000Z";
  expect(result).toEqual({ runId: "0a1b", graph: "G", startedAt, startedBy: "ada" });
});

/** Runs a graph, and gives it the clock of the visit that runs it. */
function around(inner: AnyGraph): AnyGraph {
  const inputs = (_: object, run: RunValues) => ({ at: run.now });
  const nodes = { Call: { agent: subgraph(() => inner), inputs, writes: ["told"] } };
  const definition = { name: "Outer", entry: "Call", nodes, routes: { Call: {} }, fingerprint: "o" };
  return defineGraph<object, object>()(definition as never) as unknown as AnyGraph;
}

test("a replay reads the clock as it was, and a visit that reads it is recorded though its agent is pure", async () => {
  const kept = nothingKept();
  const clock = ticking();
  const graph = reading(["now"]);
  const run = (): Promise<Json | undefined> => {
    const journal = openLeg(kept);
    return told(graph.run({}, { runId: "r", ops: journal.ops, clock }));
  };
  const first = await run();
  expect(recordedIds(kept)).toEqual(["Tell|1"]);
  expect(clock()).toBeGreaterThan(Date.parse((first as { now: string }).now));
  expect(await run()).toEqual(first);
});

test("a visit that reads nothing but what never changes stays pure", async () => {
  const kept = nothingKept();
  const journal = openLeg(kept);
  await reading(["runId", "graph", "startedAt", "startedBy"]).run({}, { ops: journal.ops });
  expect(recordedIds(kept)).toEqual([]);
});

test("a replay gives a graph inside the same clock", async () => {
  const kept = nothingKept();
  const clock = ticking();
  const agent = (inputs: { readonly at?: string }) => ({ told: inputs.at });
  const nodes = { Tell: { agent, inputs: (state: { at?: string }) => ({ at: state.at }), writes: ["told"] } };
  const definition = { name: "G", entry: "Tell", nodes, routes: { Tell: {} }, fingerprint: "f" };
  const outer = around(defineGraph<object, object>()(definition as never) as unknown as AnyGraph);
  const run = (): Promise<Json | undefined> =>
    told(outer.run({}, { runId: "r", ops: openLeg(kept).ops, clock }));
  const first = await run();
  // What the first leg recorded inside is taken away: the agent is called anew, with the clock of the first leg.
  kept.steps.splice(1);
  expect(recordedIds(kept)).toEqual(["Call|1|clock"]);
  expect(await run()).toEqual(first);
});

test("all attempts of a visit read one clock, also when another process makes the second", async () => {
  const kept = nothingKept();
  const clock = ticking();
  const seen: (string | undefined)[] = [];
  const agent = (inputs: { readonly now?: string }) => {
    seen.push(inputs.now);
    if (seen.length < 3) throw new Error("not yet");
    return "done";
  };
  const inputs = (_: object, run: RunValues) => ({ now: run.now });
  const nodes = { Tell: { agent, inputs, writes: ["told"], retry: { attempts: 3, delayMs: 1 } } };
  const definition = { name: "G", entry: "Tell", nodes, routes: { Tell: {} }, fingerprint: "f" };
  const graph = defineGraph<object, object>()(definition as never) as unknown as AnyGraph;
  let records = 0;
  const dying = openLeg(kept, {
    before: () => {
      records += 1;
      if (records === 2) throw new Error("KILLED");
    },
  });
  await expect(graph.run({}, { ops: dying.ops, clock })).rejects.toThrow("KILLED");
  expect(await told(graph.run({}, { ops: openLeg(kept).ops, clock }))).toBe("done");
  expect(new Set(seen).size).toBe(1);
});
