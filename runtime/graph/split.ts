import { codeOf } from "./errors.js";
import { mergeMemories } from "./memory.js";
import { addArrival, addHead, addPlace, isShared, isStop } from "./places.js";
import {
  branchOf,
  createBranch,
  type Place,
  publicMessage,
  type Region,
  type RunningSplit,
  RunStop,
} from "./run.js";
import { closeScope, endScope, openScope } from "./scope.js";
import { mergeStates } from "./state.js";
import type { PreparedSplit } from "./table.js";

/** How long stopped branches are given to settle. */
const GRACE_MS = 5_000;

type Drive = (region: Region) => boolean | Promise<boolean>;
type Places = readonly Place[] | null;

/** Begins a split: one branch a target, each on a state of its own. */
export function beginSplit(region: Region, prepared: PreparedSplit): RunningSplit {
  const scope = openScope(region.scope);
  const branches = prepared.targets.map((target, index) => {
    const branch = createBranch(region, { within: prepared, scope }, index);
    if (target >= 0) {
      if (isStop(branch, target)) addArrival(branch, target, prepared.edge === "failure");
      else addHead(branch, target);
    }
    return branch;
  });
  const split: RunningSplit = { prepared, scope, branches };
  region.split = split;
  const { onSettled } = region.run;
  if (onSettled !== null) for (const branch of branches) if (isSettled(branch)) onSettled(branchOf(branch));
  return split;
}

/**
 * Runs the branches of a split until all have settled, and says where to go on; null when some wait for an
 * answer. It makes promises only when a branch does.
 */
export function settleSplit(region: Region, split: RunningSplit, drive: Drive): Places | Promise<Places> {
  if (region.run.options.pause !== undefined) return settleInTurn(region, split, drive);
  const pending: Promise<boolean>[] = [];
  let isAsleep = false;
  for (const branch of split.branches) {
    if (isSettled(branch)) continue;
    let line: boolean | Promise<boolean>;
    try {
      line = drive(branch);
    } catch (stop) {
      // At once, so that the other branches go no further.
      closeScope(split.scope, asError(stop));
      if (pending.length === 0) throw stop;
      return stopAfter(pending, stop);
    }
    if (typeof line === "boolean") {
      isAsleep ||= !line;
      region.run.onSettled?.(branchOf(branch));
    } else pending.push(region.run.onSettled === null ? line : settleBranch(branch, line));
  }
  if (pending.length > 0) return settleLater(region, split, { pending, isAsleep });
  return isAsleep ? null : join(region, split);
}

/** The same with one branch after the other, for a person who looks on. */
async function settleInTurn(region: Region, split: RunningSplit, drive: Drive): Promise<Places> {
  let isAsleep = false;
  for (const branch of split.branches) {
    if (isSettled(branch)) continue;
    try {
      const ended = await drive(branch);
      isAsleep ||= !ended;
    } catch (stop) {
      closeScope(split.scope, asError(stop));
      throw stop;
    }
    region.run.onSettled?.(branchOf(branch));
  }
  return isAsleep ? null : join(region, split);
}

const isSettled = ({ heads, asleep, split }: Region): boolean =>
  (heads === null || heads.length === 0) && asleep === null && split === null;

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new RunStop("internal", "a branch failed", null);

/** Tells when a branch has settled, for those who listen. */
async function settleBranch(branch: Region, line: Promise<boolean>): Promise<boolean> {
  const settled = await line;
  branch.run.onSettled?.(branchOf(branch));
  return settled;
}

interface Lines {
  readonly pending: readonly Promise<boolean>[];
  readonly isAsleep: boolean;
}

async function settleLater(
  region: Region,
  split: RunningSplit,
  { pending, isAsleep }: Lines,
): Promise<Places> {
  let settled: readonly boolean[];
  try {
    settled = await Promise.all(pending);
  } catch (stop) {
    // The first that stops stops the others.
    closeScope(split.scope, asError(stop));
    return stopAfter(pending, stop);
  }
  return isAsleep || settled.includes(false) ? null : join(region, split);
}

/** Throws what stopped the split, when the other branches have settled. */
async function stopAfter(pending: readonly Promise<boolean>[], stop: unknown): Promise<never> {
  await stopped(pending);
  throw stop;
}

/** Waits until the stopped branches have settled, but not for ever. */
export async function stopped(lines: readonly Promise<unknown>[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GRACE_MS);
  });
  await Promise.race([Promise.allSettled(lines), grace]);
  clearTimeout(timer);
}

/** Merges what the branches wrote, and says where to go on. */
function join(region: Region, { prepared, scope, branches }: RunningSplit): readonly Place[] {
  try {
    mergeStates(region, branches, prepared);
  } catch (thrown) {
    const { run } = region;
    const node = run.table.nodes[prepared.node]!.name;
    throw new RunStop(codeOf(thrown), publicMessage(run, thrown), node);
  }
  mergeMemories(region, branches);
  for (const { path } of branches) for (const node of path) region.path.push(node);
  region.split = null;
  endScope(scope);
  return decide(branches);
}

/**
 * Arrivals over a failure edge at a shared node decide for all; equal places become one. A branch that was only
 * held up, because another place is waiting for its turn, has not arrived: it neither decides nor is dropped.
 */
function decide(branches: readonly Region[]): readonly Place[] {
  const places: Place[] = [];
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
  (inside: Region) =>
  ({ node, failure }: Place): boolean =>
    failure && isShared(inside, node);
