import type { GraphIR, Json } from "../../compiler/ir.js";
import { AgentRegistry } from "../../runtime/agents/registry.js";
import type {
  AgentContext,
  Answers,
  AnyAgent,
  AnyGraph,
  Given,
  Result,
  RunEvent,
  RunOptions,
  StateData,
  WaitingFor,
} from "../../runtime/graph/contract/contract.js";
import type { Storage } from "../../runtime/graph/contract/services.js";
import { link } from "../../runtime/graph/link/link.js";

/** One run and its resumes, as far as two producers of one graph must agree: all but the clock. */
export interface Leg {
  readonly result: object;
  readonly events: readonly object[];
}

const registry = new AgentRegistry();

/** Files that are never there, and stay so. */
const storage: Storage = {
  read: async ({ otherwise = null }) => otherwise,
  write: async ({ file, mode }) => ({ file, mode, count: 1 }),
};

/** The graph of a sheet as the interpreter runs it; an agent that is not there does nothing. */
export const interpreted = (graph: GraphIR): AnyGraph =>
  link(graph, { find: (type) => registry.find(type) ?? ((() => null) as AnyAgent) });

export interface Play {
  readonly given: Given;
  readonly standIns?: () => { readonly [node: string]: (inputs: object, context: AgentContext) => unknown };
  readonly answer: (waiting: WaitingFor) => Json;
}

/** Runs a graph to its end; what waits is answered in another leg, the checkpoint goes through JSON. */
export async function playGraph(graph: AnyGraph, { given, standIns, answer }: Play): Promise<readonly Leg[]> {
  const legs: Leg[] = [];
  const options = (events: RunEvent[]): RunOptions =>
    ({
      runId: "run",
      maxSteps: 60,
      trace: true,
      services: { storage },
      on: (event: RunEvent) => events.push(event),
      ...(standIns === undefined ? {} : { nodes: standIns() }),
    }) as RunOptions;
  let events: RunEvent[] = [];
  let result: Result<StateData> = await graph.run(given, options(events));
  for (;;) {
    legs.push({ result: timeless(result), events: events.map(timeless) });
    if (result.status !== "suspended" || legs.length > 20) return legs;
    const answers: Answers = Object.fromEntries(result.waiting.map((one) => [one.node, answer(one)]));
    const checkpoint = JSON.parse(JSON.stringify(result.checkpoint)) as typeof result.checkpoint;
    events = [];
    result = await graph.resume(checkpoint, answers, options(events));
  }
}

const CLOCK = new Set(["ms", "durationMs", "until"]);

/** A copy as plain data without what only the clock knows. */
function timeless(value: object): object {
  return JSON.parse(JSON.stringify(value, (key, one: unknown) => (CLOCK.has(key) ? 0 : one))) as object;
}
