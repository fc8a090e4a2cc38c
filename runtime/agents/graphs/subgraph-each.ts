import { describeValue } from "../../../compiler/types/describe-value.js";
import type {
  AgentFunction,
  AnyGraph,
  Graph,
  InnerRun,
  InsideData,
  Json,
  Wait,
} from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import { wait } from "../../graph/contract/signal.js";
import { publicMessage, RunStop } from "../../graph/drive/run.js";
import { closedBy, closeScope, endScope, onClose, openScope } from "../../graph/drive/scope.js";
import { stopped } from "../../graph/drive/split.js";
import { type CallEnd, callGraph, type GraphCall, resumeGraph } from "../../graph/drive/subgraph-run.js";
import type { Visit } from "../../graph/drive/visit.js";
import { holdItem } from "../../graph/link/hold.js";
import { nested } from "../../graph/link/marks.js";
import type { Inputs } from "../agent.js";
import { answersFor, takeInside } from "./subgraph.js";

/** An item whose run failed, when errors are collected. */
export type ItemError = {
  /** Counts from 0. */
  readonly index: number;
  readonly item: Json;
  readonly error: string;
};

/** The result of a loop: each field of the graph as a list, in the order of the items. */
export type EachState<State> = {
  readonly [K in keyof State]-?: readonly (undefined extends State[K]
    ? Exclude<State[K], undefined> | null
    : State[K])[];
} & { readonly errors: readonly ItemError[] };

export type EachFunction<State> = AgentFunction<Inputs, EachState<State>>;

/**
 * Makes an agent that runs another graph once for each item of a list. The setting `over` is the input with the list,
 * `as` the graph's field for an item.
 */
export function subgraphEach<Input, State, Nodes>(
  graph: () => Graph<Input, State, Nodes>,
): EachFunction<State> {
  const child = graph as unknown as () => AnyGraph;
  return nested(
    // Every context that an agent is called with is the visit itself.
    (inputs, context) => runEach(context as Visit, child(), inputs) as Promise<EachState<State>>,
    child,
  );
}

interface Job {
  readonly index: number;
  readonly inner: InnerRun | null;
}

async function runEach(visit: Visit, graph: AnyGraph, inputs: Inputs): Promise<object | Wait> {
  const inside = takeInside(visit);
  const loop = createLoop(visit, graph, inputs, inside);
  const { concurrency } = visit.settings;
  const jobs = jobsOf(loop, inside);
  const isAlone = typeof concurrency !== "number" || visit.line.run.options.pause !== undefined;
  const size = Math.min(isAlone ? 1 : Math.max(1, concurrency), jobs.length);
  const queue = jobs.values();
  const workers = Array.from({ length: size }, () => work(loop, queue));
  const closed = new Promise<void>((resolve) => onClose(loop.scope, () => resolve()));
  await Promise.race([Promise.all(workers), closed]);
  const reason = closedBy(loop.scope);
  if (reason !== null) {
    await stopped(workers);
    throw loop.failure === null ? reason : loop.failure.thrown;
  }
  endScope(loop.scope);
  return resultOf(loop);
}

/** Only the outputs of finished runs are kept, to save memory. */
type Loop = ReturnType<typeof createLoop>;

type Lists = { readonly [key: string]: Json[] };

