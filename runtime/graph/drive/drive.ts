import { END, SPLIT } from "../link/routing.js";
import { wake } from "../suspend/sleep-and-wake.js";
import { isThenable } from "../values/values.js";
import { callAgent } from "./attempt.js";
import { moveTo, NOWHERE, nextInTurn } from "./moves.js";
import { countOutside, type Line, type Run, RunStop, tooManySteps } from "./run.js";
import { closedBy, type Scope, tooSlow } from "./scope.js";
import { beginSplit, type Driver, settleSplit } from "./split.js";
import { type Step, takeAnswer, takeThrown } from "./take-answer.js";
import { createVisit, type Visit } from "./visit.js";

/** Deeper splits first wait for a promise, so that the call stack does not overflow. */
const NESTING = 50;
/** The event loop gets a turn after so many visits. Otherwise no time-out would fire in an endless loop. */
const TURN = 256;

/** The line has ended (true), or waits for an answer (false). */
type Rest = boolean;
/** The next step of a line: a node (NOWHERE: the next one in turn), a rest, or a promise to await. */
type Next = number | Rest | PromiseLike<unknown>;

const DRIVER: Driver = { begin, drive, driveOn };

/** Drives a line until it rests. It returns a promise only when it must await something. */
export function drive(line: Line, entry: number = NOWHERE): Rest | Promise<Rest> {
  const next = begin(line, entry);
  return typeof next === "boolean" ? next : new Promise((rest, fail) => driveOn(line, next, rest, fail));
}

/**
 * The asynchronous part: a promise gives its value, and the line goes on to its next promise or its rest. Two
 * callbacks a line are faster than an `await`, which saves and restores a frame at each visit.
 */
function driveOn(
  line: Line,
  first: PromiseLike<unknown>,
  rest: (end: Rest) => void,
  fail: (stop: unknown) => void,
): void {
  const goOn = (take: (line: Line, given: unknown) => Rest | PromiseLike<unknown>, given: unknown): void => {
    let next: Rest | PromiseLike<unknown>;
    try {
      next = take(line, given);
    } catch (stop) {
      fail(stop);
      return;
    }
    if (typeof next === "boolean") rest(next);
    else listen(next, onAnswer, onThrown);
  };
  const onAnswer = (answer: unknown): void => goOn(proceed, answer);
  const onThrown = (thrown: unknown): void => goOn(recover, thrown);
  listen(first, onAnswer, onThrown);
}

/** The built-in method: a promise of an agent may have its own `then`, which could call back twice. */
const { then } = Promise.prototype;

function listen(
  wait: PromiseLike<unknown>,
  onAnswer: (answer: unknown) => void,
  onThrown: (thrown: unknown) => void,
): void {
  if (wait instanceof Promise && wait.constructor === Promise && wait.then === then)
    wait.then(onAnswer, onThrown);
  else then.call(Promise.resolve(wait), onAnswer, onThrown);
}

/** Continues with an awaited value. An error of an answer is one of its node. */
function proceed(line: Line, value: unknown): Rest | PromiseLike<unknown> {
  try {
    return takeValue(line, value);
  } catch (thrown) {
    return recover(line, thrown);
  }
}

/** The value is the answer of the visit, or the next step. */
function takeValue(line: Line, value: unknown): Rest | PromiseLike<unknown> {
  const { visit, scope } = line;
  if (visit === null) return advance(line, null, value as number | Rest);
  if (scope.reason !== null || scope.parent !== null) checkOpen(scope);
  const step = takeAnswer(visit, value);
  // What is thrown from here on is not the agent's error.
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

/** Begins a line at its entry or its next node in turn, or continues a suspended one. */
function begin(line: Line, entry: number = NOWHERE): Rest | PromiseLike<unknown> {
  if (line.split !== null) return advance(line, null, settleSplit(line, DRIVER));
  if (line.asleep !== null) {
    const visit = wake(line);
    return visit === null ? false : advance(line, visit, callAwake(visit));
  }
  return line.depth % NESTING === NESTING - 1 ? Promise.resolve(entry) : advance(line, null, entry);
}

/**
 * The main loop. It takes a visit's answer, moves to the next node and visits it, until the line rests or must await
 * something.
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

/** The next step after a visit. */
function follow(line: Line, visit: Visit | null, step: number | Rest): Next {
  let next: Next = step;
  if (visit !== null && typeof step === "number") {
    if (step <= SPLIT) {
      beginSplit(line, line.run.table.splits[SPLIT - step]!);
      next = settleSplit(line, DRIVER);
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

function callAwake(visit: Visit): Step {
  if (visit.extra?.overdue === true) return takeThrown(visit, tooSlow(visit.prepared.timeoutMs, "no answer"));
  return callNode(visit);
}

function checkOpen(scope: Scope): void {
  const reason = closedBy(scope);
  if (reason !== null) throw reason;
}

/** Begins a visit; null when the node has used up its visits. */
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

/** Counts a visit against the limit of its run, and of the runs around it. */
function countStep(run: Run, node: string): void {
  if (run.steps >= run.maxSteps) throw tooManySteps(run, node);
  if (run.caller !== null) countOutside(run.caller, node);
}

/** Follows the `limit` route, which is no visit. A cycle of such nodes alone would never end, so it is stopped. */
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
