import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "../graph/contract/contract.js";
import { isOfStore, StoreError } from "./store-error.js";

/** A disk that is nearly full comes and goes: it is told so often at most. */
const QUIET_MS = 60_000;
/** While there is trouble, the store is tried so often at most. */
const FRESH_MS = 1_000;
/** A server that was cut off says nothing for a minute. Those who ask whether all is well do not wait so long. */
const PATIENCE_MS = 2_000;

/** What keeps a store from being used. It is told once, and not with each run that meets it. */
export class StoreTrouble {
  readonly #log: Pick<Logger, "warn">;
  #error: StoreError | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;
  #isTold = false;
  #triedAt = Number.NEGATIVE_INFINITY;
  #probe: Promise<void> | null = null;

  constructor(log: Pick<Logger, "warn">) {
    this.#log = log;
  }

  /** Null when the last calls have shown none. */
  get error(): StoreError | null {
    return this.#error;
  }

  /** A call of the store was refused. */
  met(error: unknown): void {
    if (!isOfStore(error) || this.#error?.code === error.code) return;
    this.#error = error;
    this.#isTold = performance.now() - this.#toldAt >= QUIET_MS;
    if (!this.#isTold) return;
    this.#toldAt = performance.now();
    this.#log.warn([error.message, error.help].filter((text) => text !== null).join(": "));
  }

  /** Something was written. What is damaged stays so. */
  over(): void {
    if (this.#error === null || this.#error.code === "store_damaged") return;
    this.#error = null;
    if (this.#isTold) this.#log.warn("the run store can be written again: runs go on");
  }

  /**
   * The trouble as it is now: what has passed is noticed also when nobody else writes. A server goes away by itself, so
   * it is tried also while there is none.
   */
  async look(probe: () => Promise<unknown>, isOnServer = false): Promise<StoreError | null> {
    const isDue = performance.now() - this.#triedAt >= FRESH_MS;
    if ((isOnServer || this.#error !== null) && isDue && this.#probe === null) this.#try(probe);
    if (this.#probe === null || (await isOverWithin(PATIENCE_MS, this.#probe))) return this.#error;
    return this.#error ?? new StoreError("store_unwritable", "the run store does not answer");
  }

  #try(probe: () => Promise<unknown>): void {
    this.#triedAt = performance.now();
    const met = (error: unknown): void => this.met(error);
    this.#probe = probe()
      .then(() => {}, met)
      .finally(() => {
        this.#probe = null;
      });
  }
}

async function isOverWithin(ms: number, work: Promise<void>): Promise<boolean> {
  const end = new AbortController();
  const { signal } = end;
  const isOver = await Promise.race([work.then(() => true), pause(ms, false, { signal }).catch(() => false)]);
  end.abort();
  return isOver;
}
