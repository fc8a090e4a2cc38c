import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "../../graph/contract/errors.js";
import type { CarriedLeg, Carrier, CarrierOf, CarrierWorld, LegEnded } from "../legs/carrier.js";
import { Engine, type Pool, within } from "./engine.js";

export interface DbosOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly root: string;
  /** How long DBOS keeps the workflows of legs that have ended. */
  readonly keepMs?: number;
  readonly tidyMs?: number;
}

/** What has ended may be written down for so long when the worker stops. */
const LAST_WORDS_MS = 2_000;
/** While so many are on their way, the database has more to do than keep books. */
const MOST = 50;
const LAUNCH_PAUSE_MS = 1_000;
const LONGEST_LAUNCH_PAUSE_MS = 30_000;
const KEEP_MS = 3_600_000;
const TIDY_MS = 60_000;

/** Legs as workflows of DBOS, in a schema of its own. */
export const dbosCarrier =
  (options: DbosOptions): CarrierOf =>
  (world) =>
    new DbosCarrier(options, world);

interface Booked {
  readonly runId: string;
  readonly graph: string;
  readonly ended: Promise<LegEnded>;
}

class DbosCarrier implements Carrier {
  readonly #options: DbosOptions;
  readonly #world: CarrierWorld;
  readonly #legs = new Map<string, Promise<LegEnded>>();
  readonly #booking = new Set<Promise<void>>();
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
    let isTold = false;
    for (let ms = LAUNCH_PAUSE_MS; !signal.aborted; ms = Math.min(2 * ms, LONGEST_LAUNCH_PAUSE_MS)) {
      try {
        const engine = await Engine.launch(about, signal);
        if (engine === null) return;
        if (signal.aborted) return await engine.shutDown(0);
        this.#engine = engine;
        this.#tidying = setInterval(() => void this.#tidy(), tidyMs);
        this.#tidying.unref();
        if (isTold) tell("DBOS keeps books of this worker's runs again");
        return;
      } catch (error) {
        if (signal.aborted) return;
        // Each try may fail in other words.
        if (!isTold) tell(`DBOS keeps no books of this worker's runs, which go on: ${messageOf(error)}`);
        isTold = true;
        await pause(ms, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  async carry({ lease: { runId, epoch }, graph }: CarriedLeg, drive: () => Promise<LegEnded>): Promise<void> {
    const ended = drive();
    if (this.#engine !== null && this.#booking.size < MOST)
      this.#book(this.#engine, `${runId}.${epoch}`, { runId, graph, ended });
    await ended;
  }

  /** The leg waits for nothing of it. */
  #book(engine: Engine, id: string, { runId, graph, ended }: Booked): void {
    // What is thrown may hold a value.
    const word = ended.catch(() => "broken");
    this.#legs.set(id, word);
    const booking = engine
      .start(id, { runId, graph })
      .catch(() => {})
      .finally(() => {
        this.#legs.delete(id);
        this.#booking.delete(booking);
      });
    this.#booking.add(booking);
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
    await within(LAST_WORDS_MS, Promise.all([this.#launched, ...this.#booking]));
    await this.#engine?.shutDown(LAST_WORDS_MS);
    this.#engine = null;
  }
}
