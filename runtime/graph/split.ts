import { codeOf } from "./errors.js";
import type { Place } from "./places.js";
import { addArrival, isShared, isStop } from "./places.js";
import { branchOf, createBranch, publicMessage, type Region, type RunningSplit, RunStop } from "./run.js";
import { closeScope, openScope } from "./scope.js";
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
      else branch.heads.push(target);
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
    } else pending.push(settleBranch(branch, line));
  }
  if (pending.length > 0) return settleLater(region, split, { pending, isAsleep });
  return isAsleep ? null : join(region, split);
}

const isSettled = ({ heads, asleep, split }: Region): boolean =>
  heads.length === 0 && asleep === null && split === null;

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new RunStop("internal", "a branch failed", null);

async function settleBranch(branch: Region, line: Promise<boolean>): Promise<boolean> {
  try {
    const settled = await line;
    branch.run.onSettled?.(branchOf(branch));
    return settled;
  } catch (stop) {
    closeScope(branch.scope, asError(stop));
    throw stop;
  }
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
async function stopped(lines: readonly Promise<boolean>[]): Promise<void> {
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
    const states = branches.map(({ state }) => state);
    mergeStates(region.state, states, prepared.merge);
  } catch (thrown) {
    const { run } = region;
    const node = run.table.nodes[prepared.node]!.name;
    throw new RunStop(codeOf(thrown), publicMessage(run, thrown), node);
  }
  for (const { path } of branches) for (const node of path) region.path.push(node);
  region.split = null;
  scope.detach();
  return decide(branches);
}

/**
 * Arrivals over a failure edge at a shared node decide for all; equal places become one. A branch that was only
 * held up, because another place is waiting for its turn, has not arrived: it neither decides nor is dropped.
 */
function decide(branches: readonly Region[]): readonly Place[] {
  const places = branches.flatMap((branch) =>
    [...(branch.arrivals ?? [])].map(([node, failure]) => ({
      node,
      failure,
      isShared: isShared(branch, node),
    })),
  );
  const isDecided = places.some((place) => place.isShared && place.failure);
  const kept = places.filter((place) => !isDecided || place.failure || !place.isShared);
  const failures = new Set(kept.filter(({ failure }) => failure).map(({ node }) => node));
  return [...new Set(kept.map(({ node }) => node))].map((node) => ({ node, failure: failures.has(node) }));
}
