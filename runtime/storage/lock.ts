import { createHash } from "node:crypto";
import { acquireLock, type Lock } from "../../compiler/files/lock.js";
import { systemCode } from "../../compiler/files/system-code.js";
import { failure } from "./failure.js";
import type { Spot } from "./jail.js";
import { openRoom } from "./room.js";

const PATIENCE_MS = 60_000;
const FOLDER = ".locks";

type Signal = AbortSignal | undefined;

/** One promise chain for each file: the mutex inside this process. */
const queues = new Map<string, Promise<unknown>>();

/** A mutex for a file, across the runs of this process and other processes. */
export async function withLock<T>(spot: Spot, signal: Signal, work: (lock: Lock) => Promise<T>): Promise<T> {
  const { key } = spot;
  const before = queues.get(key) ?? Promise.resolve();
  const turn = before.then(() => locked(spot, signal, work));
  const settled = turn.catch(() => {});
  queues.set(key, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}

async function locked<T>(
  { root, key, shown }: Spot,
  signal: Signal,
  work: (lock: Lock) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const room = await openRoom({ root, folders: [FOLDER], make: true, shown });
  try {
    // On some file systems names that differ only in case are one file.
    const name = createHash("sha256").update(key.normalize("NFC").toLowerCase()).digest("hex").slice(0, 32);
    const lock = await acquireLock(room.at(name), { patienceMs: PATIENCE_MS, signal }).catch((error) => {
      throw systemCode(error) === "ELOCKED"
        ? failure(shown, "other processes kept writing it for a minute")
        : error;
    });
    return await work(lock).finally(lock.release);
  } finally {
    await room.close();
  }
}
