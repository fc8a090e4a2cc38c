import { randomBytes } from "node:crypto";
import type { Logger } from "../../graph/contract/contract.js";
import { messageOf } from "../../graph/contract/errors.js";
import type { Host } from "../../host.js";
import { LET_GO } from "../../runs/let-go.js";
import { currentOwner, isGone, ownerName, parseOwner } from "../../runs/owner.js";
import type { WorkflowResult } from "../../runs/result.js";
import type { Lease } from "../rows.js";
import { isOfStore } from "../store-error.js";
import { Leg } from "./leg.js";
import type { Claimed, GivenBack } from "./leg-store.js";
import type { Guest, LegOutcome, LegWorld } from "./leg-world.js";

export interface LegsOptions extends LegWorld {
  readonly host: Host;
  readonly log: Pick<Logger, "warn" | "error">;
  /** Without a beat for so long an owner that cannot be looked up is dead. */
  readonly deadAfterMs: number;
  /** Told of each leg that ended its run, or came to where it waits. */
  readonly told?: ((end: Pick<WorkflowResult, "graph" | "status" | "steps">) => void) | undefined;
}

/** A cancelled or lost run is noticed within this time. */
const LOOK_MS = 250;
/** The pause before a broken leg is tried again: doubled each time, up to an hour. */
const BROKEN_MS = 1_000;
const LONGEST_BROKEN_MS = 3_600_000;
/** A run that cannot go on here is looked at again after this time. */
const HELD_MS = 2_000;

/** The legs of one process: it watches their leases, and gives back what a leg leaves behind. */
export class Legs {
  /** The process, and a word that tells several of these apart. */
  readonly owner: string;
  readonly #options: LegsOptions;
  readonly #active = new Set<Leg>();
  /** Leases that no leg had when they were last looked at: the answer to their claim was lost, or is on its way. */
  #orphans = new Set<string>();
  /** What could not be given back yet, by run. */
  readonly #owed = new Map<string, { readonly lease: Lease; readonly back: GivenBack }>();
  readonly #broken = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #concurrency = 0;
  #beatAt = Number.NEGATIVE_INFINITY;
  #isLooking = false;
  #isLeaving = false;
  #told = "";

  constructor(options: LegsOptions) {
    this.#options = options;
    this.owner = `${ownerName(currentOwner(options.host))}.${randomBytes(6).toString("hex")}`;
  }

  get deadAfterMs(): number {
    return this.#options.deadAfterMs;
  }

  get size(): number {
    return this.#active.size;
  }

