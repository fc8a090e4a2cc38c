import { END, SPLIT } from "../contract/targets.js";
import { pause } from "../suspend/pause.js";
import { fallAsleep, wake } from "../suspend/sleep.js";
import { ask, backOff, callAwake, callNode, canAsk, limited } from "./attempt.js";
import { AGAIN, caught, conclude, PAUSE, type Step, WAIT } from "./conclude.js";
import { arrive, goOn, NOWHERE, takeTurn } from "./places.js";
import {
  type Awaited,
  countOutside,
  type Place,
  type Region,
  type Run,
  RunStop,
  tooManySteps,
} from "./run.js";
import { closedBy, type Scope } from "./scope.js";
import { beginSplit, settleSplit } from "./split.js";
import { createVisit, type Visit } from "./visit.js";

/** Splits nested deeper than this unwind the stack first. */
const NESTING = 50;
/** Every so many visits the event loop gets its turn, so that time-outs fire in endless loops. */
const TURN = 256;
/** No place: the branches of a split wait for answers. */
const ASLEEP = -1_000_000_003;

/** The line has ended, or waits for an answer; or what must be awaited first. */
type Next = boolean | PromiseLike<unknown>;

/**
 * Drives a line until it has ended (true) or waits for an answer (false). When something must be awaited first it is
 * null, and whoever is `over` the line is told later. A line begins at its entry, or else with a waiting place.
 */
export function drive(region: Region, entry: number = NOWHERE): boolean | null {
  const next = region.asleep === null && region.split === null ? enter(region, entry) : takeUp(region);
  if (typeof next === "boolean") return next;
  listen(region, next);
  return null;
}

/**
 * Has the line told of what a promise gives, and of what it has to wait for after that. Callbacks do without the
 * frame that an `await` puts aside and takes up again. They are kept nowhere else: kept in the region they would
 * hold on to each other from run to run until the next full collection.
 */
function listen(region: Region, wait: PromiseLike<unknown>): void {
  const answered = (value: unknown): void => {
    const next = answer(region, value);
    if (next !== null) tellOf(next, answered, threw);
  };
  const threw = (thrown: unknown): void => {
    const next = rethrow(region, thrown);
    if (next !== null) tellOf(next, answered, threw);
  };
  tellOf(wait, answered, threw);
}

const { then } = Promise.prototype;

type Listener = (value: unknown) => void;

/** Only a promise of the engine's own is sure to call back once, and later. */
function tellOf(wait: PromiseLike<unknown>, answered: Listener, threw: Listener): void {
  if (wait instanceof Promise && wait.then === then && wait.constructor === Promise)
    wait.then(answered, threw);
  else awaited(wait).then(answered, threw);
}

async function awaited(wait: PromiseLike<unknown>): Promise<unknown> {
  return await wait;
}

/** What the line waits for next; null when it is over. */
type Wait = PromiseLike<unknown> | null;

function answer(region: Region, value: unknown): Wait {
  try {
    return proceed(region, settle(region, value));
  } catch (thrown) {
    return rethrow(region, thrown);
  }
}

function rethrow(region: Region, thrown: unknown): Wait {
  try {
    return proceed(region, settleThrown(region, thrown));
  } catch (stop) {
    region.over?.tell(region, null, stop);
    return null;
  }
}

/** Goes on after what was awaited, to the next wait or to the end. */
function proceed(region: Region, step: Step): Wait {
  // What is thrown from here on is not the answer's.
  region.awaited = "turn";
  const next = advance(region, region.visit, step);
  if (typeof next !== "boolean") return next;
  region.visit = null;
  region.over?.tell(region, next);
  return null;
}

function enter(region: Region, entry: number): Next {
  region.at = entry;
  if (region.depth % NESTING === NESTING - 1) return awaiting(region, "turn", Promise.resolve());
  return advance(region, null, entry);
}

/** Goes on where a suspended run stood. */
function takeUp(region: Region): Next {
  if (region.split !== null) {
    const places = settleSplit(region, region.split, drive);
    return awaitSplit(region, isThere(places) ? Promise.resolve(places) : places);
  }
  const visit = wake(region);
  return visit === null ? false : advance(region, visit, callAwake(visit));
}

/**
 * The one loop: takes what became of a visit, goes on to the next node and visits it, until the line has ended or
 * something must be awaited. Without a visit the step is a place where the line stands already.
 */
function advance(region: Region, begun: Visit | null, became: Step): Next {
  const { run } = region;
  let visit = begun;
  let step = became;
  for (;;) {
    if (typeof step === "object") return awaitAnswer(region, visit, step);
    const isEasy = step >= 0 && region.within === null && region.heads === null;
    const at = isEasy ? step : follow(region, visit, step);
    if (typeof at !== "number") return at;
    if (run.steps >= run.nextTurn) return awaitTurn(region, at);
    visit = visitNext(region, at);
    step = visit === null ? redirect(region, at) : callNode(visit);
  }
}

