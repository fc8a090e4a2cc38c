import { convertAnswer } from "./answers.js";
import { ask, backOff, beginCall, callAgent, canAsk, isThenable, limited, waitingFor } from "./attempt.js";
import { AGAIN, conclude, fault, overFailureEdge, WAIT } from "./conclude.js";
import type { Json, WaitSpec } from "./contract.js";
import { callDurably } from "./durable.js";
import { tellEnd, tellStart } from "./events.js";
import { arrive, goOn, NOWHERE, takeTurn } from "./places.js";
import { noteLate, type Region, RunStop } from "./run.js";
import { beginSplit, settleSplit } from "./split.js";
import type { PreparedNode } from "./table.js";
import { SPLIT } from "./targets.js";
import { Visit } from "./visit.js";

/** Every so many visits the event loop gets its turn, so that time-outs fire in endless loops. */
const TURN = 256;
/** Splits nested deeper than this unwind the stack first. */
const NESTING = 50;

/**
 * The one loop: visits node after node until the line has ended, or waits for an answer (false). Only what is
 * thenable is awaited.
 */
export async function drive(region: Region): Promise<boolean> {
  const { run } = region;
  if (region.depth % NESTING === NESTING - 1) await undefined;
  const { nodes, splits } = run.table;
  let visit = wake(region);
  if (visit === null && region.asleep !== null) return false;
  region.asleep = null;
  let at = visit === null ? NOWHERE : visit.prepared.index;
  if (region.split !== null) {
    const places = await settleSplit(region, region.split, drive);
    if (places === null) return false;
    at = goOn(region, places);
  }
  for (;;) {
    if (at === NOWHERE) at = takeTurn(region);
    if (at === NOWHERE) return true;
    const node = nodes[at]!;
    if (visit === null) {
      if (region.scope.reason !== null) throw region.scope.reason;
      if (run.visits[at]! >= node.maxVisits) {
        at = redirect(region, node);
        continue;
      }
      if (run.steps % TURN === TURN - 1) await eventLoop();
      visit = begin(region, node);
    }
    let target: number;
    for (;;) {
      let thrown: unknown;
      try {
        if (visit.asking !== null && visit.asking.spec !== null)
          await ask(visit, visit.asking, visit.asking.spec);
        beginCall(visit);
        let answer = run.ops === null ? callAgent(visit) : callDurably(visit);
        if (isThenable(answer)) {
          answer = await (node.timeoutMs === 0 ? answer : limited(visit, answer));
          if (region.scope.reason !== null) throw region.scope.reason;
        } else if (visit.scope !== region.scope) visit.scope.detach();
        target = conclude(visit, answer);
      } catch (error) {
        if (region.scope.reason !== null) {
          if (error !== region.scope.reason) noteLate(run, node.name, error);
          throw region.scope.reason;
        }
        thrown = error;
        target = fault(visit, error);
      }
      if (target === WAIT) {
        if (canAsk(visit)) continue;
        fallAsleep(visit);
        return false;
      }
      if (target !== AGAIN) break;
      await backOff(visit, thrown);
    }
    const failure = overFailureEdge(visit, node);
    visit = null;
    if (target >= 0) at = arrive(region, target, failure);
    else if (target > SPLIT) at = NOWHERE;
    else {
      beginSplit(region, splits[SPLIT - target]!);
      const places = await settleSplit(region, region.split!, drive);
      if (places === null) return false;
      at = goOn(region, places);
    }
  }
}

function begin(region: Region, node: PreparedNode): Visit {
  const { run } = region;
  if (run.steps >= run.maxSteps) {
    throw new RunStop("step_limit", `the run did not end within ${run.maxSteps} node visits`, node.name);
  }
  run.steps += 1;
  run.redirects = 0;
  const number = run.visits[node.index]! + 1;
  run.visits[node.index] = number;
  region.path.push(node.name);
  const visit = new Visit(region, node, number);
  if (visit.notes !== null) tellStart(visit, visit.notes);
  return visit;
}

/** The visit after the last one goes elsewhere; it is no visit. A round of nothing but such nodes has no end. */
function redirect(region: Region, node: PreparedNode): number {
  const { run } = region;
  run.redirects += 1;
  if (run.redirects > 10 * run.table.nodes.length) {
    throw new RunStop(
      "step_limit",
      "the run goes round between nodes that are past their last visit",
      node.name,
    );
  }
  if (node.limit < 0) return NOWHERE;
  return arrive(region, node.limit, false);
}

/** The visit stays as it is until the run is resumed with an answer. */
function fallAsleep(visit: Visit): void {
  const { region, prepared: node, visit: number, notes, asking } = visit;
  const spec = asking?.spec ?? {};
  if (notes !== null) tellEnd(visit, notes, "waiting");
  const until = node.timeoutMs === 0 ? null : Date.now() + node.timeoutMs;
  region.asleep = {
    node: node.index,
    visit: number,
    spec,
    until,
    waiting: waitingFor(node, spec),
    answer: undefined,
  };
}

/** A visit that waited and has its answer now, or has waited too long; null when there is none. */
function wake(region: Region): Visit | null {
  const { run, asleep } = region;
  if (asleep === null) return null;
  const isOver = asleep.until !== null && Date.now() >= asleep.until;
  if (asleep.answer === undefined && !isOver) return null;
  const visit = new Visit(region, run.table.nodes[asleep.node]!, asleep.visit);
  visit.calls = 1;
  const answer = isOver ? fallbackOf(asleep.spec) : asleep.answer;
  visit.asking = { spec: null, answer, overdue: answer === undefined };
  if (visit.notes !== null) tellStart(visit, visit.notes);
  return visit;
}

/** The answer that stands in when the wait is over. */
function fallbackOf(spec: WaitSpec): Json | undefined {
  const converted = spec.fallback === undefined ? undefined : convertAnswer(spec, spec.fallback);
  return converted !== undefined && "value" in converted ? converted.value : undefined;
}

const eventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
