import type {
  Answers,
  AnyGraph,
  Given,
  InnerRun,
  Json,
  RunEndSeen,
  RunEvent,
  RunOptions,
  StateData,
  Stop,
} from "../contract/contract.js";
import { AgentError } from "../contract/errors.js";
import { inputsByField } from "../link/by-field.js";
import { holdGiven } from "../link/hold.js";
import { type Table, tableOf } from "../link/table.js";
import { toCheckpoint, waitingIn } from "../suspend/checkpoint.js";
import { opsInside } from "../suspend/durable.js";
import { nameInside, placeInside } from "../suspend/names-inside.js";
import { restoreRun } from "../suspend/restore.js";
import type { State } from "../values/state-type.js";
import { dataOf, text } from "../values/values.js";
import { drive } from "./drive.js";
import {
  branchOf,
  type Caller,
  createRun,
  EngineStop,
  type Line,
  publicMessage,
  type Run,
  RunStop,
  timezoneOf,
} from "./run.js";
import { closedBy, closeScope, endScope, type Scope } from "./scope.js";
import type { Visit } from "./visit.js";

/** The deepest nesting of runs of sub-graphs. */
const DEPTH = 32;

/** A graph that a visit runs as part of its own run. */
export interface GraphCall {
  readonly visit: Visit;
  readonly graph: AnyGraph;
  /** The index of the item, whose run counts its own steps; null for a graph that is run once. */
  readonly index: number | null;
  /** Closing it stops the run. */
  readonly scope: Scope;
}

export interface CallDone {
  readonly kind: "done";
  readonly state: StateData;
  readonly graph: Table;
  /** The reason of a failure without a failure edge that ended a line; null otherwise. */
  readonly failure: string | null;
}

/** The result of a sub-graph that did not throw: its final state, or its suspended run. */
export type CallEnd = CallDone | { readonly kind: "suspended"; readonly inner: InnerRun };

/** Runs a graph inside a visit. It throws an error of the agent, or the error that stops the whole run. */
export function callGraph(call: GraphCall, given: Given): CallEnd | Promise<CallEnd> {
  const table = tableOf(call.graph.definition);
  const caller = callerOf(call);
  const state = stateOf(table, given);
  const { runId } = call.visit;
  const origin = {
    runId,
    given: { ...state } as StateData,
    state,
    caller,
  };
  return settle(call, createRun(table, origin, optionsOf(call)), table.entry);
}

/** Continues a suspended run of a sub-graph. */
export function resumeGraph(
  call: GraphCall,
  { checkpoint }: InnerRun,
  answers: Answers,
): CallEnd | Promise<CallEnd> {
  const table = tableOf(call.graph.definition);
  const caller = callerOf(call);
  return settle(call, restoreRun(table, checkpoint, { answers, options: optionsOf(call), caller }));
}

function callerOf({ visit, graph, index, scope }: GraphCall): Caller {
  const { run } = visit.line;
  const depth = (run.caller?.depth ?? 0) + 1;
  if (depth > DEPTH) {
    const message = `graph "${graph.name}" is run inside itself or other graphs more than ${DEPTH} deep`;
    throw new AgentError("agent_failed", message);
  }
  return { scope, counts: index === null ? run : null, depth, stem: placeInside(visit.key, index) };
}

/** The first state of a called graph. Values of a state are frozen data already, so they are not copied. */
function stateOf(table: Table, given: Given): State {
  const state = new table.State();
  for (const field of Object.keys(given)) {
    const value = given[field];
    if (value === undefined) continue;
    state[field] = typeof value === "object" && Object.isFrozen(value) ? (value as Json) : dataOf(value);
  }
  holdAll(table, state);
  return state;
}

/** Checks the given values against the types that the graph asks for. Text is converted when it reads as the type. */
function holdAll({ name, definition }: Table, state: State): void {
  const inputs = definition.inputs && inputsByField(definition.inputs);
  if (inputs === undefined) return;
  for (const field of Object.keys(inputs)) {
    const { required = false, types = [] } = inputs[field] ?? {};
    const value = state[field];
    if (value === undefined) {
      if (!required) continue;
      const message = `graph "${name}" needs the input "${field}", which is not given to it`;
      throw new AgentError("agent_failed", message);
    }
    const what = `input "${field}" of graph "${name}"`;
    const item = { column: "input_fields", name: field } as const;
    state[field] = types.reduce((held: Json, type) => holdGiven(held, type, { what, item }), value);
  }
}

