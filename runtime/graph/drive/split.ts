import { codeOf } from "../contract/errors.js";
import type { PreparedSplit } from "../link/table.js";
import { mergeStates } from "../values/state.js";
import { mergeMemories } from "./conversations.js";
import { addArrival, addHead, addPlace, isShared, isStop, moveToAll } from "./moves.js";
import {
  type Arrival,
  branchOf,
  createBranch,
  type Line,
  publicMessage,
  type RunningSplit,
  RunStop,
} from "./run.js";
import { closeScope, endScope, openScope } from "./scope.js";

/** How long stopped branches are given to settle. */
const GRACE_MS = 5_000;

type Drive = (line: Line) => boolean | Promise<boolean>;
/** The node to go on with after a split, or NOWHERE; false when some branches wait for an answer. */
export type Meeting = number | false;

/** Begins a split: one branch a target, each on a state of its own. */
export function beginSplit(line: Line, prepared: PreparedSplit): RunningSplit {
  const scope = openScope(line.scope);
  const branches = prepared.targets.map((target, index) => {
    const branch = createBranch(line, { within: prepared, scope }, index);
    if (target >= 0) {
      if (isStop(branch, target)) addArrival(branch, target, prepared.edge === "failure");
      else addHead(branch, target);
    }
    return branch;
  });
  const split: RunningSplit = { prepared, scope, branches };
  line.split = split;
  const { onSettled } = line.run;
  if (onSettled !== null) for (const branch of branches) if (isSettled(branch)) onSettled(branchOf(branch));
  return split;
}

/** Drives the branches of a split until all of them rest. It makes a promise only when a branch does. */
export function settleSplit(line: Line, split: RunningSplit, drive: Drive): Meeting | Promise<Meeting> {
  const open = split.branches.filter((branch) => !isSettled(branch));
  if (line.run.options.pause !== undefined) return settleInTurn(line, split, { open, drive });
  const waits: Promise<boolean>[] = [];
  let ended = true;
  for (const branch of open) {
    try {
      const rest = drive(branch);
      if (typeof rest === "boolean") ended = settled(branch, rest) && ended;
      else waits.push(line.run.onSettled === null ? rest : rest.then((end) => settled(branch, end)));
    } catch (stop) {
      closeScope(split.scope, asError(stop));
      if (waits.length === 0) throw stop;
      waits.push(Promise.reject(stop));
      break;
    }
  }
  if (waits.length > 0) return gather(line, split, { waits, ended });
  return ended ? join(line, split) : false;
}

function settled(branch: Line, ended: boolean): boolean {
  branch.run.onSettled?.(branchOf(branch));
  return ended;
}

interface Waits {
  readonly waits: readonly Promise<boolean>[];
  /** The branches that did not have to be awaited have ended. */
  readonly ended: boolean;
}

async function gather(line: Line, split: RunningSplit, { waits, ended }: Waits): Promise<Meeting> {
  let all: readonly boolean[];
  try {
    all = await Promise.all(waits);
  } catch (stop) {
    closeScope(split.scope, asError(stop));
    await stopped(waits);
    throw stop;
  }
  return ended && !all.includes(false) ? join(line, split) : false;
}

interface Turns {
  readonly open: readonly Line[];
  readonly drive: Drive;
}

/** The same with one branch after the other, for a person who looks on. */
async function settleInTurn(line: Line, split: RunningSplit, { open, drive }: Turns): Promise<Meeting> {
  let ended = true;
  try {
    for (const branch of open) ended = settled(branch, await drive(branch)) && ended;
  } catch (stop) {
    closeScope(split.scope, asError(stop));
    throw stop;
  }
  return ended ? join(line, split) : false;
}

const isSettled = ({ heads, asleep, split }: Line): boolean =>
  (heads === null || heads.length === 0) && asleep === null && split === null;

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new RunStop("internal", "a branch failed", null);

/** Waits until the stopped branches have settled, but not for ever. */
export async function stopped(lines: readonly Promise<unknown>[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GRACE_MS);
  });
  await Promise.race([Promise.allSettled(lines), grace]);
  clearTimeout(timer);
}

/** Merges what the branches wrote, and goes on. */
function join(line: Line, { prepared, scope, branches }: RunningSplit): number {
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
 * Arrivals over a failure edge at a shared node decide for all; equal places become one. A branch that was only
 * held up, because another place is waiting for its turn, has not arrived: it neither decides nor is dropped.
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