function createLoop(visit: Visit, graph: AnyGraph, inputs: Inputs, inside: InsideData | null) {
  const { over, as, on_error: onError } = visit.settings;
  const name = String(over);
  const { [name]: items, ...shared } = inputs;
  if (!Array.isArray(items))
    throw new AgentError("agent_failed", `"${name}" must be a list to run over, not ${describeValue(items)}`);
  const done = (inside?.done ?? null) as { readonly lists: Lists; readonly errors: ItemError[] } | null;
  const collects = onError === "collect";
  const keys = visit.outputs.map(({ key }) => key).filter((key) => !(collects && key === "errors"));
  // Where nothing was written, or the run of the item failed, null keeps the lists in step with the items.
  const lists: Lists = Object.fromEntries(
    keys.map((key) => [key, [...(done?.lists[key] ?? items.map(() => null))]]),
  );
  return {
    visit,
    graph,
    scope: openScope(visit.extra?.scope ?? visit.line.scope),
    items: items as readonly Json[],
    // The inputs for all items, and the field of the item.
    shared,
    as: typeof as === "string" ? as : "item",
    collects,
    lists,
    errors: [...(done?.errors ?? [])],
    asleep: [] as InnerRun[],
    // The error that stopped the loop.
    failure: null as { readonly thrown: unknown } | null,
    // The time of the event loop's last turn.
    turn: performance.now(),
  };
}

function jobsOf({ items }: Loop, inside: InsideData | null): readonly Job[] {
  if (inside === null) return items.map((_, index) => ({ index, inner: null }));
  return inside.runs.map((inner) => ({ index: inner.index ?? 0, inner }));
}

/** The event loop gets a turn after this time. */
const TURN_MS = 8;

/** Runs item after item, until all are done or an error stops the loop. */
async function work(loop: Loop, queue: Iterator<Job>): Promise<void> {
  for (let next = queue.next(); next.done !== true; next = queue.next()) {
    const job = next.value;
    try {
      const end = begin(loop, job);
      keep(loop, job.index, end instanceof Promise ? await end : end);
    } catch (thrown) {
      keepFailure(loop, job.index, thrown);
    }
    if (closedBy(loop.scope) !== null) return;
    if (performance.now() - loop.turn > TURN_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      loop.turn = performance.now();
    }
  }
}

function begin(
  { visit, graph, scope, items, shared, as }: Loop,
  { index, inner }: Job,
): CallEnd | Promise<CallEnd> {
  const call: GraphCall = { visit, graph, index, scope };
  if (inner !== null) return resumeGraph(call, inner, answersFor(visit, index));
  return callGraph(call, { ...shared, [as]: items[index] });
}

function keep(loop: Loop, index: number, end: CallEnd): void {
  if (end.kind === "suspended") {
    loop.asleep.push(end.inner);
    return;
  }
  if (end.failure !== null) throw new AgentError("agent_failed", end.failure);
  const { lists } = loop;
  if (loop.collects) for (const output of loop.visit.outputs) holdItem(output, end.state[output.key]);
  for (const key of Object.keys(lists)) lists[key]![index] = end.state[key] ?? null;
}

function keepFailure(loop: Loop, index: number, thrown: unknown): void {
  if (loop.failure !== null) return;
  const isItems = thrown instanceof AgentError || (thrown instanceof RunStop && thrown.code === "step_limit");
  if (loop.collects && isItems && closedBy(loop.scope) === null) {
    const error = publicMessage(loop.visit.line.run, thrown);
    loop.errors.push({ index, item: loop.items[index] ?? null, error });
    return;
  }
  const located = isItems ? withItem(thrown, index) : thrown;
  loop.failure = { thrown: located };
  closeScope(loop.scope, located instanceof Error ? located : new Error("an item failed"));
}

function withItem(thrown: AgentError | RunStop, index: number): Error {
  const message = `${thrown.message} (item ${index})`;
  return thrown instanceof RunStop
    ? new RunStop(thrown.code, message, thrown.node)
    : new AgentError(thrown.code, message);
}

type Indexed = { readonly index: number | null };

function resultOf({ lists, errors, asleep, collects }: Loop): object | Wait {
  const byIndex = (a: Indexed, b: Indexed): number => (a.index ?? 0) - (b.index ?? 0);
  errors.sort(byIndex);
  if (asleep.length === 0) return collects ? { ...lists, errors } : lists;
  const done = { lists, errors: errors.map((error) => ({ ...error })) };
  return wait({ inside: { runs: asleep.sort(byIndex), done } });
}
