import { codeOf } from "../contract/errors.js";
import { mergeMemories } from "../suspend/memory.js";
import { mergeStates } from "../values/state.js";
import { addArrival, addHead, addPlace, isShared, isStop } from "./places.js";
import {
  branchOf,
  createBranch,
  endOf,
  type Over,
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

type Drive = (region: Region) => boolean | null;
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
 * answer. It makes a promise only when a branch has to wait.
 */
export function settleSplit(region: Region, split: RunningSplit, drive: Drive): Places | Promise<Places> {
  if (region.run.options.pause !== undefined) return settleInTurn(region, split, drive);
  const gathering = new Gathering(region, split);
  for (const branch of split.branches) {
    if (isSettled(branch)) continue;
    let ended: boolean | null;
    try {
      ended = drive(branch);
    } catch (stop) {
      // At once, so that the other branches go no further.
      gathering.halt(stop);
      if (gathering.pending === 0) throw stop;
      break;
    }
    gathering.take(branch, ended);
  }
  return gathering.pending === 0 ? gathering.places() : gathering.later();
}

/** The branches of a split that have to wait. */
class Gathering implements Over {
  pending = 0;
  readonly #region: Region;
  readonly #split: RunningSplit;
  #isAsleep = false;
  #stop: { readonly thrown: unknown } | null = null;
  #grace: ReturnType<typeof setTimeout> | undefined;
  // Set by `later`, which comes before anything that waits can settle.
  #resolve!: (places: Places) => void;
  #reject!: (thrown: unknown) => void;

  constructor(region: Region, split: RunningSplit) {
    this.#region = region;
    this.#split = split;
  }

  /** Takes what became of a branch: the end, or null when it has to wait. */
  take(branch: Region, ended: boolean | null): void {
    if (ended === null) {
      this.pending += 1;
      branch.over = this;
    } else {
      this.#isAsleep ||= !ended;
      branch.run.onSettled?.(branchOf(branch));
    }
  }

  /** The first that stops stops the others, which have some time to settle. */
  halt(thrown: unknown): void {
    if (this.#stop !== null) return;
    this.#stop = { thrown };
    closeScope(this.#split.scope, asError(thrown));
    if (this.pending > 0) this.#grace = setTimeout(() => this.#finish(), GRACE_MS);
  }

  places(): Places {
    if (this.#stop !== null) throw this.#stop.thrown;
    return this.#isAsleep ? null : join(this.#region, this.#split);
  }

  later(): Promise<Places> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  tell(branch: Region, ended: boolean | null, stop: unknown): void {
    this.pending -= 1;
    if (ended === null) this.halt(stop);
    else this.take(branch, ended);
    if (this.pending === 0) this.#finish();
  }

  #finish(): void {
    clearTimeout(this.#grace);
    try {
      this.#resolve(this.places());
    } catch (thrown) {
      this.#reject(thrown);
    }
  }
}

/** The same with one branch after the other, for a person who looks on. */
async function settleInTurn(region: Region, split: RunningSplit, drive: Drive): Promise<Places> {
  let isAsleep = false;
  for (const branch of split.branches) {
    if (isSettled(branch)) continue;
    try {
      const ended = drive(branch) ?? (await endOf(branch));
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
