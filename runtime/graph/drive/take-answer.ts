import { isObject } from "../../../compiler/types/field-type.js";
import { folded } from "../../../compiler/types/yes-no.js";
import type { Choice, Failure, Json, Wait, WaitSpec } from "../contract/contract.js";
import { AgentError, codeOf } from "../contract/errors.js";
import { mark, signalOf } from "../contract/signal.js";
import { holdOutput } from "../link/hold.js";
import { isNested } from "../link/marks.js";
import { END } from "../link/routing.js";
import type { Output } from "../link/table.js";
import { askDurably } from "../suspend/durable.js";
import { fallAsleep } from "../suspend/sleep-and-wake.js";
import { tellEnd, tellRetry } from "../tell/events.js";
import { countSize, recount } from "../values/size.js";
import { put } from "../values/state.js";
import { dataOf, fromAgent, isMapping, isPlain, type Taker } from "../values/values.js";
import { ask, backOff, callAfter, delayAfter } from "./attempt.js";
import { remember } from "./conversations.js";
import { checkSurplus, missingEntry, noMapping } from "./entries.js";
import { isEngineStop, isMisfit, isRunStop, noteLate, publicMessage, RunStop } from "./run.js";
import { closedBy } from "./scope.js";
import { extraOf, type Visit } from "./visit.js";

/** The result of a visit: a target, false when it waits for an answer, or the promise of another answer. */
export type Step = number | false | PromiseLike<unknown>;

/** Takes an agent's answer: writes it and finds the target, unless the visit waits. It throws errors of the node. */
export function takeAnswer(visit: Visit, answer: unknown): Step {
  const { plainField, plainKind, success } = visit.prepared;
  // Most answers are short texts, numbers or booleans for at most one field. They need no copy.
  if (plainField !== null && visit.notes === null && visit.extra === null && isPlain(answer)) {
    if (plainKind === null || plainKind === typeof answer) {
      if (plainField !== "") put(visit.line, plainField, answer);
      return success;
    }
  }
  return takeOther(visit, answer);
}

function takeOther(visit: Visit, answer: unknown): Step {
  const node = visit.prepared;
  const signal = typeof answer === "object" && answer !== null ? signalOf(answer) : undefined;
  switch (signal?.[mark]) {
    case "failure":
      return takeFailure(visit, signal as Failure);
    case "wait":
      return beginWait(visit, (signal as Wait).spec);
    case "choice":
      return takeChoice(visit, signal);
  }
  if (node.choices !== null) return takeChoice(visit, answer);
  write(visit, answer);
  commitSaid(visit);
  if (visit.notes !== null) tellEnd(visit, "success", node.success);
  return node.success;
}

/** Turns of a failed attempt are dropped. */
function commitSaid({ extra, line }: Visit): void {
  for (const { conversation, turns } of extra?.said ?? []) remember(line, conversation, turns);
}

/** Without anybody to ask, the visit is suspended. */
function beginWait(visit: Visit, spec: WaitSpec): Step {
  const { ops, options } = visit.line.run;
  const extra = extraOf(visit);
  if (extra.parked !== null) return fallAsleep(visit);
  extra.spec = typed(spec, visit.prepared.outputs);
  // Visits inside have asked for themselves.
  if (ops !== null)
    return spec.inside === undefined ? callAfter(visit, askDurably(visit, ops)) : fallAsleep(visit);
  return options.ask === undefined || spec.limitMs !== undefined
    ? fallAsleep(visit)
    : callAfter(visit, ask(visit));
}

/** A question without a type asks for the type of the only output. */
function typed(spec: WaitSpec, [only, another]: readonly Output[]): WaitSpec {
  const { type = only?.type, options, interaction = "text", inside } = spec;
  const isPlainQuestion = options === undefined && interaction === "text" && inside === undefined;
  return isPlainQuestion && type !== undefined && another === undefined ? { ...spec, type } : spec;
}

function takeFailure(visit: Visit, { failure, writes, whole }: Failure): number {
  const { prepared: node, line } = visit;
  if (whole) write(visit, writes);
  else if (writes !== undefined) writeEach(visit, writes, mayBeMissing);
  visit.overFailure = node.failureEdge;
  // Failure without a reason is a decision of the agent, so it never fails a graph.
  if (failure !== null) {
    line.run.unhandled ||= node.failureOpen;
    const error = publicMessage(line.run, failure);
    if (visit.notes !== null) visit.notes.error = error;
    put(line, "error", error);
  }
  if (visit.notes !== null) tellEnd(visit, "failure", node.failure);
  return node.failure;
}

