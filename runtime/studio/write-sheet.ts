import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { acquireLock } from "../../compiler/files/lock.js";
import { makeFolder } from "../../compiler/files/make-folder.js";
import { replaceFile, sweepDrafts } from "../../compiler/files/replace-file.js";
import { ifThere, systemCode } from "../../compiler/files/system-code.js";
import { versionOf } from "../../compiler/files/version.js";
import { etagOf } from "../http/request/etag.js";
import { HttpProblem } from "../http/request/problem.js";
import { bytesOf } from "./read-only.js";

export interface SheetChange {
  readonly path: string;
  /** The new bytes; null leaves the file as it is. `before` is null for a file that is not there. */
  readonly change: (before: Buffer | null) => Buffer | null;
  /** Told just before the file is replaced. */
  readonly writes: (etag: string) => void;
}

const PATIENCE_MS = 10_000;
/** So often a sheet is read again that others write at the same time. */
const MOST_ROUNDS = 5;

/** The last write of each sheet that is on its way. */
const turns = new Map<string, Promise<unknown>>();

/** Changes a sheet under its lock, as a whole or not at all. Gives the tag of what it holds then. */
export async function writeSheet(change: SheetChange): Promise<string> {
  const { path } = change;
  const before = turns.get(path) ?? Promise.resolve();
  const turn = before.then(() => writeLocked(change));
  const settled = turn.catch(() => {});
  turns.set(path, settled);
  try {
    return await turn;
  } finally {
    if (turns.get(path) === settled) turns.delete(path);
  }
}

async function writeLocked(change: SheetChange): Promise<string> {
  const { path } = change;
  try {
    makeFolder(dirname(path));
    const lock = await acquireLock(join(dirname(path), `.${basename(path)}.lock`), {
      patienceMs: PATIENCE_MS,
    });
    try {
      await sweepDrafts(path);
      for (let round = 1; ; round++) {
        const etag = await tryToWrite(change);
        if (etag !== null) return etag;
        if (round === MOST_ROUNDS) throw busy();
      }
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw problemOf(error);
  }
}

/** Somebody wrote the file who knows nothing of the lock: what they wrote is read, and changed, too. */
class Overtaken extends Error {}

/** Null when the file was written by others in the meantime. */
async function tryToWrite({ path, change, writes }: SheetChange): Promise<string | null> {
  const rights = await ifThere(stat(path));
  const before = rights === null ? null : bytesOf(path);
  const after = change(before);
  if (after === null || (before !== null && after.equals(before))) return etagOf(before ?? "");
  const etag = etagOf(after);
  const ready = async (): Promise<void> => {
    const now = await ifThere(stat(path));
    if (versionIn(now) !== versionIn(rights)) throw new Overtaken();
    writes(etag);
  };
  try {
    await replaceFile(path, after, { rights, ready });
    return etag;
  } catch (error) {
    if (error instanceof Overtaken) return null;
    throw error;
  }
}

const versionIn = (stats: Parameters<typeof versionOf>[0] | null): string =>
  stats === null ? "gone" : versionOf(stats);

const busy = (): HttpProblem => new HttpProblem("sheet_busy", { headers: { "Retry-After": "2" } });

/** Programs that hold a file on Windows, and those that hold the lock. */
const BUSY = new Set(["EBUSY", "EPERM", "ELOCKED", "ETXTBSY"]);

function problemOf(error: unknown): unknown {
  const code = systemCode(error);
  if (error instanceof HttpProblem || code === null) return error;
  if (BUSY.has(code)) return busy();
  return new HttpProblem("sheet_unwritable", { detail: REASONS.get(code) });
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "there is no space left on the disk"],
  ["EDQUOT", "there is no space left for this user"],
  ["EROFS", "the disk can only be read"],
  ["EACCES", "the server may not write there"],
]);
