import type { Logger } from "../graph/contract/contract.js";
import { messageOf } from "../graph/contract/errors.js";
import { isMapping } from "../graph/values/values.js";
import type { Carrier } from "./legs/carrier.js";
import type { Claimed } from "./legs/leg-store.js";
import type { LegOutcome } from "./legs/leg-world.js";
import type { Legs } from "./legs/legs.js";
import { Notices, type NoticesWorld } from "./notices.js";
import { startRetention } from "./retention.js";
import type { DurableStore } from "./store.js";
import { isOfStore } from "./store-error.js";

export interface WorkOptions {
  /** Runs at work at a time. */
  readonly concurrency?: number;
  /** Only runs of these graphs. */
  readonly graphs?: readonly string[];
}

/** Works on due runs, whoever started them. */
export interface Worker {
  /** Resolves when nothing is due and nothing is at work here. */
  readonly drained: () => Promise<void>;
  /** Claims nothing more; lets nodes at work finish for a time, then lets go of them. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

export interface WorkerSetting {
  readonly store: DurableStore;
  readonly legs: Legs;
  readonly contract: number;
  readonly limits: { readonly [graph: string]: number };
  readonly recoveries: number;
  readonly retentionMs: number | null;
  readonly log: Pick<Logger, "warn">;
  readonly remind: NoticesWorld["remind"];
  readonly redact: (text: string) => string;
}

const POLL_MS = 25;
/** How often, at the least, due runs are looked for, then the dead, then open questions. */
const HERE = { longestPollMs: 250, sweepMs: 200, lookMs: 500 };
/**
 * Among machines each look is a question to the server, and the dead are known by a long silence alone. An answer given
 * elsewhere is still found within half a second.
 */
const apart = (deadAfterMs: number) => ({
  longestPollMs: 350,
  sweepMs: Math.min(3_000, Math.max(HERE.sweepMs, deadAfterMs / 10)),
  lookMs: 2_000,
});
const GRACE_MS = 30_000;
/** So many runs are claimed at once. */
const BATCH = 10;

export class PollingWorker implements Worker {
  readonly #setting: WorkerSetting;
  readonly #concurrency: number;
  readonly #graphs: readonly string[] | undefined;
  readonly #carrier: Carrier | null;
  readonly #carried = new Set<Promise<void>>();
  readonly #longestPollMs: number;
  #pause = POLL_MS;
  #timer: NodeJS.Timeout | undefined;
  #sweeper: NodeJS.Timeout | undefined;
  /** The first look for runs of the dead: until then nobody knows what is due. */
  readonly #swept: Promise<void>;
  readonly #stopRetention: () => Promise<void>;
  readonly #notices: Notices;
  #isClaiming = false;
  #polled: Promise<void> = Promise.resolve();
  #isPoked = false;
  #isStopped = false;
  #told = "";
  #idle: (() => void)[] = [];

  constructor(setting: WorkerSetting, { concurrency = 10, graphs }: WorkOptions) {
    this.#setting = setting;
    this.#concurrency = concurrency;
    this.#graphs = graphs;
    const { store, log, retentionMs, legs, contract } = setting;
    const tell = (message: string): void => this.#tell(new Error(message), "");
    const workers = () => store.workers();
    this.#carrier = store.carrierOf?.({ owner: legs.owner, contract, workers, tell }) ?? null;
    this.#stopRetention = retentionMs === null ? async () => {} : startRetention({ store, log, retentionMs });
    const { longestPollMs, sweepMs, lookMs } = this.#carrier === null ? HERE : apart(legs.deadAfterMs);
    this.#longestPollMs = longestPollMs;
    this.#notices = new Notices({ ...setting, lookMs });
    this.#sweeper = setInterval(() => void this.#sweep(), sweepMs);
    this.#swept = this.#sweep();
    this.poke();
  }

  /** Something may be due: a run was started or answered in this process, or a leg has ended. */
  poke(): void {
    this.#isPoked = true;
    if (this.#isStopped || this.#isClaiming) return;
    clearTimeout(this.#timer);
    this.#wait(0);
  }

  async drained(): Promise<void> {
    const idle = new Promise<void>((resolve) => this.#idle.push(resolve));
    this.poke();
    await idle;
    await this.#notices.settled();
  }

  async stop(graceMs: number = GRACE_MS): Promise<void> {
    const { store, legs } = this.#setting;
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#sweeper);
    await this.#stopRetention();
    await this.#polled;
    await Promise.all([legs.leave(graceMs), this.#notices.stop(graceMs)]);
    await Promise.all(this.#carried);
    await this.#carrier?.stop();
    await store.leave(legs.owner).catch(() => {});
  }

  async #poll(): Promise<void> {
    if (this.#isStopped || this.#isClaiming) return;
    this.#isClaiming = true;
    this.#isPoked = false;
    let claimed = 0;
    try {
      claimed = await this.#claim();
    } catch (error) {
      this.#tell(error);
    } finally {
      this.#isClaiming = false;
    }
    if (this.#isStopped) return;
    if (this.#carried.size === 0 && claimed === 0) for (const resolve of this.#idle.splice(0)) resolve();
    this.#pause = claimed > 0 ? POLL_MS : Math.min(this.#pause * 2, this.#longestPollMs);
    this.#wait(this.#isPoked ? 0 : this.#pause);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#polled = this.#poll();
    }, ms);
  }

  /** Takes as many due runs as there is room for. */
  async #claim(): Promise<number> {
    const { store, legs, contract, limits } = this.#setting;
    await legs.beat(this.#concurrency);
    await this.#swept;
    let all = 0;
    while (!this.#isStopped && this.#carried.size < this.#concurrency) {
      const limit = Math.min(this.#concurrency - this.#carried.size, BATCH);
      const graphs = this.#graphs === undefined ? {} : { graphs: this.#graphs };
      const found = await store.claim({
        owner: legs.owner,
        now: Date.now(),
        limit,
        contract,
        limits,
        ...graphs,
      });
      all += found.length;
      for (const claimed of found) this.#begin(claimed);
      if (found.length < limit) break;
    }
    return all;
  }

  #begin(claimed: Claimed): void {
    const carried = this.#carry(claimed)
      .catch((error: unknown) => this.#tell(error))
      .finally(() => {
        this.#carried.delete(carried);
        this.poke();
      });
    this.#carried.add(carried);
  }

  async #carry(claimed: Claimed): Promise<void> {
    const { lease, run } = claimed;
    const drive = async (): Promise<string> => wordFor(await this.#setting.legs.run(claimed));
    if (this.#carrier === null) await drive();
    else await this.#carrier.carry({ lease, graph: run.graph }, drive);
  }

  async #sweep(): Promise<void> {
    const { store, legs, recoveries } = this.#setting;
    // One after the other: both at once would need a connection more.
    await legs.look();
    try {
      const isGone = (owner: string, seen: number | null): boolean => legs.isGone(owner, seen);
      const { taken } = await store.sweep({ isGone, now: Date.now(), recoveries });
      if (taken.length > 0) this.poke();
    } catch (error) {
      this.#tell(error);
    }
  }

  #tell(error: unknown, what = "the run store does not answer: "): void {
    const message = messageOf(error);
    if (message !== this.#told && !isOfStore(error)) this.#setting.log.warn(`${what}${message}`);
    this.#told = message;
  }
}

/** What an engine may keep of a leg: no value of the run. */
function wordFor(outcome: LegOutcome): string {
  const status = outcome.kind === "ended" && isMapping(outcome.result) ? outcome.result["status"] : null;
  return typeof status === "string" ? status : outcome.kind;
}