function takeChoice(visit: Visit, answer: unknown): number {
  const isNamed = typeof answer === "object" && answer !== null && signalOf(answer) !== undefined;
  const name = isNamed ? (answer as Choice<unknown>).name : answer;
  const target = chosenTarget(visit, typeof name === "string" ? name : String(name));
  write(visit, isNamed ? (answer as Choice<unknown>).value : answer);
  commitSaid(visit);
  if (visit.notes !== null) tellEnd(visit, "success", target);
  return target;
}

function chosenTarget({ prepared, line }: Visit, name: string): number {
  const { choices, success } = prepared;
  if (choices === null) {
    if (success === END || folded(line.run.table.nodes[success]?.name ?? "") === folded(name)) return success;
  } else {
    const target = choices.targets.get(name.trim()) ?? choices.targets.get(folded(name)) ?? choices.otherwise;
    if (target !== null) return target;
  }
  throw new AgentError("agent_failed", `nothing is listed for "${name}", and there is no default`);
}

/** Writes an answer to all fields of the node, or to none. */
function write(visit: Visit, answer: unknown): void {
  const { outputs } = visit.prepared;
  if (outputs.length > 1) writeEach(visit, answer, missingEntry);
  else if (outputs.length === 1) writeOne(visit, outputs[0]!, answer);
}

function writeOne(visit: Visit, output: Output, answer: unknown): void {
  const { field, key, type } = output;
  const value = isObject(type) ? answer : entryOf(visit, answer, key);
  const data = isPlain(value) ? value : dataOf(value, takerOf(visit, field));
  commit(visit, field, holdOutput(output, data, visit.prepared));
}

/** The own entry of a mapping with this key, or the answer itself. */
function entryOf(visit: Visit, answer: unknown, key: string): unknown {
  if (typeof answer !== "object" || answer === null) return answer;
  if (!isMapping(answer) || !Object.hasOwn(answer, key)) return answer;
  checkSurplus(visit, answer);
  return answer[key];
}

function writeEach(visit: Visit, answer: unknown, missing: (output: Output) => void): void {
  if (!isMapping(answer)) noMapping();
  checkSurplus(visit, answer);
  const writes: [string, Json | undefined][] = [];
  for (const output of visit.prepared.outputs) {
    if (Object.hasOwn(answer, output.key)) {
      const data = dataOf(answer[output.key], takerOf(visit, output.field));
      writes.push([output.field, holdOutput(output, data, visit.prepared)]);
    } else missing(output);
  }
  for (const [field, data] of writes) commit(visit, field, data);
}

/** A signalled failure may lack entries. */
function mayBeMissing(): void {}

function commit({ line, notes }: Visit, field: string, data: Json | undefined): void {
  if (data === undefined) return;
  put(line, field, data);
  if (notes?.writes) notes.writes[field] = data;
}

function takerOf({ line: { run } }: Visit, field: string): Taker {
  return { refuse: fromAgent.refuse, took: (size) => countSize(run, field, size) };
}

/**
 * Takes an agent's error: finds the failure edge, unless the agent is called again. Without an edge the run stops. An
 * error of a stopped run is only noted.
 */
export function takeThrown(visit: Visit, thrown: unknown): Step {
  const { prepared: node, line, notes } = visit;
  const { run } = line;
  const closed = closedBy(line.scope);
  if (closed !== null) {
    if (thrown !== closed && !isEngineStop(thrown)) noteLate(run, node.name, thrown);
    throw closed;
  }
  if (isEngineStop(thrown)) throw thrown;
  // A limit inside a sub-graph ends the whole run, so no failure edge takes it.
  if (isNested(node.call) && isRunStop(thrown)) throw thrown;
  const message = publicMessage(run, thrown);
  if (visit.extra !== null) visit.extra.said = null;
  // Outputs may have been counted before another one was refused.
  if (run.sizes !== null) for (const { field } of node.outputs) recount(run.sizes, field, line.state[field]);
  const code = codeOf(thrown);
  // A retry would give the same answer.
  if (visit.attempt < node.retry.attempts && code !== "bad_value") {
    const delay = delayAfter(visit, thrown);
    if (notes !== null) tellRetry(visit, message, delay);
    return callAfter(visit, backOff(visit, delay));
  }
  if (notes !== null) {
    notes.error = message;
    tellEnd(visit, "thrown", node.failureEdge ? node.failure : null);
  }
  if (!node.failureEdge) {
    const item = isMisfit(thrown) ? thrown.misfit.item : null;
    throw new RunStop(code, message, node.name, item);
  }
  visit.overFailure = true;
  put(line, "error", message);
  return node.failure;
}
