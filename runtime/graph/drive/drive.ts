import { END, SPLIT } from "../link/routing.js";
import { wake } from "../suspend/sleep-and-wake.js";
import { callAgent, isThenable, tooSlow } from "./attempt.js";
import { moveTo, NOWHERE, nextInTurn } from "./moves.js";
import { countOutside, type Line, type Run, RunStop, tooManySteps } from "./run.js";
import { closedBy, type Scope } from "./scope.js";
import { beginSplit, settleSplit } from "./split.js";
import { type Step, takeAnswer, takeThrown } from "./take-answer.js";
import { createVisit, type Visit } from "./visit.js";

/** Splits nested deeper than this unwind the stack first. */
const NESTING = 50;
/** Every so many visits the event loop gets its turn, so that time-outs fire in endless loops. */
const TURN = 256;

/** How a line comes to rest: it has ended (true), or waits for an answer (false). */
type Rest = boolean;
/** What a line does next: goes on with a node (NOWHERE: with one that waits for its turn), rests, or awaits something. */
type Next = number | Rest | PromiseLike<unknown>;

/** Drives a line until it rests. It makes a promise only when something must be awaited. */
export function drive(line: Line, entry: number = NOWHERE): Rest | Promise<Rest> {
  const next = begin(line, entry);
  return typeof next === "boolean" ? next : driveOn(line, next);
}

/** The same from a wait on, with one `await` a visit. V8 optimizes plain functions best: all else is done in those. */
async function driveOn(line: Line, first: PromiseLike<unknown>): Promise<Rest> {
  for (let wait = first; ; ) {
    let next: Rest | PromiseLike<unknown>;
    try {
      next = proceed(line, await wait);
    } catch (thrown) {
      next = recover(line, thrown);
    }
    if (typeof next === "boolean") return next;
    wait = next;
  }
}

/** Goes on with what was awaited: the answer of the line's visit, or else what the line does next. */
function proceed(line: Line, value: unknown): Rest | PromiseLike<unknown> {
  const { visit, scope } = line;
  if (visit === null) return advance(line, null, value as number | Rest);
  if (scope.reason !== null || scope.parent !== null) checkOpen(scope);
  const step = takeAnswer(visit, value);
  // What is thrown from here on is not the agent's.
  line.visit = null;
  return advance(line, visit, step);
}

function recover(line: Line, thrown: unknown): Rest | PromiseLike<unknown> {
  const { visit } = line;
  if (visit === null) throw thrown;
  const step = takeThrown(visit, thrown);
  line.visit = null;
  return advance(line, visit, step);
}

/** A line begins at its entry or with a node that waits for its turn, or goes on where it was suspended. */
function begin(line: Line, entry: number): Rest | PromiseLike<unknown> {
  if (line.split !== null) return advance(line, null, settleSplit(line, drive));
  if (line.asleep !== null) {
    const visit = wake(line);
    return visit === null ? false : advance(line, visit, callAwake(visit));
  }
  return line.depth % NESTING === NESTING - 1 ? Promise.resolve(entry) : advance(line, null, entry);
}

/**
 * The one loop: takes what became of a visit, goes on to the next node and visits it, until the line rests or something
 * must be awaited. Without a visit it takes what the line does next.
 */
function advance(line: Line, begun: Visit | null, became: Next): Rest | PromiseLike<unknown> {
  const { run } = line;
  let visit = begun;
  let step = became;
  for (;;) {
    if (typeof step === "object") {
      line.visit = visit;
      return step;
    }
    const isEasy = typeof step === "number" && step >= 0 && line.within === null && line.heads === null;
    const next = isEasy ? step : follow(line, visit, step);
    if (typeof next !== "number") return next;
    if (run.steps >= run.nextTurn) return turn(run, next);
    visit = visitNext(line, next);
    step = visit === null ? redirect(line, next) : callNode(visit);
  }
}

/** Where a visit leads: to a node, to rest, or to a split that must be awaited. */
function follow(line: Line, visit: Visit | null, step: number | Rest): Next {
  let next: Next = step;
  if (visit !== null && typeof step === "number") {
    if (step <= SPLIT) {
      beginSplit(line, line.run.table.splits[SPLIT - step]!);
      next = settleSplit(line, drive);
    } else if (step !== END) next = moveTo(line, step, visit.overFailure);
  }
  if (next !== NOWHERE) return next;
  next = nextInTurn(line);
  return next === NOWHERE ? true : next;
}

async function turn(run: Run, at: number): Promise<number> {
  run.nextTurn = run.steps + TURN;
  await new Promise((resolve) => setImmediate(resolve));
  return at;
}

function callNode(visit: Visit): Step {
  try {
    const answer = callAgent(visit);
    return isThenable(answer) ? answer : takeAnswer(visit, answer);
  } catch (thrown) {
    return takeThrown(visit, thrown);
  }
}

/** Takes up a visit that waited. */
function callAwake(visit: Visit): Step {
  if (visit.extra?.overdue === true) return takeThrown(visit, tooSlow(visit.prepared.timeoutMs, "no answer"));
  return callNode(visit);
}

function checkOpen(scope: Scope): void {
  const reason = closedBy(scope);
  if (reason !== null) throw reason;
}

/** Begins the visit of a node; null when it has had its last one. */
function visitNext(line: Line, at: number): Visit | null {
  const { run, scope } = line;
  const node = run.table.nodes[at]!;
  if (scope.reason !== null || scope.parent !== null) checkOpen(scope);
  const number = run.visits[at]! + 1;
  if (number > node.maxVisits) return null;
  if (run.steps >= run.freeSteps) countStep(run, node.name);
  run.steps += 1;
  run.visits[at] = number;
  line.path.push(node.name);
  return createVisit(line, node, number);
}

/** A visit that is not free counts against the limit, and against those of the runs around. */
function countStep(run: Run, node: string): void {
  if (run.steps >= run.maxSteps) throw tooManySteps(run, node);
  if (run.caller !== null) countOutside(run.caller, node);
}

/** The visit after the last one goes elsewhere; it is no visit. A round of nothing but such nodes has no end. */
function redirect(line: Line, at: number): number {
  const { run } = line;
  const { limit, name } = run.table.nodes[at]!;
  run.redirects = run.redirectedAt === run.steps ? run.redirects + 1 : 1;
  run.redirectedAt = run.steps;
  if (run.redirects > 10 * run.table.nodes.length) {
    throw new RunStop("step_limit", "the run goes round between nodes that are past their last visit", name);
  }
  return limit < 0 ? NOWHERE : moveTo(line, limit, false);
}
