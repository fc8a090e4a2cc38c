import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf, failure, isMissing } from "./failure.js";
import { openRoom } from "./room.js";

/** Whoever holds a lock gives a sign of life more often than this; the lock of a dead process is taken over then. */
const STALE_MS = 5_000;
/** How long to wait for a file that others keep writing. */
const PATIENCE_MS = 60_000;
const FOLDER = ".locks";

export interface LockWish {
  /** The data folder, by its real path. */
  readonly root: string;
  /** The file's real path. */
  readonly key: string;
  readonly shown: string;
  readonly signal: AbortSignal | undefined;
}

export interface Held {
  /** Refuses when the lock was taken over: somebody else writes the file by now. */
  readonly check: () => Promise<void>;
}

/** The last write of each file in this process. */
const queues = new Map<string, Promise<unknown>>();

/** Does something while nobody else writes a file: no other run of this process, and no other process. */
export async function withLock<T>(wish: LockWish, work: (held: Held) => Promise<T>): Promise<T> {
  const { key } = wish;
  const before = queues.get(key) ?? Promise.resolve();
  const turn = before.then(() => locked(wish, work));
  const settled = turn.catch(() => {});
  queues.set(key, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}

async function locked<T>(wish: LockWish, work: (held: Held) => Promise<T>): Promise<T> {
  const { root, key, shown } = wish;
  wish.signal?.throwIfAborted();
  const room = await openRoom({ root, folders: [FOLDER], make: true, shown });
  try {
    // Names that differ in case may be one file.
    const name = createHash("sha256").update(key.normalize("NFC").toLowerCase()).digest("hex").slice(0, 32);
    const path = room.at(name);
    const { release, isLost } = await acquire(path, wish);
    try {
      const mine = await identityOf(path);
      const check = async (): Promise<void> => {
        if (isLost() || (await identityOf(path)) !== mine)
          throw failure(shown, "another process began to write it; nothing was written");
      };
      return await work({ check });
    } finally {
      await release().catch(() => {});
    }
  } finally {
    await room.close();
  }
}

async function identityOf(path: string): Promise<string> {
  try {
    const { ino, birthtimeNs } = await stat(path, { bigint: true });
    return `${ino} ${birthtimeNs}`;
  } catch (error) {
    if (isMissing(error)) return "gone";
    throw error;
  }
}

interface Acquired {
  readonly release: () => Promise<void>;
  readonly isLost: () => boolean;
}

async function acquire(path: string, { shown, signal }: LockWish): Promise<Acquired> {
  const { lock } = await import("proper-lockfile");
  const until = performance.now() + PATIENCE_MS;
  let lost = false;
  const onCompromised = (): void => {
    lost = true;
  };
  for (let wait = 5; ; wait = Math.min(wait * 1.5, 60)) {
    try {
      const options = { lockfilePath: path, realpath: false, stale: STALE_MS, onCompromised };
      return { release: await lock(path, options), isLost: () => lost };
    } catch (error) {
      if (codeOf(error) !== "ELOCKED") throw error;
      if (performance.now() > until) throw failure(shown, "other processes kept writing it for a minute");
    }
    await pause(wait * (0.5 + Math.random()), undefined, signal === undefined ? {} : { signal });
  }
}
