import type { Json, Ops, StateData, StepAbout, StepResult, StepSeen } from "../contract/contract.js";
import type { Usage } from "../contract/services.js";
import { mark, signalOf } from "../contract/signal.js";
import { branchOf, EngineStop, isRunStop, type Line, publicMessage } from "../drive/run.js";
import { closedBy, startTimer, tooSlow, whileOpen } from "../drive/scope.js";
import { extraOf, isoTime, type Said, type Visit } from "../drive/visit.js";
import { isNested } from "../link/marks.js";
import { redactData } from "../tell/redact.js";
import { put } from "../values/state.js";
import { dataOf, isThenable } from "../values/values.js";
import { takenAnswer, waitingFor } from "./answers.js";
import { nameInside, placeInside } from "./names-inside.js";
import { type Became, decode, encode, resultOf, thrownBy } from "./recorded.js";

type Call = (visit: Visit) => unknown;

/** Writes what a fork sets in front of the visit. Later calls of the visit write the same again. */
export function putSet({ line, node, visit }: Visit, ops: Ops): void {
  const values = askAtOnce(() => ops.set?.(`${node}|${visit}`)) ?? {};
  for (const field of Object.keys(values)) put(line, field, dataOf(values[field]) as Json);
}

/** Asks the durable engine. Its own error stops the run, also when it is thrown at once. */
async function askEngine<T>(line: Line, ask: () => PromiseLike<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    throw closedBy(line.scope) ?? new EngineStop(thrown);
  }
}

function askAtOnce<T>(ask: () => T): T {
  try {
    return ask();
  } catch (thrown) {
    throw new EngineStop(thrown);
  }
}

/** The id of a visit's latest call. A name cannot hold "|", so ids are unique. The first call has the plain id. */
export function idOf({ node, visit, attempt, extra, prepared }: Visit): string {
  // A sub-graph is no call of its own: its attempts are the stems of the ids inside.
  const calls = isNested(prepared.call) ? attempt : (extra?.calls ?? 1);
  return `${node}|${visit}${calls > 1 ? `|${calls}` : ""}`;
}

interface Recorded {
  readonly became: Became;
  readonly said: readonly Said[] | null;
  readonly usage: Usage | null;
  /** The clock of the visit, in milliseconds since 1970. */
  readonly at: number;
}

/** Calls the agent through a durable engine, which records the answer. Later calls get the recorded one. */
export async function callDurably(visit: Visit, call: Call): Promise<unknown> {
  const { line } = visit;
  const extra = extraOf(visit);
  extra.calls += 1;
  extra.said = null;
  const calling = beginCall();
  const recorded = await askEngine(line, () =>
    line.run.ops!.step(idOf(visit), () => record(visit, call, calling), aboutOf(visit, calling)),
  );
  const { said, usage, became, at } = recorded as unknown as Recorded;
  // Recorded turns and usage count, too, when the agent was not called again.
  extra.said = said;
  extra.usage = usage;
  // A further call of the visit reads the clock of its first one.
  if (extra.clock !== null) extra.clock = at;
  return decode(became);
}

/** A call whose run or branch was stopped is not recorded: its result says nothing of the agent. */
async function record(visit: Visit, call: Call, calling: Calling): Promise<Json> {
  checkOpen(visit.line);
  const at = visit.extra?.clock ?? Date.now();
  const became = await settle(visit, call);
  checkOpen(visit.line);
  calling.became = became;
  const { said, usage } = extraOf(visit);
  const recorded: Recorded = { became, said, usage, at };
  return recorded as unknown as Json;
}

/** The clock of a visit that is no step of its own, since it runs a sub-graph. */
export async function recordClock(visit: Visit, ops: Ops): Promise<void> {
  const extra = extraOf(visit);
  const clock = async (): Promise<Json> => extra.clock;
  const id = `${visit.node}|${visit.visit}|clock`;
  const ask = () => ops.step(id, clock, aboutOf(visit, beginCall()));
  extra.clock = (await askEngine(visit.line, ask)) as number;
}

function checkOpen({ scope }: Line): void {
  const reason = closedBy(scope);
  if (reason !== null) throw reason;
}

async function settle(visit: Visit, call: Call): Promise<Became> {
  try {
    return encode(visit, await call(visit));
  } catch (thrown) {
    return thrownBy(visit, thrown);
  }
}

/** The result of a call; null until there is one. */
interface Calling {
  readonly began: number;
  became: Became | null;
}

const beginCall = (): Calling => ({ began: Date.now(), became: null });

function aboutOf(visit: Visit, calling: Calling): StepAbout {
  const { node, visit: number, attempt, key, line } = visit;
  return {
    node,
    visit: number,
    attempt,
    key,
    branch: branchOf(line),
    began: calling.began,
    seen: () => seenBy(visit),
    became: () => safeResult(visit, calling.became ?? { kind: "value" }),
  };
}

/** Without secrets. */
export function safeResult(visit: Visit, became: Became): StepResult {
  const { line } = visit;
  const { outcome, writes, error } = resultOf(visit, became);
  return {
    outcome,
    writes: safeFor(line)(writes) as StateData,
    error: error === null ? null : publicMessage(line.run, error),
  };
}

function safeFor({ run }: Line): (value: unknown) => unknown {
  const { redact } = run.options;
  return redact === undefined ? (value) => value : (value) => redactData(value, redact);
}

export function seenBy(visit: Visit): StepSeen {
  const safe = safeFor(visit.line);
  return { inputs: safe(visit.inputs), prompt: safe(promptOf(visit)) as string | null };
}

