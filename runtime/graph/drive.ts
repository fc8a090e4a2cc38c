import { ask, backOff, callAwake, callNode, canAsk, limited } from "./attempt.js";
import { AGAIN, caught, conclude, PAUSE, type Step, WAIT } from "./conclude.js";
import { pause } from "./pause.js";
import { arrive, goOn, NOWHERE, takeTurn } from "./places.js";
import { type Awaited, countOutside, type Place, type Region, RunStop, tooManySteps } from "./run.js";
import { closedBy, type Scope } from "./scope.js";
import { fallAsleep, wake } from "./sleep.js";
import { beginSplit, settleSplit } from "./split.js";
import { END, SPLIT } from "./targets.js";
import { createVisit, type Visit } from "./visit.js";

/** Every so many visits the event loop gets its turn, so that time-outs fire in endless loops. */
const TURN = 256;
/** Splits nested deeper than this unwind the stack first. */
const NESTING = 50;
/** No target: the branches of a split wait for answers. */
const ASLEEP = -1_000_000_003;

/** The line has ended, or waits for an answer; or what must be awaited first. */
type Next = boolean | PromiseLike<unknown>;

/**
 * Drives a line until it has ended (true) or waits for an answer (false). It makes a promise only when something
 * must be awaited. A line begins at its entry, or else with a waiting place.
 */
export function drive(region: Region, entry: number = NOWHERE): boolean | Promise<boolean> {
  const next = region.asleep === null && region.split === null ? enter(region, entry) : takeUp(region);
  return typeof next === "boolean" ? next : driveOn(region, next);
}

/** The part of the loop that awaits. It is small, because all it holds is put aside at each promise. */
async function driveOn(region: Region, first: PromiseLike<unknown>): Promise<boolean> {
  let wait = first;
  for (;;) {
    let step: Step;
    try {
      step = settle(region, await wait);
    } catch (thrown) {
      step = settleThrown(region, thrown);
    }
    const next = step === ASLEEP ? false : advance(region, region.visit, step);
    if (typeof next === "boolean") {
      region.visit = null;
      return next;
    }
    wait = next;
  }
}

function enter(region: Region, entry: number): Next {
  region.at = entry;
  if (region.depth % NESTING === NESTING - 1) return awaiting(region, "turn", Promise.resolve());
  return advance(region, null, END);
}

/** Goes on where a suspended run stood. */
function takeUp(region: Region): Next {
  if (region.split !== null) {
    const places = settleSplit(region, region.split, drive);
    return awaitSplit(region, Array.isArray(places) ? Promise.resolve(places) : places);
  }
  const visit = wake(region);
  return visit === null ? false : advance(region, visit, callAwake(visit));
}

/**
 * The one loop: takes what became of a visit, goes on to the next node and visits it, until the line has ended or
 * something must be awaited.
 */
function advance(region: Region, begun: Visit | null, became: Step): Next {
  const { run } = region;
  let visit = begun;
  let step = became;
  let { at } = region;
  for (;;) {
    if (visit !== null) {
      if (typeof step === "object") return awaitAnswer(region, visit, step);
      if (step > SPLIT) at = step < 0 ? NOWHERE : arrive(region, step, visit.overFailure);
      else if (step <= WAIT) return awaitOther(region, visit, step);
      else {
        const places = splitAt(region, step);
        if (!Array.isArray(places)) return awaitSplit(region, places);
        at = goOn(region, places);
      }
    }
    if (at === NOWHERE) at = takeTurn(region);
    if (at === NOWHERE) return true;
    if (run.steps >= run.nextTurn) return awaitTurn(region, at);
    visit = visitNext(region, at);
    if (visit === null) at = redirect(region, at);
    else step = callNode(visit);
  }
}

function awaitAnswer(region: Region, visit: Visit, answer: PromiseLike<unknown>): Next {
  region.visit = visit;
  return awaiting(region, "answer", visit.prepared.timeoutMs === 0 ? answer : limited(visit, answer));
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
  return awaiting(region, "turn", new Promise((resolve) => setImmediate(resolve)));
}

function awaiting(region: Region, what: Awaited, wait: PromiseLike<unknown>): PromiseLike<unknown> {
  region.awaited = what;
  return wait;
}

type Places = readonly Place[] | null;

function splitAt(region: Region, target: number): Places | Promise<Places> {
  return settleSplit(region, beginSplit(region, region.run.table.splits[SPLIT - target]!), drive);
}

function awaitSplit(region: Region, places: Places | Promise<Places>): Next {
  return places === null ? false : awaiting(region, "split", places as Promise<Places>);
}

/** Takes what was awaited. */
function settle(region: Region, value: unknown): Step {
  const { scope, visit, awaited } = region;
  if (visit !== null && awaited === "answer") {
    checkOpen(scope);
    region.at = NOWHERE;
    return conclude(visit, value);
  }
  if (visit !== null && awaited === "call") {
    checkOpen(scope);
    return callNode(visit);
  }
  region.visit = null;
  if (awaited !== "split") return END;
  if (value === null) return ASLEEP;
  region.at = goOn(region, value as readonly Place[]);
  return END;
}

function checkOpen(scope: Scope): void {
  const reason = scope.reason ?? (scope.parent === null ? null : closedBy(scope));
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
  checkOpen(scope);
  const number = run.visits[at]! + 1;
  if (number > node.maxVisits) return null;
  if (run.steps >= run.maxSteps) throw tooManySteps(run, node.name);
  if (run.caller !== null) countOutside(run.caller, node.name);
  run.steps += 1;
  run.redirects = 0;
  run.visits[at] = number;
  region.path.push(node.name);
  return createVisit(region, node, number);
}

/** The visit after the last one goes elsewhere; it is no visit. A round of nothing but such nodes has no end. */
function redirect(region: Region, at: number): number {
  const { run } = region;
  const { limit, name } = run.table.nodes[at]!;
  run.redirects += 1;
  if (run.redirects > 10 * run.table.nodes.length) {
    throw new RunStop("step_limit", "the run goes round between nodes that are past their last visit", name);
  }
  return limit < 0 ? NOWHERE : arrive(region, limit, false);
}
