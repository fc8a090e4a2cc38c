import type { Json, Ops, StateData, Wait, WaitSpec } from "../contract/contract.js";
import { AgentError, messageOf, waitAskedBy } from "../contract/errors.js";
import { wait } from "../contract/signal.js";
import { isNested, isPure } from "../link/marks.js";
import type { AgentCall } from "../link/table.js";
import { convertAnswer, takenAnswer, waitingFor } from "../suspend/answers.js";
import {
  callDurably,
  callTold,
  idOf,
  putSet,
  recordClock,
  sleepDurably,
  startDurableTimer,
} from "../suspend/durable.js";
import { isThenable } from "../values/values.js";
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
  tooSlow,
} from "./scope.js";
import { answeredNow, extraOf, type Visit } from "./visit.js";

/** Calls the agent of a visit. The answer is a value or a promise. */
export function callAgent(visit: Visit): unknown {
  const { line, prepared } = visit;
  if (line.run.isSpecial || prepared.timeoutMs > 0) return callSpecial(visit);
  visit.inputs = prepared.inputs(line.state as StateData, visit);
  return prepared.call(visit.inputs, visit);
}

/** Also handles stand-ins, durable engines, debuggers and time-outs. */
function callSpecial(visit: Visit): unknown {
  const { line, prepared } = visit;
  if (isPaused(visit)) return callAfter(visit, pause(visit));
  const { ops } = line.run;
  if (ops !== null) putSet(visit, ops);
  // Durable engines do not record this: it is the same each time.
  visit.inputs = prepared.inputs(line.state as StateData, visit);
  if (ops === null) return callInTime(visit);
  if (isRecorded(visit)) return callDurably(visit, callInTime);
  return readsClock(visit) ? callTimed(visit, ops) : callTold(visit, callInTime);
}

/** For a sub-graph, each visit inside is durable by itself. A clock makes a pure agent's result another one. */
function isRecorded(visit: Visit): boolean {
  const { timeoutMs, retry, tables } = visit.prepared;
  const call = agentOf(visit);
  if (isNested(call)) return false;
  return !isPure(call) || tables.length > 0 || timeoutMs > 0 || retry.attempts > 1 || readsClock(visit);
}

const readsClock = ({ extra }: Visit): boolean => typeof extra?.clock === "number";

/** A sub-graph gets the same clock with each replay. */
async function callTimed(visit: Visit, ops: Ops): Promise<unknown> {
  await recordClock(visit, ops);
  visit.inputs = visit.prepared.inputs(visit.line.state as StateData, visit);
  return callTold(visit, callInTime);
}

function callInTime(visit: Visit): unknown {
  const { observed } = visit.line.run;
  return observed === null ? callOnce(visit) : observed.call(visit, () => callOnce(visit));
}

/** Calls the agent. Its time-out is part of the call. */
function callOnce(visit: Visit): unknown {
  const scope = visit.prepared.timeoutMs > 0 ? openAttempt(visit) : null;
  const answer = agentOf(visit)(visit.inputs, visit);
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
  return visit.extra?.parked ? STILL_WAITING : callAgent(visit);
}

/** The answer of a visit that waits on in a durable engine. */
const STILL_WAITING: Wait = wait({});

/** An attempt with a time-out has its own scope, so that its signal is aborted alone. */
function openAttempt(visit: Visit): Scope {
  const scope = openScope(visit.line.scope);
  extraOf(visit).scope = scope;
  return scope;
}

const agentOf = ({ line, prepared }: Visit): AgentCall =>
  line.run.standIns?.get(prepared.index) ?? prepared.call;

/** Waits for an agent's promise until the node's time-out. A later result is only noted. */
function limited<T>(visit: Visit, promise: PromiseLike<T>, what = "the agent did not finish"): Promise<T> {
  const { prepared: node, line } = visit;
  const scope = visit.extra?.scope ?? openAttempt(visit);
  // A person looks at the visits inside, so the time says nothing of the node.
  if (line.run.options.pause !== undefined && isNested(node.call))
    return Promise.resolve(promise).finally(() => endScope(scope));
  return new Promise((resolve, reject) => {
    let late: AgentError | null = null;
    const expire = (): void => {
      late = tooSlow(node.timeoutMs, what);
    };
    const stop = (): void => {
      if (late === null) expire();
      reject(late);
      closeScope(scope, late!);
    };
    const { ops } = line.run;
    const stopTimer =
      ops !== null && isNested(agentOf(visit))
        ? startDurableTimer(visit, ops, { expire, stop, fail: reject })
        : startTimer(line.scope, node.timeoutMs, stop);
    Promise.resolve(promise).then(
      (value) => {
        stopTimer();
        endScope(scope);
        if (late === null) resolve(value);
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

/** The pause after a failed attempt: the longer one of the node's and of what the error asks for. */
export function delayAfter({ prepared, attempt }: Visit, thrown: unknown): number {
  const { delayMs, factor, maxDelayMs } = prepared.retry;
  return Math.max(Math.min(delayMs * factor ** (attempt - 1), maxDelayMs), waitAskedBy(thrown));
}

export async function backOff(visit: Visit, delay: number): Promise<void> {
  const { line } = visit;
  const id = line.run.ops === null ? "" : idOf(visit);
  extraOf(visit).attempt += 1;
  if (delay <= 0) return;
  await (line.run.ops === null ? sleep(line.scope, delay) : sleepDurably(line, id, delay));
}

export async function ask(visit: Visit): Promise<void> {
  const { line, prepared: node } = visit;
  const extra = extraOf(visit);
  const spec = extra.spec ?? {};
  extra.spec = null;
  const scope = node.timeoutMs > 0 ? openAttempt(visit) : line.scope;
  const asked = line.run.options.ask!(waitingFor(node, spec), signalFor(scope), (answer) =>
    problemOf(spec, answer),
  );
  const person = Promise.resolve(asked).then((answer) => {
    extra.answered = answeredNow(line.run, line.run.options.startedBy);
    return answer;
  });
  const raw = await answerInTime(visit, spec, person);
  const closed = closedBy(line.scope);
  if (closed !== null) throw closed;
  extra.answer = takenAnswer(spec, raw);
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
