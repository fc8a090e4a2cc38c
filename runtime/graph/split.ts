import { codeOf } from "./errors.js";
import type { Place } from "./places.js";
import { addArrival, isShared, isStop } from "./places.js";
import { branchOf, createBranch, publicMessage, type Region, type RunningSplit, RunStop } from "./run.js";
import { closeScope, openScope } from "./scope.js";
import { mergeStates } from "./state.js";
import type { PreparedSplit } from "./table.js";

/** How long stopped branches are given to settle. */
const GRACE_MS = 5_000;

type Drive = (region: Region) => Promise<boolean>;

/** Begins a split: one branch a target, each on a state of its own. */
export function beginSplit(region: Region, prepared: PreparedSplit): void {
  const { run } = region;
  const scope = openScope(region.scope);
  const branches = prepared.targets.map((target, index) => {
    const branch = createBranch(region, { within: prepared, scope }, index);
    if (target >= 0) {
      if (isStop(branch, target)) addArrival(branch, target, prepared.edge === "failure");
      else branch.heads.push(target);
    }
    return branch;
  });
  region.split = { prepared, scope, branches };
  if (run.onSettled !== null)
    for (const branch of branches) if (isSettled(branch)) run.onSettled(branchOf(branch));
}

/** Runs the branches of a split until all have settled; null when some wait for an answer. */
export async function settleSplit(
  region: Region,
  split: RunningSplit,
  drive: Drive,
): Promise<readonly Place[] | null> {
  const unsettled = split.branches.filter((branch) => !isSettled(branch));
  const lines = unsettled.map((branch) => driveBranch(branch, drive));
  let settled: readonly boolean[];
  try {
    settled = await Promise.all(lines);
  } catch (stop) {
    await stopped(lines);
    throw stop;
  }
  if (settled.includes(false)) return null;
  return join(region, split);
}

const isSettled = ({ heads, asleep, split }: Region): boolean =>
  heads.length === 0 && asleep === null && split === null;

async function driveBranch(branch: Region, drive: Drive): Promise<boolean> {
  try {
    const settled = await drive(branch);
    branch.run.onSettled?.(branchOf(branch));
    return settled;
  } catch (stop) {
    // At once, so that the other branches go no further.
    closeScope(branch.scope, stop instanceof Error ? stop : new RunStop("internal", "a branch failed", null));
    throw stop;
  }
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
