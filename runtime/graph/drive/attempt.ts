import { choicesOf } from "../../../compiler/types/field-type.js";
import type { Json, StateData, WaitingFor, WaitSpec } from "../contract/contract.js";
import { AgentError, messageOf } from "../contract/errors.js";
import { isNested } from "../link/marks.js";
import type { PreparedNode } from "../link/table.js";
import { convertAnswer } from "../suspend/answers.js";
import { callDurably } from "../suspend/durable.js";
import { isPaused, pause } from "./pause.js";
import { noteLate } from "./run.js";
import {
  closedBy,
  closeScope,
  endScope,
  openScope,
  type Scope,
  signalFor,
  sleep,
  startTimer,
} from "./scope.js";
import { extraOf, type Visit } from "./visit.js";

/** Calls the agent of a visit. The answer is a value or a promise. */
export function callAgent(visit: Visit): unknown {
  const { line, prepared } = visit;
  if (line.run.isSpecial || prepared.timeoutMs > 0) return callSpecial(visit);
  visit.inputs = prepared.inputs(line.state as StateData);
  return prepared.call(visit.inputs, visit);
}

/** Also handles stand-ins, durable engines, debuggers and time-outs. */
function callSpecial(visit: Visit): unknown {
  const { line, prepared } = visit;
  if (isPaused(visit)) return callAfter(visit, pause(visit));
  // Durable engines do not record this: it is the same each time.
  visit.inputs = prepared.inputs(line.state as StateData);
  const scope = prepared.timeoutMs > 0 ? openAttempt(visit) : null;
  // For a sub-graph, each visit inside is durable by itself.
  const isWhole = line.run.ops === null || isNested(prepared.call);
  const answer = isWhole ? callStandIn(visit) : callDurably(visit, callStandIn);
  if (scope === null) return answer;
  if (isThenable(answer)) return limited(visit, answer);
  endScope(scope);
  return answer;
}

/** Calls the agent after a promise: a pause between attempts, a question, or a debugger's stop. */
export async function callAfter(visit: Visit, before: PromiseLike<void>): Promise<unknown> {
  await before;
  const closed = closedBy(visit.line.scope);
  if (closed !== null) throw closed;
  return callAgent(visit);
}

/** An attempt with a time-out has its own scope, so that its signal is aborted alone. */
function openAttempt(visit: Visit): Scope {
  const scope = openScope(visit.line.scope);
  extraOf(visit).scope = scope;
  return scope;
}

function callStandIn(visit: Visit): unknown {
  const { line, prepared } = visit;
  const call = line.run.standIns?.get(prepared.index) ?? prepared.call;
  return call(visit.inputs, visit);
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === "function"
  );
}

/** Waits for an agent's promise until the node's time-out. A later result is only noted. */
function limited<T>(visit: Visit, promise: PromiseLike<T>, what = "the agent did not finish"): Promise<T> {
  const { prepared: node, line } = visit;
  const scope = visit.extra?.scope ?? openAttempt(visit);
  // A person looks at the visits inside, so the time says nothing of the node.
  if (line.run.options.pause !== undefined && isNested(node.call))
    return Promise.resolve(promise).finally(() => endScope(scope));
  return new Promise((resolve, reject) => {
    let late: AgentError | null = null;
    const stopTimer = startTimer(line.scope, node.timeoutMs, () => {
      late = tooSlow(node.timeoutMs, what);
      reject(late);
      closeScope(scope, late);
    });
    Promise.resolve(promise).then(
      (value) => {
        stopTimer();
        endScope(scope);
        resolve(value);
      },
      (thrown) => {
        stopTimer();
        endScope(scope);
        if (late === null) reject(thrown);
        else if (!messageOf(thrown).includes(late.message)) noteLate(line.run, node.name, thrown);
      },
    );
  });
}

export function tooSlow(ms: number, what: string): AgentError {
  return new AgentError("node_timeout", `${what} within ${ms} ms`);
}

/** The pause after a failed attempt. */
export function delayAfter({ prepared, attempt }: Visit): number {
  const { delayMs, factor, maxDelayMs } = prepared.retry;
  return Math.min(delayMs * factor ** (attempt - 1), maxDelayMs);
}

export async function backOff(visit: Visit): Promise<void> {
  const delay = delayAfter(visit);
  extraOf(visit).attempt += 1;
  if (delay > 0) await sleep(visit.line.scope, delay);
}

export function waitingFor(node: PreparedNode, spec: WaitSpec): WaitingFor {
  const { prompt = "", options, type } = spec;
  const choices = choicesOf(type);
  return {
    node: node.name,
    field: node.outputs[0]?.field ?? null,
    prompt,
    options: options ?? (choices.length > 0 ? choices : null),
    type: type ?? null,
  };
}

/** True when the answer can be asked for now, so that the run need not be suspended. */
export function canAsk({ line: { run } }: Visit): boolean {
  return run.ops !== null || run.options.ask !== undefined;
}

export async function ask(visit: Visit): Promise<void> {
  const { line, prepared: node } = visit;
  const extra = extraOf(visit);
  const spec = extra.spec ?? {};
  extra.spec = null;
  const { ops, options } = line.run;
  const waiting = waitingFor(node, spec);
  const scope = node.timeoutMs > 0 ? openAttempt(visit) : line.scope;
  const asked =
    ops === null
      ? options.ask!(waiting, signalFor(scope), (answer) => problemOf(spec, answer))
      : ops.wait(`${node.name}|${visit.visit}`, waiting);
  const raw = await answerInTime(visit, spec, Promise.resolve(asked));
  const closed = closedBy(line.scope);
  if (closed !== null) throw closed;
  const converted = convertAnswer(spec, raw);
  if ("problem" in converted) {
    throw new AgentError("agent_failed", `the answer does not fit: ${converted.problem}`);
  }
  extra.answer = converted.value;
}

function problemOf(spec: WaitSpec, answer: Json): string | null {
  const converted = convertAnswer(spec, answer);
  return "problem" in converted ? converted.problem : null;
}

async function answerInTime(visit: Visit, spec: WaitSpec, asked: Promise<Json>): Promise<Json> {
  if (visit.prepared.timeoutMs === 0 || visit.line.run.options.pause !== undefined) return asked;
  try {
    return await limited(visit, asked, "no answer");
  } catch (thrown) {
    const isOver = thrown instanceof AgentError && thrown.code === "node_timeout";
    if (isOver && spec.fallback !== undefined) return spec.fallback;
    throw thrown;
  }
}
