import { createHash } from "node:crypto";
import { acquireLock, type Lock } from "../../compiler/files/lock.js";
import { systemCode } from "../../compiler/files/system-code.js";
import { failure } from "./failure.js";
import type { Spot } from "./jail.js";
import { openRoom } from "./room.js";

/** How long to wait for a file that others keep writing. */
const PATIENCE_MS = 60_000;
const FOLDER = ".locks";

type Signal = AbortSignal | undefined;

/** The last write of each file in this process. */
const queues = new Map<string, Promise<unknown>>();

/** Does something while nobody else writes a file: no other run of this process, and no other process. */
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
    // Names that differ in case may be one file.
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