/** Null where the prompt throws, which an agent that reads none does not notice. */
function promptOf(visit: Visit): string | null {
  try {
    return visit.prompt ?? null;
  } catch {
    return null;
  }
}

/** Calls an agent that is not recorded, and tells the visit to the engine. */
export function callTold(visit: Visit, call: Call): unknown {
  const id = idOf(visit);
  const calling = beginCall();
  const tell = (became: () => Became): void => tellVisit(visit, id, { calling, became });
  try {
    const answer = call(visit);
    if (isThenable(answer)) return toldLater(visit, answer, tell);
    if (!isWait(answer)) tell(() => encode(visit, answer));
    return answer;
  } catch (thrown) {
    if (!isRunStop(thrown)) tell(() => thrownBy(visit, thrown));
    throw thrown;
  }
}

async function toldLater(
  visit: Visit,
  promise: PromiseLike<unknown>,
  tell: (became: () => Became) => void,
): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await promise;
  } catch (thrown) {
    if (!isRunStop(thrown) && closedBy(visit.line.scope) === null) tell(() => thrownBy(visit, thrown));
    throw thrown;
  }
  if (!isWait(answer)) tell(() => encode(visit, answer));
  return answer;
}

/** A visit whose visits inside wait has not ended. */
function isWait(answer: unknown): boolean {
  const signal = typeof answer === "object" && answer !== null ? signalOf(answer) : undefined;
  return signal !== undefined && signal[mark] === "wait";
}

function tellVisit(
  visit: Visit,
  id: string,
  { calling, became }: { readonly calling: Calling; readonly became: () => Became },
): void {
  const { ops } = visit.line.run;
  try {
    calling.became = became();
  } catch (thrown) {
    calling.became = thrownBy(visit, thrown);
  }
  askAtOnce(() => ops!.told(id, aboutOf(visit, calling)));
}

/** Asks the engine for the answer to a visit's question. Without one yet, the visit is marked to wait on. */
export async function askDurably(visit: Visit, ops: Ops): Promise<void> {
  const { line, prepared: node } = visit;
  const extra = extraOf(visit);
  const spec = extra.spec ?? {};
  const limit = (spec.limitMs ?? node.timeoutMs) || null;
  const end = await askEngine(line, () => ops.wait(idOf(visit), waitingFor(node, spec), limit, spec));
  checkOpen(line);
  if (end.kind === "open") {
    extra.parked = { until: end.until };
    return;
  }
  extra.spec = null;
  const isAnswer = end.kind === "answer";
  const raw = isAnswer ? end.answer : spec.fallback;
  if (isAnswer && end.at !== undefined) extra.answered = { by: end.by ?? undefined, at: isoTime(end.at) };
  if (raw === undefined) throw tooSlow(node.timeoutMs, "no answer");
  extra.answer = spec.limitMs === undefined ? takenAnswer(spec, raw) : raw;
}

/** The pause before another attempt. The engine knows how much of it is over. */
export function sleepDurably(line: Line, id: string, ms: number): Promise<void> {
  return whileOpen(
    line.scope,
    askEngine(line, () => line.run.ops!.sleep(id, ms)),
  );
}

interface Expiring {
  /** From here on the node is too slow. */
  readonly expire: () => void;
  readonly stop: () => void;
  readonly fail: (thrown: unknown) => void;
}

/**
 * The time-out of a node with a sub-graph. Such a node is no step, so its time-out is recorded before anything
 * follows from it. The clock begins anew with each replay.
 */
export function startDurableTimer(visit: Visit, ops: Ops, { expire, stop, fail }: Expiring): () => void {
  const { line, prepared } = visit;
  const id = `${visit.node}|${visit.visit}|late${visit.attempt}`;
  const calling: Calling = {
    began: Date.now(),
    became: thrownBy(visit, tooSlow(prepared.timeoutMs, "the agent did not finish")),
  };
  let isEnded = false;
  const work = async (): Promise<Json> => {
    // It ended while the engine was asked.
    if (isEnded) throw tooSlow(0, "not");
    expire();
    return true;
  };
  const ask = (): void => {
    askEngine(line, () => ops.step(id, work, aboutOf(visit, calling))).then(stop, fail);
  };
  try {
    if (askAtOnce(() => ops.known(id)) !== undefined) {
      expire();
      ask();
      return () => {};
    }
  } catch (thrown) {
    fail(thrown);
    return () => {};
  }
  const stopTimer = startTimer(line.scope, prepared.timeoutMs, ask);
  return () => {
    isEnded = true;
    stopTimer();
  };
}

/** The engine for the visits inside a visit. A further attempt runs its graph anew, under ids of its own. */
export function opsInside(visit: Visit, index: number | null, ops: Ops): Ops {
  const stem = `${placeInside(idOf(visit), index)}/`;
  const name = (inner: string): string => nameInside(visit.node, index, inner);
  const whole = (about: StepAbout): StepAbout => ({
    ...about,
    node: name(about.node),
    branch: [...branchOf(visit.line), ...about.branch],
  });
  return {
    step: (id, work, about) => ops.step(stem + id, work, whole(about)),
    wait: (id, waiting, timeoutMs, spec) =>
      ops.wait(stem + id, { ...waiting, node: name(waiting.node) }, timeoutMs, spec),
    sleep: (id, ms) => ops.sleep(stem + id, ms),
    known: (id) => ops.known(stem + id),
    told: (id, about) => ops.told(stem + id, whole(about)),
    set: (id) => ops.set?.(stem + id),
  };
}