/** Where a step leads: to a node, to a wait, or to the end of the line. */
function follow(region: Region, visit: Visit | null, step: number): Next | number {
  let at: Next | number = step;
  if (step === ASLEEP) return false;
  if (visit !== null) {
    if (step >= 0) at = arrive(region, step, visit.overFailure);
    else if (step <= WAIT) return awaitOther(region, visit, step);
    else if (step !== END) at = splitAt(region, step);
  }
  if (at !== NOWHERE) return at;
  at = takeTurn(region);
  return at === NOWHERE ? true : at;
}

function awaitAnswer(region: Region, visit: Visit | null, answer: PromiseLike<unknown>): Next {
  region.visit = visit;
  region.awaited = "answer";
  return visit === null || visit.prepared.timeoutMs === 0 ? answer : limited(visit, answer);
}

/** The next attempt after its pause, the debugger's word, or the answer to a wait; without anybody to ask the visit falls asleep. */
function awaitOther(region: Region, visit: Visit, step: number): Next {
  region.visit = visit;
  if (step === AGAIN) return awaiting(region, "call", backOff(visit));
  if (step === PAUSE) return awaiting(region, "call", pause(visit));
  return canAsk(visit) ? awaiting(region, "call", ask(visit)) : fallAsleep(visit);
}

function awaitTurn(region: Region, at: number): Next {
  region.run.nextTurn = region.run.steps + TURN;
  region.at = at;
  region.visit = null;
  return awaiting(region, "turn", new Promise((resolve) => setImmediate(resolve)));
}

function awaiting(region: Region, what: Awaited, wait: PromiseLike<unknown>): PromiseLike<unknown> {
  region.awaited = what;
  return wait;
}

type Places = readonly Place[] | null;

const isThere = (places: Places | Promise<Places>): places is readonly Place[] => Array.isArray(places);

function splitAt(region: Region, target: number): Next | number {
  const split = beginSplit(region, region.run.table.splits[SPLIT - target]!);
  const places = settleSplit(region, split, drive);
  return isThere(places) ? goOn(region, places) : awaitSplit(region, places);
}

function awaitSplit(region: Region, places: Places | Promise<Places>): Next {
  region.visit = null;
  return places === null ? false : awaiting(region, "split", places as Promise<Places>);
}

/** Takes what was awaited, nearly always an answer. */
function settle(region: Region, value: unknown): Step {
  const { scope, visit, awaited } = region;
  if (awaited === "split") return value === null ? ASLEEP : goOn(region, value as readonly Place[]);
  if (visit === null || awaited === "turn") return region.at;
  if (scope.reason !== null || scope.parent !== null) checkOpen(scope);
  return awaited === "answer" ? conclude(visit, value) : callNode(visit);
}

function checkOpen(scope: Scope): void {
  const reason = closedBy(scope);
  if (reason !== null) throw reason;
}

function settleThrown(region: Region, thrown: unknown): Step {
  const { visit, awaited } = region;
  const isVisit = awaited === "answer" || (awaited === "call" && !(thrown instanceof RunStop));
  if (visit === null || !isVisit) throw thrown;
  return caught(visit, thrown);
}

/** Begins the visit of a node; null when it has had its last one. */
function visitNext(region: Region, at: number): Visit | null {
  const { run, scope } = region;
  const node = run.table.nodes[at]!;
  if (scope.reason !== null || scope.parent !== null) checkOpen(scope);
  const number = run.visits[at]! + 1;
  if (number > node.maxVisits) return null;
  if (run.steps >= run.freeSteps) countStep(run, node.name);
  run.steps += 1;
  run.visits[at] = number;
  region.path.push(node.name);
  return createVisit(region, node, number);
}

/** A visit that is not free counts against the limit, and against those of the runs around. */
function countStep(run: Run, node: string): void {
  if (run.steps >= run.maxSteps) throw tooManySteps(run, node);
  if (run.caller !== null) countOutside(run.caller, node);
}

/** The visit after the last one goes elsewhere; it is no visit. A round of nothing but such nodes has no end. */
function redirect(region: Region, at: number): number {
  const { run } = region;
  const { limit, name } = run.table.nodes[at]!;
  run.redirects = run.redirectedAt === run.steps ? run.redirects + 1 : 1;
  run.redirectedAt = run.steps;
  if (run.redirects > 10 * run.table.nodes.length) {
    throw new RunStop("step_limit", "the run goes round between nodes that are past their last visit", name);
  }
  return limit < 0 ? NOWHERE : arrive(region, limit, false);
}
