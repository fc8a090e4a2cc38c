import { ask, backOff, callNode, canAsk, limited } from "./attempt.js";
import { AGAIN, caught, conclude, type Step, WAIT } from "./conclude.js";
import { arrive, goOn, NOWHERE, type Place, takeTurn } from "./places.js";
import { type Region, RunStop } from "./run.js";
import { fallAsleep, wake } from "./sleep.js";
import { beginSplit, settleSplit } from "./split.js";
import { SPLIT } from "./targets.js";
import { createVisit, type Visit } from "./visit.js";

/** Every so many visits the event loop gets its turn, so that time-outs fire in endless loops. */
const TURN = 256;
/** Splits nested deeper than this unwind the stack first. */
const NESTING = 50;

/**
 * Drives a line until it has ended (true) or waits for an answer (false). As long as nothing need be awaited it
 * makes no promise; from there on `driveOn` goes on.
 */
export function drive(region: Region): boolean | Promise<boolean> {
  const { run, depth, asleep, split } = region;
  if (asleep !== null || split !== null || depth % NESTING === NESTING - 1) return driveOn(region, FRESH);
  let at = takeTurn(region);
  while (at !== NOWHERE) {
    if (run.steps % TURN === TURN - 1) {
      region.heads.unshift(at);
      return driveOn(region, FRESH);
    }
    const visit = visitNext(region, at);
    if (visit === null) {
      at = redirect(region, at);
      continue;
    }
    const step = callNode(visit);
    if (typeof step === "object" || step <= WAIT) return driveOn(region, { ...FRESH, visit, step });
    if (step > SPLIT) {
      at = step < 0 ? NOWHERE : arrive(region, step, visit.overFailure);
      continue;
    }
    const places = splitAt(region, step);
    if (places === null) return false;
    if (!Array.isArray(places)) return driveOn(region, { ...FRESH, places });
    at = goOn(region, places);
  }
  return true;
}

type Places = readonly Place[] | null;

/** Where a line is when it goes on with promises: in a visit, in a split, or before its first visit. */
interface Start {
  readonly visit: Visit | null;
  readonly step: Step;
  readonly places: Places | Promise<Places>;
}
const FRESH: Start = { visit: null, step: AGAIN, places: null };

/** Drives a line with promises, from anywhere. Only what is a promise is awaited. */
async function driveOn(region: Region, start: Start): Promise<boolean> {
  const { run } = region;
  let { visit, step } = start;
  let at = NOWHERE;
  if (region.depth % NESTING === NESTING - 1) await undefined;
  if (region.asleep !== null) {
    visit = wake(region);
    if (visit === null) return false;
    step = callNode(visit);
  } else if (region.split !== null) {
    const places = await (start.places ?? settleSplit(region, region.split, drive));
    if (places === null) return false;
    at = goOn(region, places);
  }
  for (;;) {
    if (visit === null) {
      if (at === NOWHERE) at = takeTurn(region);
      if (at === NOWHERE) return true;
      if (run.steps % TURN === TURN - 1) await eventLoop();
      visit = visitNext(region, at);
      if (visit === null) {
        at = redirect(region, at);
        continue;
      }
      step = callNode(visit);
    }
    for (;;) {
      if (typeof step === "object") {
        try {
          const answer: unknown = await (visit.prepared.timeoutMs === 0 ? step : limited(visit, step));
          if (region.scope.reason !== null) throw region.scope.reason;
          step = conclude(visit, answer);
        } catch (thrown) {
          step = caught(visit, thrown);
        }
      } else if (step === WAIT) {
        if (!canAsk(visit)) return fallAsleep(visit);
        try {
          await ask(visit);
          step = callNode(visit);
        } catch (thrown) {
          step = caught(visit, thrown);
        }
      } else if (step === AGAIN) {
        await backOff(visit);
        step = callNode(visit);
      } else break;
    }
    if (step > SPLIT) at = step < 0 ? NOWHERE : arrive(region, step, visit.overFailure);
    else {
      const places = await splitAt(region, step);
      if (places === null) return false;
      at = goOn(region, places);
    }
    visit = null;
  }
}

function splitAt(region: Region, target: number): Places | Promise<Places> {
  return settleSplit(region, beginSplit(region, region.run.table.splits[SPLIT - target]!), drive);
}

/** Begins the visit of a node; null when it has had its last one. */
function visitNext(region: Region, at: number): Visit | null {
  const { run, scope } = region;
  const node = run.table.nodes[at]!;
  if (scope.reason !== null) throw scope.reason;
  const number = run.visits[at]! + 1;
  if (number > node.maxVisits) return null;
  if (run.steps >= run.maxSteps) {
    throw new RunStop("step_limit", `the run did not end within ${run.maxSteps} node visits`, node.name);
  }
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

const eventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
