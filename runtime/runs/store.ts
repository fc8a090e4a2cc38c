import { constants } from "node:fs";
import { access, open, readdir, rename, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type Host, host as thisHost } from "../host.js";
import { reasonOf } from "../workflows/open-sheet.js";
import { currentOwner, isGone, LEASE_MS, type Owner } from "./owner.js";
import { parseRecord, type RunRecord } from "./record.js";
import { StoredRunError } from "./run-error.js";
import { draftOwner, fileName, isRunId, type RunFile, readFileName, writeWhole } from "./run-files.js";
import { createRunIndex } from "./run-index.js";
import type { Claim, RunStore, StoredRun, SuspendedRun } from "./suspended.js";

/** The longest file that can be a text. */
const MAX_SIZE = 512 * 1024 * 1024;
/** A file that is just changing its name may be missed by a look at the folder. */
const LOOKS = 3;

interface Shelf {
  readonly folder: string;
  readonly host: Host;
  readonly counted: Counted;
}

/** How many runs the folder held when it was looked at, with what this process has done since. */
interface Counted {
  runs: number;
  /** How often this process has added or ended one. */
  changes: number;
  at: number;
}

/** Other processes add and end runs, too: after so long the folder is looked at again. */
const COUNTED_MS = 1_000;

/**
 * The runs that are kept in a folder. A run has one file at any time, and every step of its life is one renaming. So
 * a process may be killed at any moment: the file holds the last state that was stored, and the claim of a process
 * that is gone is no claim. Finding a run costs one look at the folder's list of names.
 */
export function createRunStore(folder: string, host: Host = thisHost): RunStore {
  const shelf: Shelf = { folder, host, counted: { runs: 0, changes: 0, at: Number.NEGATIVE_INFINITY } };
  const index = createRunIndex(folder, ({ name, runId }) => readRecord(join(folder, name), runId));
  return {
    add: (record) => add(shelf, record),
    count: () => count(shelf),
    list: () => list(shelf),
    index: async () => {
      const names = await namesIn(folder);
      await sweep(shelf, names);
      return index(names);
    },
    find: (runId) => find(shelf, runId),
  };
}

function count({ folder, counted }: Shelf): number {
  const now = performance.now();
  if (now - counted.at < COUNTED_MS) return counted.runs;
  counted.at = now;
  const { changes } = counted;
  const take = (names: readonly string[]): void => {
    // What this process has done meanwhile may or may not be among the names: the next look tells.
    if (counted.changes === changes)
      counted.runs = names.filter((name) => readFileName(name) !== null).length;
  };
  namesIn(folder).then(take, () => {});
  return counted.runs;
}

async function add({ folder, host, counted }: Shelf, record: RunRecord): Promise<void> {
  const { runId } = record;
  if (!isRunId(runId)) throw new Error(`${JSON.stringify(runId)} is no id of ours`);
  const owner = currentOwner(host);
  await writing(runId, () =>
    writeWhole({ folder, runId, owner, name: fileName(runId, null) }, JSON.stringify(record)),
  );
  counted.runs++;
  counted.changes++;
}

async function list(shelf: Shelf): Promise<Awaited<ReturnType<RunStore["list"]>>> {
  const names = await namesIn(shelf.folder);
  await sweep(shelf, names);
  const runs: SuspendedRun[] = [];
  const unreadable: string[] = [];
  for (const name of names) {
    const file = readFileName(name);
    if (file === null) continue;
    const run = await read(shelf, file);
    if (run === "damaged") unreadable.push(name);
    else if (run !== "gone") runs.push(run.about);
  }
  return { runs: runs.sort((a, b) => (a.suspendedAt < b.suspendedAt ? -1 : 1)), unreadable };
}

async function find(shelf: Shelf, runId: string): Promise<StoredRun> {
  // Most runs wait: their files are found without a look at the names of all others.
  const waiting = isRunId(runId) ? readFileName(fileName(runId, null)) : null;
  const found = waiting === null ? "gone" : await read(shelf, waiting);
  if (typeof found !== "string") return found;
  for (let look = 0; isRunId(runId) && look < LOOKS; look++) {
    if (look > 0) await new Promise((resume) => setTimeout(resume, 10));
    const names = (await namesIn(shelf.folder)).filter((name) => name.startsWith(`${runId}.`));
    for (const name of names) {
      const file = readFileName(name);
      const run = file === null ? "gone" : await read(shelf, file);
      if (run === "damaged") throw damaged(shelf, runId, name);
      if (run !== "gone") return run;
    }
  }
  throw new StoredRunError("run_not_found", runId, `no suspended run has the id ${JSON.stringify(runId)}`);
}

