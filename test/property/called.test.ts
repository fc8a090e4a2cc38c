import fc from "fast-check";
import { subgraph } from "flowsheet/agents";
import { defineGraph } from "flowsheet/graph";
import { expect, test } from "vitest";
import type { AnyGraph, Given, Result, RunEvent, StateData } from "../../runtime/graph/contract/contract.js";
import { howMany } from "../how-many.js";
import type { RefGraph } from "../reference/graph.js";
import { simulate } from "../reference/run.js";
import type { Script } from "../reference/script.js";
import { splitsOf } from "../reference/splits.js";
import { answersFor } from "../runtime/play.js";
import { buildGraph, type Pace } from "../runtime/reference-graph.js";
import { understandText } from "../world.js";
import { runs, toCsv } from "./generators/graphs.js";

const RUNS = howMany(5_000, 500);
const PATIENCE_MS = 600_000;

const paces = fc.array(fc.constantFrom<Pace>("sync", "promise", "later"), { minLength: 1, maxLength: 3 });

/** A graph that runs another one, with an edge for a success and one for a signalled failure. */
function caller(child: AnyGraph): AnyGraph {
  const nodes = {
    Call: { agent: subgraph(() => child), inputs: (state: StateData) => state, writes: ["error"] },
    Good: { agent: () => null, inputs: () => ({}) },
    Bad: { agent: () => null, inputs: () => ({}) },
  };
  const routes = { Call: { success: "Good", next: "Bad" }, Good: {}, Bad: {} } as const;
  return defineGraph<Given, StateData>()({
    name: "Caller",
    entry: "Call",
    nodes,
    routes,
    fingerprint: "caller",
  }) as unknown as AnyGraph;
}

/** Runs a graph as part of another one; each suspension goes through JSON, and is answered as the script wants. */
async function playCalled(ref: RefGraph, script: Script, pace: readonly Pace[]): Promise<Result<StateData>> {
  const make = (): AnyGraph => caller(buildGraph(ref, script, pace, (node) => `N${node}`).graph);
  const { maxSteps = 100, initial = {}, answers = [] } = script;
  // The call itself is a visit more.
  const options = { maxSteps: maxSteps + 3, on: (_: RunEvent) => {} };
  let result: Result<StateData> = await make().run({ ...initial }, options);
  for (let leg = 0; result.status === "suspended"; leg++) {
    const checkpoint = JSON.parse(JSON.stringify(result.checkpoint)) as typeof result.checkpoint;
    const inner = result.waiting.map((one) => ({ ...one, node: one.node.slice("Call/".length) }));
    const given = Object.entries(answersFor(inner, answers[leg])).map(([node, one]) => [`Call/${node}`, one]);
    result = await make().resume(checkpoint, Object.fromEntries(given), options);
  }
  return result;
}

test(
  "a call of a graph ends as the reference says: well, with a signalled failure, or thrown",
  async () => {
    const tally = { Good: 0, Bad: 0, failed: 0 };
    const plays = runs({ clean: true, maxSteps: 100 });
    await fc.assert(
      fc.asyncProperty(plays, paces, async ({ graph, script }, pace) => {
        const last = simulate(graph, script).at(-1);
        fc.pre(last !== undefined && last.error?.code !== "step_limit");
        const { status, path, state, error } = await playCalled(graph, script, pace);
        // The sum of what an inner split appended is no number: the driver refuses, the reference does not care.
        fc.pre(!(error?.message.includes("is no number to sum") ?? false));
        const way = last?.status === "failed" ? "failed" : last?.unhandled ? "Bad" : "Good";
        tally[way] += 1;
        expect(status === "failed" ? "failed" : path.at(-1)).toBe(way);
        if (way === "Bad") expect(state["error"]).toBe(last?.state["error"]);
      }),
      { numRuns: Math.ceil(RUNS / 10) },
    );
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(RUNS / 1_000);
  },
  PATIENCE_MS,
);

test(
  "analysis knows every graph that may fail, and what the others' ends have set",
  () => {
    let failed = 0;
    // What agents throw that signal failure by nature is left out of account.
    const plays = runs({ clean: true, maxSteps: 100, calm: ["failure", "branching", "human"] });
    fc.assert(
      fc.property(plays, ({ graph, script }) => {
        const [ir] = understandText(toCsv(graph), { failingAgents: new Set(["ref"]) }).graphs;
        const required = ir?.fields.filter(({ input }) => input === "required").map(({ name }) => [name, 1]);
        const initial = { ...Object.fromEntries(required ?? []), ...script.initial };
        const last = simulate(graph, { ...script, initial }).at(-1);
        fc.pre(ir !== undefined && last?.status === "completed");
        if (last?.unhandled) {
          failed += 1;
          expect(ir?.mayFail).toBe(true);
          return;
        }
        // What is dropped where branches meet is compared with the reference, in the properties of the analysis.
        if (splitsOf(graph).length > 0) return;
        const sure = ir?.fields.filter(({ name, setAtSuccess }) => setAtSuccess && name !== "error") ?? [];
        for (const { name } of sure) expect(last?.state).toHaveProperty([name]);
      }),
      { numRuns: Math.ceil(RUNS / 10) },
    );
    expect(failed).toBeGreaterThan(RUNS / 4_000);
  },
  PATIENCE_MS,
);