  /** Shows other machines that the owner lives. Called before anything is claimed. 0: it takes no runs of others. */
  async beat(concurrency: number = this.#concurrency): Promise<void> {
    const { store, deadAfterMs } = this.#options;
    // Others are told at once that a worker takes runs.
    const isNews = concurrency !== this.#concurrency;
    this.#concurrency = concurrency;
    if (!isNews && performance.now() - this.#beatAt < deadAfterMs / 3) return;
    await store.beat({ owner: this.owner, seen: Date.now(), concurrency });
    this.#beatAt = performance.now();
  }

  isGone(owner: string, seen: number | null): boolean {
    const { host, deadAfterMs } = this.#options;
    const parsed = parseOwner(owner.split(".")[0] ?? "");
    return parsed === null || isGone(parsed, seen ?? 0, host, deadAfterMs);
  }

  async run(claimed: Claimed, guest: Guest = {}, signal?: AbortSignal): Promise<LegOutcome> {
    const leg = new Leg(this.#options, claimed, guest);
    const cancel = (): void => leg.stop(signal?.reason === LET_GO ? "let_go" : "cancel");
    this.#active.add(leg);
    this.#watch();
    try {
      if (signal?.aborted === true) cancel();
      signal?.addEventListener("abort", cancel, { once: true });
      if (this.#isLeaving) leg.leave();
      const outcome = await leg.drive();
      await this.#settle(leg, outcome);
      if ("result" in outcome) this.#options.told?.(outcome.result as unknown as WorkflowResult);
      return outcome;
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#active.delete(leg);
      this.#rest();
    }
  }

  /** Lets nodes at work finish for a time, then lets go of everything. */
  async leave(graceMs: number): Promise<void> {
    this.#isLeaving = true;
    for (const leg of this.#active) leg.leave();
    const end = performance.now() + graceMs;
    while (this.#active.size > 0 && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 10));
    for (const leg of this.#active) leg.stop("let_go");
    while (this.#active.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await this.#payBack();
  }

  async #settle({ lease, run, worked }: Leg, outcome: LegOutcome): Promise<void> {
    const { log } = this.#options;
    const at = { worked: Math.round(worked), held: null };
    if (outcome.kind !== "broken") this.#broken.delete(run.runId);
    if (outcome.kind === "let_go") await this.#giveBack(lease, { ...at, due: Date.now() });
    if (outcome.kind === "held")
      await this.#giveBack(lease, { ...at, held: outcome.why, due: Date.now() + HELD_MS });
    if (outcome.kind !== "broken") return;
    const times = this.#broken.get(run.runId) ?? 0;
    this.#broken.set(run.runId, times + 1);
    const pause = Math.min(BROKEN_MS * 2 ** times, LONGEST_BROKEN_MS);
    this.#tell(outcome.error, `the run ${run.runId} was put back: `);
    if (!(outcome.error instanceof Error && "code" in outcome.error))
      log.error("a run stopped inside flowsheet itself", outcome.error);
    await this.#giveBack(lease, { ...at, due: dueAfter(pause, run.deadline) });
  }

  /** Not again with each run. */
  #tell(error: unknown, what = ""): void {
    const message = messageOf(error);
    if (message !== this.#told && !isOfStore(error)) this.#options.log.warn(`${what}${message}`);
    this.#told = message;
  }

  async #giveBack(lease: Lease, back: GivenBack): Promise<void> {
    try {
      await this.#options.store.giveBack(lease, back);
      this.#owed.delete(lease.runId);
    } catch {
      // Nobody takes the run from an owner who lives, so it is tried again.
      this.#owed.set(lease.runId, { lease, back });
    }
  }

  async #payBack(): Promise<void> {
    for (const { lease, back } of [...this.#owed.values()]) await this.#giveBack(lease, back);
  }

  #watch(): void {
    if (this.#timer !== null) return;
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
    // An agent that never answers must not keep a process that has nothing else to do.
    this.#timer.unref();
  }

  #rest(): void {
    if (this.#active.size > 0 || this.#owed.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Stops legs whose lease is lost, and gives back leases without a leg. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#payBack();
      await this.beat();
      const legs = [...this.#active];
      const leases = await this.#options.store.leasesOf(this.owner);
      const held = new Set(leases.map(nameOf));
      for (const leg of legs) if (!held.has(nameOf(leg.lease))) leg.stop("lost");
      await this.#returnOrphans(leases);
    } catch (error) {
      this.#tell(error);
    } finally {
      this.#isLooking = false;
      this.#rest();
    }
  }

  async #returnOrphans(leases: readonly Lease[]): Promise<void> {
    const driven = new Set([...this.#active].map(({ lease }) => nameOf(lease)));
    const found = leases.filter((lease) => !driven.has(nameOf(lease)) && !this.#owed.has(lease.runId));
    const again = found.filter((lease) => this.#orphans.has(nameOf(lease)));
    this.#orphans = new Set(found.map(nameOf));
    for (const lease of again) await this.#giveBack(lease, { due: Date.now(), held: null, worked: 0 });
  }
}

/** A deadline is not slept through. */
function dueAfter(pause: number, deadline: number | null): number {
  const now = Date.now();
  return deadline === null || deadline <= now ? now + pause : Math.min(now + pause, deadline);
}

const nameOf = ({ runId, epoch }: Lease): string => `${runId} ${epoch}`;
