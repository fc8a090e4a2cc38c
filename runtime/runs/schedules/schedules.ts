import type { RunStatus } from "../../durable/rows.js";
import type { DurableStore } from "../../durable/store.js";
import { isOfStore, StoreError } from "../../durable/store-error.js";
import type { Logger } from "../../graph/contract/contract.js";
import { messageOf } from "../../graph/contract/errors.js";
import { fireDue, keyOf, lastTime } from "./due-times.js";
import { type PlannedRun, PlannedRuns, type PlannedRunsWorld } from "./planned-runs.js";

export interface SchedulesWorld extends Omit<PlannedRunsWorld, "warn"> {
  readonly log: Pick<Logger, "warn">;
  readonly store: () => Promise<DurableStore>;
  readonly start: (planned: PlannedRun, key: string) => Promise<void>;
}

const OPEN: readonly RunStatus[] = ["queued", "running", "waiting"];
const LOOK_MS = 1_000;
const MINUTE_MS = 60_000;
/** Sheets are read again after this time. */
const READ_MS = 60_000;
/** The pause after a run that could not be begun. */
const PAUSE_MS = 10_000;

/** Begins the scheduled runs of a project. */
export class Schedules {
  readonly #world: SchedulesWorld;
  readonly #runs: PlannedRuns;
  readonly #paused = new Map<string, number>();
  readonly #told = new Set<string>();
  readonly #since = Date.now();
  #planned: readonly PlannedRun[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;

  constructor(world: SchedulesWorld) {
    this.#world = world;
    this.#runs = new PlannedRuns({ ...world, warn: (message) => this.#warn(message) });
  }

  /** Rejects when the configuration schedules a graph that is not there, or that several sheets have. */
  async begin(): Promise<void> {
    await this.#read();
    this.#look();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /**
   * Begins what schedules say for a minute. A time that may not overlap is left out. Their own times stay, and begin
   * nothing a second time.
   */
  async fireAt(now: number): Promise<void> {
    for (const planned of await this.#runs.read()) {
      const time = lastTime(planned, now - MINUTE_MS, now);
      if (time === null || (planned.overlap !== "allow" && (await this.#isOpen(planned)))) continue;
      await this.#start(planned, keyOf(planned.name, time));
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  #look(): void {
    this.#looking ??= this.#fire()
      .catch((error: unknown) => this.#tell(error))
      .finally(() => {
        this.#looking = null;
      });
  }

  async #fire(): Promise<void> {
    await this.#readAgain();
    const now = performance.now();
    const due = this.#planned.filter(({ name }) => (this.#paused.get(name) ?? 0) <= now);
    if (due.length === 0) return;
    await fireDue(due, {
      store: await this.#world.store(),
      now: Date.now(),
      since: this.#since,
      start: (planned, key) => this.#start(planned, key),
      isOpen: (planned) => this.#isOpen(planned),
      failed: ({ name }, error) => {
        this.#paused.set(name, performance.now() + PAUSE_MS);
        this.#tell(error, `the schedule ${JSON.stringify(name)} could not begin its run: `);
      },
    });
  }

  async #start(planned: PlannedRun, key: string): Promise<void> {
    try {
      await this.#world.start(planned, key);
    } catch (error) {
      // Another worker has begun it, with the input of another configuration.
      if (!(error instanceof StoreError) || error.code !== "key_reused") throw error;
    }
  }

  async #isOpen({ name, graph }: PlannedRun): Promise<boolean> {
    const store = await this.#world.store();
    const trigger = `schedule:${name}`;
    const { runs } = await store.list({ status: OPEN, graphs: [graph], trigger, limit: 1 });
    return runs.length > 0;
  }

  #tell(error: unknown, what = ""): void {
    if (!isOfStore(error)) this.#warn(`${what}${messageOf(error)}`);
  }

  #warn(message: string): void {
    if (!this.#told.has(message)) this.#world.log.warn(message);
    this.#told.add(message);
  }

  /** What was planned before stays when the files cannot be used. */
  async #readAgain(): Promise<void> {
    if (performance.now() - this.#readAt < READ_MS) return;
    this.#readAt = performance.now();
    try {
      await this.#read();
    } catch (error) {
      this.#tell(error);
    }
  }

  async #read(): Promise<void> {
    this.#planned = await this.#runs.read();
    this.#readAt = performance.now();
  }
}
