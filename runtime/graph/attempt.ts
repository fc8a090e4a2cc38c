import { convertAnswer } from "./answers.js";
import type { Json, WaitingFor, WaitSpec } from "./contract.js";
import { AgentError } from "./errors.js";
import { tellRetry } from "./events.js";
import { noteLate, publicMessage } from "./run.js";
import { closeScope, openScope, signalFor, sleep, startTimer } from "./scope.js";
import type { PreparedNode } from "./table.js";
import type { Asking, Visit } from "./visit.js";

/** Calls the agent. What it gives may be a promise. */
export function callAgent(visit: Visit): unknown {
  const { region, prepared: node } = visit;
  if (visit.asking?.overdue === true) throw tooSlow(node.timeoutMs, "no answer");
  visit.inputs = node.inputs(region.state as never);
  const call = region.run.standIns?.get(node.index) ?? node.call;
  return call(visit.inputs, visit);
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === "function"
  );
}

/** Begins a call of the agent. With a time-out it gets a scope of its own, so that its signal is its own. */
export function beginCall(visit: Visit): void {
  visit.calls += 1;
  if (visit.prepared.timeoutMs > 0) visit.scope = openScope(visit.region.scope);
}

/** Waits for an agent's promise, at most as long as its node allows. What comes later is noted. */
export function limited<T>(
  visit: Visit,
  promise: PromiseLike<T>,
  what = "the agent did not finish",
): Promise<T> {
  const { prepared: node, scope } = visit;
  const { run } = visit.region;
  return new Promise((resolve, reject) => {
    let over = false;
    const stopTimer = startTimer(visit.region.scope, node.timeoutMs, () => {
      over = true;
      const error = tooSlow(node.timeoutMs, what);
      reject(error);
      closeScope(scope, error);
    });
    Promise.resolve(promise).then(
      (value) => {
        stopTimer();
        scope.detach();
        resolve(value);
      },
      (thrown) => {
        stopTimer();
        scope.detach();
        if (over) noteLate(run, node.name, thrown);
        else reject(thrown);
      },
    );
  });
}

function tooSlow(ms: number, what: string): AgentError {
  return new AgentError("node_timeout", `${what} within ${ms} ms`);
}

/** The pause before the next attempt. */
export async function backOff(visit: Visit, thrown: unknown): Promise<void> {
  const { prepared: node, attempt, region } = visit;
  const { delayMs, factor, maxDelayMs } = node.retry;
  const delay = Math.min(delayMs * factor ** (attempt - 1), maxDelayMs);
  if (visit.notes !== null) tellRetry(visit, publicMessage(region.run, thrown), delay);
  visit.attempt += 1;
  if (delay > 0) await sleep(region.scope, delay);
}

/** What a visit tells the world when it waits. */
export function waitingFor(node: PreparedNode, spec: WaitSpec): WaitingFor {
  const { prompt = "", options, type } = spec;
  const choices = options ?? (type?.kind === "choice" ? type.values : null);
  return {
    node: node.name,
    field: node.outputs[0]?.field ?? null,
    prompt,
    options: choices,
    type: type ?? null,
  };
}

/** True when an answer can be had at once, so that the run need not be suspended. */
export function canAsk({ region: { run } }: Visit): boolean {
  return run.ops !== null || run.options.ask !== undefined;
}

/** Gets the answer to a wait from whoever is there to give it. */
export async function ask(visit: Visit, asking: Asking, spec: WaitSpec): Promise<void> {
  const { prepared: node } = visit;
  const { run } = visit.region;
  asking.spec = null;
  const waiting = waitingFor(node, spec);
  const asked =
    run.ops === null
      ? run.options.ask!(waiting, signalFor(visit.scope))
      : run.ops.wait(`${node.name}|${visit.visit}`, waiting);
  const raw = await answerInTime(visit, spec, Promise.resolve(asked));
  const converted = convertAnswer(spec, raw);
  if ("problem" in converted)
    throw new AgentError("agent_failed", `the answer does not fit: ${converted.problem}`);
  asking.answer = converted.value;
}

async function answerInTime(visit: Visit, spec: WaitSpec, asked: Promise<Json>): Promise<Json> {
  if (visit.prepared.timeoutMs === 0) return asked;
  try {
    return await limited(visit, asked, "no answer");
  } catch (thrown) {
    const isOver = thrown instanceof AgentError && thrown.code === "node_timeout";
    if (isOver && spec.fallback !== undefined) return spec.fallback;
    throw thrown;
  }
}
