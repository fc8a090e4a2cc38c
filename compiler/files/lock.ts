import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { ifThere, systemCode } from "./system-code.js";

export interface Lock {
  /** False when another process has taken it over. */
  readonly isMine: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

export interface LockOptions {
  /** The time to wait for others; then an error with the code ELOCKED is thrown. */
  readonly patienceMs: number;
  /** The holder renews its lock more often than this. An older lock belongs to a dead process, and is taken over. */
  readonly staleMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The lock is a folder with this path: only one process can create it. */
export async function acquireLock(path: string, options: LockOptions): Promise<Lock> {
  let isLost = false;
  const letGo = await waitForLock(path, options, () => {
    isLost = true;
  });
  const release = (): Promise<void> => letGo().catch(() => {});
  const mine = await identityOf(path).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  return { isMine: async () => !isLost && (await identityOf(path)) === mine, release };
}

async function waitForLock(
  path: string,
  { patienceMs, staleMs = 5_000, signal }: LockOptions,
  onCompromised: () => void,
): Promise<() => Promise<void>> {
  const { lock } = await import("proper-lockfile");
  const until = performance.now() + patienceMs;
  for (let wait = 5; ; wait = Math.min(wait * 1.5, 60)) {
    try {
      return await lock(path, { lockfilePath: path, realpath: false, stale: staleMs, onCompromised });
    } catch (error) {
      if (systemCode(error) !== "ELOCKED" || performance.now() > until) throw error;
    }
    await pause(wait * (0.5 + Math.random()), undefined, signal === undefined ? {} : { signal });
  }
}

/** Distinguishes a lock from a later one with the same path. */
async function identityOf(path: string): Promise<string> {
  const stats = await ifThere(stat(path, { bigint: true }));
  return stats === null ? "gone" : `${stats.ino} ${stats.birthtimeNs}`;
}
