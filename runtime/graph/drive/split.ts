import { codeOf } from "../contract/errors.js";
import { mergeMemories } from "../suspend/memory.js";
import { mergeStates } from "../values/state.js";
import { addArrival, addHead, addPlace, goOn, isShared, isStop } from "./places.js";
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
import type { PreparedSplit } from "./table.js";

/** How long stopped branches are given to settle. */
const GRACE_MS = 5_000;

type Drive = (line: Region) => boolean | Promise<boolean>;
/** The node to go on with after a split, or NOWHERE; false when some branches wait for an answer. */
export type Meeting = number | false;

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

/** Drives the branches of a split until all of them rest. It makes a promise only when a branch does. */
export function settleSplit(region: Region, split: RunningSplit, drive: Drive): Meeting | Promise<Meeting> {
  const open = split.branches.filter((branch) => !isSettled(branch));
  if (region.run.options.pause !== undefined) return settleInTurn(region, split, { open, drive });
  const waits: Promise<boolean>[] = [];
  let ended = true;
  for (const branch of open) {
    try {
      const rest = drive(branch);
      if (typeof rest === "boolean") ended = settled(branch, rest) && ended;
      else waits.push(region.run.onSettled === null ? rest : rest.then((end) => settled(branch, end)));
    } catch (stop) {
      closeScope(split.scope, asError(stop));
      if (waits.length === 0) throw stop;
      waits.push(Promise.reject(stop));
      break;
    }
  }
  if (waits.length > 0) return gather(region, split, { waits, ended });
  return ended ? join(region, split) : false;
}

function settled(branch: Region, ended: boolean): boolean {
  branch.run.onSettled?.(branchOf(branch));
  return ended;
}

interface Waits {
  readonly waits: readonly Promise<boolean>[];
  /** The branches that did not have to be awaited have ended. */
  readonly ended: boolean;
}

async function gather(region: Region, split: RunningSplit, { waits, ended }: Waits): Promise<Meeting> {
  let all: readonly boolean[];
  try {
    all = await Promise.all(waits);
  } catch (stop) {
    closeScope(split.scope, asError(stop));
    await stopped(waits);
    throw stop;
  }
  return ended && !all.includes(false) ? join(region, split) : false;
}

interface Turns {
  readonly open: readonly Region[];
  readonly drive: Drive;
}

/** The same with one branch after the other, for a person who looks on. */
async function settleInTurn(region: Region, split: RunningSplit, { open, drive }: Turns): Promise<Meeting> {
  let ended = true;
  try {
    for (const branch of open) ended = settled(branch, await drive(branch)) && ended;
  } catch (stop) {
    closeScope(split.scope, asError(stop));
    throw stop;
  }
  return ended ? join(region, split) : false;
}

const isSettled = ({ heads, asleep, split }: Region): boolean =>
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
function join(region: Region, { prepared, scope, branches }: RunningSplit): number {
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
  return goOn(region, decide(branches));
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