/** Drives the run of a sub-graph to its end. It returns a promise only when the run does. */
function settle(call: GraphCall, root: Line, entry?: number): CallEnd | Promise<CallEnd> {
  const fail = (stop: unknown): never => {
    const failure = failureOf(call, root, stop);
    root.run.observed?.end(endOf(root.run, stop));
    throw failure;
  };
  try {
    const rest = drive(root, entry);
    if (typeof rest === "boolean") return callEnd(call, root, rest);
    return rest.then((ended) => callEnd(call, root, ended), fail);
  } catch (stop) {
    return fail(stop);
  }
}

function endOf(run: Run, stop: unknown): RunEndSeen {
  const code = stop instanceof RunStop ? stop.code : "internal";
  return {
    status: code === "cancelled" ? "cancelled" : "failed",
    error: { code, message: publicMessage(run, stop) },
  };
}

function callEnd({ index }: GraphCall, root: Line, ended: boolean): CallEnd {
  endScope(root.scope);
  root.run.observed?.end({ status: ended ? "completed" : "suspended", error: null });
  if (ended) {
    const state = root.state as StateData;
    const failure = root.run.unhandled ? text(state["error"]) : null;
    return { kind: "done", state, graph: root.run.table, failure };
  }
  return {
    kind: "suspended",
    inner: { index, checkpoint: toCheckpoint(root, 0), waiting: waitingIn(root) },
  };
}

/** The error that the calling visit throws when the run of its sub-graph has stopped. */
function failureOf({ visit, scope }: GraphCall, root: Line, stop: unknown): unknown {
  const { run } = visit.line;
  const ofAll = closedBy(visit.line.scope);
  if (ofAll !== null) return ofAll;
  const closed = closedBy(scope);
  // Only this visit or its items have ended, so nobody uses this error.
  if (closed !== null) return aborted(closed);
  const error = stop instanceof Error ? stop : new RunStop("internal", "a sub-graph failed", null);
  closeScope(root.scope, error);
  if (!(stop instanceof RunStop)) {
    run.log.error("a sub-graph failed inside flowsheet itself", stop);
    return new RunStop("internal", publicMessage(run, stop), visit.node);
  }
  if (stop instanceof EngineStop) return stop;
  const { code, message } = stop;
  const isAgents =
    code !== "step_limit" && code !== "run_timeout" && code !== "cancelled" && code !== "internal";
  return isAgents ? new AgentError("agent_failed", message) : new RunStop(code, message, visit.node);
}

function aborted({ message }: Error): Error {
  const error = new Error(message);
  error.name = "AbortError";
  return error;
}

/** The options of the inner run: those of the caller, with whole names for the nodes inside. */
function optionsOf({ visit, index }: GraphCall): RunOptions {
  const { run } = visit.line;
  const { nodes, ask, ops, on, pause, trace, answered, ...rest } = run.options;
  const options: { -readonly [K in keyof RunOptions]: RunOptions[K] } = {
    ...rest,
    startedAt: run.startedAt,
    timezone: timezoneOf(run),
  };
  if (trace === true) options.trace = true;
  if (nodes !== undefined) options.nodes = inside(nodes, visit.node);
  if (answered !== undefined) options.answered = inside(answered, placeInside(visit.node, index));
  if (ask !== undefined)
    options.ask = (waiting, signal, problemOf) =>
      ask({ ...waiting, node: nameInside(visit.node, index, waiting.node) }, signal, problemOf);
  if (pause !== undefined) options.pause = (stop) => pause(stopInside({ visit, index }, stop));
  if (ops !== undefined) options.ops = opsInside(visit, index, ops);
  if (on !== undefined && trace === true) options.on = (event) => passOn(visit, index, event);
  return options;
}

/** A debugger's stop inside the sub-graph, under its whole name and the caller's branch. */
function stopInside({ visit, index }: Pick<GraphCall, "visit" | "index">, stop: Stop): Stop {
  return {
    ...stop,
    node: nameInside(visit.node, index, stop.node),
    step: visit.notes?.step ?? stop.step,
    branch: [...branchOf(visit.line), ...stop.branch],
  };
}

/** What is meant for the nodes inside, by `Call/Node`. All items of a loop share their stand-ins. */
function inside<T>(named: { readonly [name: string]: T }, place: string): { readonly [name: string]: T } {
  const prefix = `${place}/`;
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, agent]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), agent]] : [],
    ),
  );
}

/** Passes events of visits inside to a trace, under their whole names and the caller's step. */
function passOn(visit: Visit, index: number | null, event: RunEvent): void {
  if (event.type === "run_end") return;
  const node = nameInside(visit.node, index, event.node);
  const told = { ...event, node, parent: visit.node, branch: branchOf(visit.line) };
  visit.line.run.on?.("step" in told && visit.notes !== null ? { ...told, step: visit.notes.step } : told);
}
