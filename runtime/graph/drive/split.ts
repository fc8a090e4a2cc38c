import { codeOf } from "../contract/errors.js";
import type { PreparedSplit } from "../link/table.js";
import { mergeStates } from "../values/state.js";
import { mergeMemories } from "./conversations.js";
import { addArrival, addHead, addPlace, isShared, isStop, moveToAll } from "./moves.js";
import { type Arrival, branchOf, createBranch, type Line, publicMessage, RunStop } from "./run.js";
import { closeScope, endScope, openScope } from "./scope.js";

/** The time that stopped branches get to settle. */
const GRACE_MS = 5_000;

/** How lines are driven. A line rests when it has ended (true) or waits for an answer (false). */
export interface Driver {
  readonly begin: (line: Line) => boolean | PromiseLike<unknown>;
  readonly drive: (line: Line) => boolean | Promise<boolean>;
  readonly driveOn: (
    line: Line,
    first: PromiseLike<unknown>,
    rest: (ended: boolean) => void,
    fail: (stop: unknown) => void,
  ) => void;
}
/** The next node after a split, or NOWHERE; false when branches wait for an answer. */
type Meeting = number | false;

/** Begins a split with one branch for each target. Each branch has its own state. */
export function beginSplit(line: Line, prepared: PreparedSplit): void {
  const scope = openScope(line.scope);
  const branches = prepared.targets.map((target, index) => {
    const branch = createBranch(line, { within: prepared, scope }, index);
    if (target >= 0) {
      if (isStop(branch, target)) addArrival(branch, target, prepared.edge === "failure");
      else addHead(branch, target);
    }
    return branch;
  });
  line.split = { prepared, scope, branches };
  for (const branch of branches) if (isSettled(branch)) settled(branch, true);
}

/** Drives the branches of the open split until all rest. It returns a promise only when a branch does. */
export function settleSplit(line: Line, driver: Driver): Meeting | Promise<Meeting> {
  const { branches, scope } = line.split!;
  const open = branches.filter((branch) => !isSettled(branch));
  if (line.run.options.pause !== undefined) return settleInTurn(line, open, driver);
  const begun: Begun = { waits: [], ended: true, stop: null };
  for (const branch of open) {
    try {
      const next = driver.begin(branch);
      if (typeof next === "boolean") begun.ended = settled(branch, next) && begun.ended;
      else begun.waits.push({ branch, next });
    } catch (thrown) {
      closeScope(scope, asError(thrown));
      if (begun.waits.length === 0) throw thrown;
      begun.stop = { thrown };
      break;
    }
  }
  if (begun.waits.length > 0) return gather(line, begun, driver);
  return begun.ended ? join(line) : false;
}

/** What became of the branches at once. */
interface Begun {
  readonly waits: { readonly branch: Line; readonly next: PromiseLike<unknown> }[];
  ended: boolean;
  stop: { readonly thrown: unknown } | null;
}

function settled(branch: Line, ended: boolean): boolean {
  branch.run.onSettled?.(branchOf(branch));
  return ended;
}

/**
 * Waits for all branches. The first that throws stops the others, which get some time to settle. Counting is faster
 * than a promise for each branch.
 */
function gather(line: Line, begun: Begun, { driveOn }: Driver): Promise<Meeting> {
  const { scope } = line.split!;
  return new Promise((resolve, reject) => {
    let { ended, stop } = begun;
    let open = begun.waits.length;
    let timer = stop === null ? undefined : setTimeout(() => reject(stop?.thrown), GRACE_MS);
    const settle = (): void => {
      open -= 1;
      if (open > 0) return;
      clearTimeout(timer);
      try {
        if (stop !== null) throw stop.thrown;
        resolve(ended ? join(line) : false);
      } catch (thrown) {
        reject(thrown);
      }
    };
    const fail = (thrown: unknown): void => {
      if (stop === null) {
        stop = { thrown };
        closeScope(scope, asError(thrown));
        timer = setTimeout(() => reject(thrown), GRACE_MS);
      }
      settle();
    };
    for (const { branch, next } of begun.waits) {
      const rest = (end: boolean): void => {
        ended = settled(branch, end) && ended;
        settle();
      };
      driveOn(branch, next, rest, fail);
    }
  });
}

/** Drives one branch after the other, for debuggers. */
async function settleInTurn(line: Line, open: readonly Line[], { drive }: Driver): Promise<Meeting> {
  let ended = true;
  try {
    for (const branch of open) ended = settled(branch, await drive(branch)) && ended;
  } catch (stop) {
    closeScope(line.split!.scope, asError(stop));
    throw stop;
  }
  return ended ? join(line) : false;
}

const isSettled = ({ heads, asleep, split }: Line): boolean =>
  (heads === null || heads.length === 0) && asleep === null && split === null;

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new RunStop("internal", "a branch failed", null);

/** Waits until the stopped branches have settled, or the time is over. */
export async function stopped(lines: readonly Promise<unknown>[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GRACE_MS);
  });
  await Promise.race([Promise.allSettled(lines), grace]);
  clearTimeout(timer);
}

/** Merges the writes of the branches and continues. */
function join(line: Line): number {
  const { prepared, scope, branches } = line.split!;
  try {
    mergeStates(line, branches, prepared);
  } catch (thrown) {
    const { run } = line;
    const node = run.table.nodes[prepared.node]!.name;
    throw new RunStop(codeOf(thrown), publicMessage(run, thrown), node);
  }
  mergeMemories(line, branches);
  for (const { path } of branches) for (const node of path) line.path.push(node);
  line.split = null;
  endScope(scope);
  return moveToAll(line, decide(branches));
}

/**
 * Failure edges to a shared node decide for all branches, and equal places become one. A branch that only waits for
 * its turn has not arrived: it does not decide, and is not dropped.
 */
function decide(branches: readonly Line[]): readonly Arrival[] {
  const places: Arrival[] = [];
  const [inside] = branches;
  const isDecided =
    inside !== undefined && branches.some(({ arrivals }) => arrivals?.some(isDecision(inside)));
  for (const { arrivals } of branches) {
    if (arrivals === null) continue;
    for (const { node, failure } of arrivals) {
      if (!isDecided || failure || !isShared(inside!, node)) addPlace(places, node, failure);
    }
  }
  return places;
}

const isDecision =
  (inside: Line) =>
  ({ node, failure }: Arrival): boolean =>
    failure && isShared(inside, node);
