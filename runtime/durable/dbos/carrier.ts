import { AsyncResource } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "../../graph/contract/errors.js";
import { once } from "../../lazy.js";
import type { Lease, WorkerRow } from "../rows.js";
import { Engine, type Pool, within } from "./engine.js";

/** An engine that drives the legs which a worker has claimed, and keeps books of them. */
export interface Carrier {
  /** Calls `drive` once, whatever befalls the engine, and resolves when that has ended. */
  carry(leg: CarriedLeg, drive: () => Promise<LegEnded>): Promise<void>;
  stop(): Promise<void>;
}

export interface CarriedLeg {
  readonly lease: Lease;
  readonly graph: string;
}

/** What became of the run: its status, or why the leg is over. No value of it. */
export type LegEnded = string;

export interface CarrierWorld {
  /** Of the worker, as in its leases. */
  readonly owner: string;
  readonly contract: number;
  /** Those that live. */
  readonly workers: () => Promise<readonly WorkerRow[]>;
  /** Called with what keeps the engine from its work. The worker goes on without it. */
  readonly tell: (message: string) => void;
}

export type CarrierOf = (world: CarrierWorld) => Carrier;

export interface DbosOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly root: string;
  /** How long DBOS keeps the workflows of legs that have ended. */
  readonly keepMs?: number;
  readonly tidyMs?: number;
}

/** A leg that DBOS has not begun within this time begins without it. */
const PATIENCE_MS = 200;
/** What has ended may be written down for so long when the worker stops. */
const LAST_WORDS_MS = 2_000;
const LAUNCH_PAUSE_MS = 1_000;
const LONGEST_LAUNCH_PAUSE_MS = 30_000;
const KEEP_MS = 3_600_000;
const TIDY_MS = 60_000;

/** Legs as workflows of DBOS, in a schema of its own. */
export const dbosCarrier =
  (options: DbosOptions): CarrierOf =>
  (world) =>
    new DbosCarrier(options, world);

class DbosCarrier implements Carrier {
  readonly #options: DbosOptions;
  readonly #world: CarrierWorld;
  readonly #legs = new Map<string, () => Promise<LegEnded>>();
  readonly #stopped = new AbortController();
  readonly #launched: Promise<void>;
  #engine: Engine | null = null;
  #tidying: NodeJS.Timeout | undefined;

  constructor(options: DbosOptions, world: CarrierWorld) {
    this.#options = options;
    this.#world = world;
    this.#launched = this.#launch();
  }

  /** Until it has come to be, and after, the worker loses nothing without it. */
  async #launch(): Promise<void> {
    const { signal } = this.#stopped;
    const { pool, schema, root, tidyMs = TIDY_MS } = this.#options;
    const { owner, contract, tell } = this.#world;
    const about = { pool, schema, root, owner, contract, legOf: (id: string) => this.#legs.get(id) };
    for (let ms = LAUNCH_PAUSE_MS; !signal.aborted; ms = Math.min(2 * ms, LONGEST_LAUNCH_PAUSE_MS)) {
      try {
        this.#engine = await Engine.launch(about, signal);
        if (this.#engine === null) return;
        this.#tidying = setInterval(() => void this.#tidy(), tidyMs);
        this.#tidying.unref();
        return;
      } catch (error) {
        if (signal.aborted) return;
        tell(`DBOS keeps no books of this worker's runs, which go on: ${messageOf(error)}`);
        await pause(ms, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  async carry({ lease: { runId, epoch }, graph }: CarriedLeg, drive: () => Promise<LegEnded>): Promise<void> {
    const id = `${runId}.${epoch}`;
    // What the leg starts is no part of the workflow: DBOS would count it as one.
    const begin = once(AsyncResource.bind(drive));
    if (this.#engine !== null) {
      this.#legs.set(id, begin);
      await this.#begun(this.#engine.start(id, { runId, graph }));
    }
    await begin();
    this.#legs.delete(id);
  }

  /** Resolves when DBOS has begun the leg, will not, or takes too long. */
  #begun(starting: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, PATIENCE_MS);
      const settle = (): void => {
        clearTimeout(late);
        resolve();
      };
      starting.then(settle, settle);
    });
  }

  async #tidy(): Promise<void> {
    try {
      const living = new Set((await this.#world.workers()).map(({ owner }) => owner));
      const { keepMs = KEEP_MS } = this.#options;
      await this.#engine?.tidy((owner) => living.has(owner), Date.now() - keepMs);
    } catch {
      // Another worker does the same at the same time, or the database is away: it is done the next time.
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    clearInterval(this.#tidying);
    await within(LAST_WORDS_MS, this.#launched);
    await this.#engine?.shutDown(LAST_WORDS_MS);
    this.#engine = null;
  }
}