async function claim(shelf: Shelf, { name, runId }: RunFile): Promise<Claim> {
  const { folder, host } = shelf;
  const owner = currentOwner(host);
  const held = join(folder, fileName(runId, owner));
  try {
    // A sign of life first: whoever cannot look up this process goes by the file's time.
    await touch(join(folder, name));
    await rename(join(folder, name), held);
  } catch (error) {
    if (reasonOf(error).missing) throw heldElsewhere(runId);
    throw unwritable(runId, error);
  }
  // It may have been gone on with, and been suspended again, since it was looked at.
  const now = await readRecord(held, runId);
  if (typeof now === "string") throw damaged(shelf, runId, held);
  return createClaim(shelf, now, owner);
}

function createClaim({ folder, counted }: Shelf, record: RunRecord, owner: Owner): Claim {
  const { runId } = record;
  const name = fileName(runId, owner);
  const held = join(folder, name);
  const beat = setInterval(() => touch(held).catch(() => {}), LEASE_MS / 4);
  beat.unref();
  const last = async (step: () => Promise<void>): Promise<void> => {
    clearInterval(beat);
    await writing(runId, step);
  };
  return {
    record,
    write: (next) =>
      writing(runId, async () => {
        await access(held);
        await writeWhole({ folder, runId, owner, name }, JSON.stringify(next));
      }),
    release: () => last(() => rename(held, join(folder, fileName(runId, null)))),
    remove: () =>
      last(async () => {
        await unlink(held);
        counted.runs--;
        counted.changes++;
      }),
  };
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now);
}

/** Does what writes, and says in words why it cannot be done. */
async function writing(runId: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    throw unwritable(runId, error);
  }
}

function unwritable(runId: string, error: unknown): Error {
  // A wait of a custom agent may hold what is no data.
  const { why, missing } =
    error instanceof TypeError ? { why: error.message, missing: false } : reasonOf(error);
  if (missing) return heldElsewhere(runId);
  return new StoredRunError("run_unwritable", runId, `the suspended run ${runId} cannot be kept: ${why}`);
}

const heldElsewhere = (runId: string): StoredRunError =>
  new StoredRunError(
    "run_taken",
    runId,
    `the run ${runId} is taken: another process is resuming it`,
    "flowsheet runs lists what waits",
  );

function damaged({ folder }: Shelf, runId: string, name: string): StoredRunError {
  return new StoredRunError("run_unreadable", runId, `the suspended run in ${join(folder, name)} is damaged`);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const { why, missing } = reasonOf(error);
    if (missing) return [];
    throw new StoredRunError("run_unreadable", "", `cannot read the runs folder ${folder}: ${why}`);
  }
}

async function read(shelf: Shelf, file: RunFile): Promise<StoredRun | "gone" | "damaged"> {
  const { folder, host } = shelf;
  const { runId, name, owner } = file;
  const record = await readRecord(join(folder, name), runId);
  if (typeof record === "string") return record;
  const taken = owner !== null && !isGone(owner, await seenAt(join(folder, name)), host);
  const claimed = async (): Promise<Claim> => {
    if (taken) throw heldElsewhere(runId);
    return claim(shelf, file);
  };
  const { graph, sheet, suspendedAt, end, waiting } = record;
  const free = end !== null ? "ended" : owner === null ? "waiting" : "interrupted";
  const status = taken ? "taken" : free;
  const about = { runId, graph, sheet, suspendedAt, status, waiting: end === null ? waiting : [] } as const;
  return { record, about, claim: claimed };
}

/** When a file last changed; a file that has another name by now is being worked on. */
async function seenAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return Date.now();
  }
}

/** The file is read without making others wait: a pipe, or a folder, is none of ours. */
async function readRecord(path: string, runId: string): Promise<RunRecord | "gone" | "damaged"> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > MAX_SIZE) return "damaged";
      return parseRecord(await file.readFile("utf8"), runId) ?? "damaged";
    } finally {
      await file.close();
    }
  } catch (error) {
    return reasonOf(error).missing ? "gone" : "damaged";
  }
}

/** Drafts that a killed process left behind. */
async function sweep({ folder, host }: Shelf, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const owner = draftOwner(name);
    if (owner === null) continue;
    const path = join(folder, name);
    if (isGone(owner, await seenAt(path), host)) await unlink(path).catch(() => {});
  }
}
