import type { Logger } from "../graph/contract/contract.js";
import { messageOf } from "../graph/contract/errors.js";
import type { EndStatus } from "./rows.js";
import type { DurableStore } from "./store.js";
import { isOfStore } from "./store-error.js";

const END_STATUSES: readonly EndStatus[] = ["completed", "failed", "cancelled"];

export interface RetentionOptions {
  readonly store: Pick<DurableStore, "prune" | "compact">;
  /** How long ended runs are kept. */
  readonly retentionMs: number;
  readonly log: Pick<Logger, "warn">;
  /** The pause between two looks. */
  readonly everyMs?: number;
}

const HOUR_MS = 3_600_000;
/** So many runs are forgotten in one transaction: whoever else writes waits meanwhile. */
const BATCH = 500;

/** Forgets ended runs of old, at once and then every hour. Gives what stops it; resolves after a look that is under way. */
export function startRetention({ everyMs = HOUR_MS, ...options }: RetentionOptions): () => Promise<void> {
  let isStopped = false;
  let looking: Promise<void> = Promise.resolve();
  const look = (): void => {
    looking = looking.then(() => forgetOld(options, () => isStopped));
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  look();
  return () => {
    isStopped = true;
    clearInterval(timer);
    return looking;
  };
}

async function forgetOld(
  { store, retentionMs, log }: RetentionOptions,
  isStopped: () => boolean,
): Promise<void> {
  const pruning = { endedBefore: Date.now() - retentionMs, statuses: END_STATUSES, limit: BATCH };
  try {
    let forgotten = 0;
    for (let last = BATCH; last === BATCH && !isStopped(); forgotten += last)
      last = await store.prune(pruning);
    if (forgotten > 0 && !isStopped()) await store.compact();
  } catch (error) {
    if (!isOfStore(error)) log.warn(`old runs stay until the next hour: ${messageOf(error)}`);
  }
}
