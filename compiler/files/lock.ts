import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { ifThere, systemCode } from "./system-code.js";

export interface Lock {
  /** False when another process has taken it over. */
  readonly isMine: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

export interface LockOptions {
  /** How long to wait for others; then the error of the system is thrown, with the code ELOCKED. */
  readonly patienceMs: number;
  /** A holder gives a sign of life more often than this. The lock of a dead process is taken over then. */
  readonly staleMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Takes a lock against all other processes. A folder with this path stands for it. */
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

/** Tells a lock from a later one with the same path. */
async function identityOf(path: string): Promise<string> {
  const stats = await ifThere(stat(path, { bigint: true }));
  return stats === null ? "gone" : `${stats.ino} ${stats.birthtimeNs}`;
}
