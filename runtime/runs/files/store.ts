import { constants } from "node:fs";
import { access, open, readdir, rename, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { quoted } from "../../../compiler/diagnostics/visible.js";
import { makeFolder } from "../../../compiler/files/make-folder.js";
import { PRIVATE, replaceFile } from "../../../compiler/files/replace-file.js";
import { asleepIn } from "../../graph/suspend/names-inside.js";
import { type Host, host as thisHost } from "../../host.js";
import { reasonOf } from "../../workflows/open-file.js";
import { currentOwner, isGone, LEASE_MS, type Owner } from "../owner.js";
import { parseRecord, type RunRecord } from "../record.js";
import type { Waiting } from "../result.js";
import {
  type Claim,
  type RunStore,
  type StoredRun,
  StoredRunError,
  type SuspendedRun,
} from "../suspended.js";
import { createRunIndex, type RunIndex } from "./index-of-runs.js";
import { draftName, draftOwner, fileName, isRunId, type RunFile, readFileName } from "./names.js";

/** V8's limit for strings. */
const MAX_SIZE = 512 * 1024 * 1024;
/** `readdir` may miss a file that is being renamed, so it is repeated. */
const LOOKS = 3;

/** Other processes also change the folder, so the count expires. */
const COUNTED_MS = 1_000;

export const createRunStore = (folder: string, host: Host = thisHost): RunStore =>
  new RunFolder(folder, host);

/**
 * A run has exactly one file, and every transition is one atomic rename. So a process can be killed at any time: the
 * file has the last stored state, and a dead owner's claim is void. Finding a run costs one `readdir`.
 */
class RunFolder implements RunStore {
  readonly #folder: string;
  readonly #host: Host;
  readonly #index: RunIndex;
  /** The count of the last look, corrected by changes of this process. */
  #runs = 0;
  #changes = 0;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string, host: Host) {
    this.#folder = folder;
    this.#host = host;
    this.#index = createRunIndex(folder, (file) => this.#record(file));
  }

  count(): number {
    const now = performance.now();
    if (now - this.#countedAt < COUNTED_MS) return this.#runs;
    this.#countedAt = now;
    const changes = this.#changes;
    const take = (names: readonly string[]): void => {
      // A change during the look makes its result unreliable: the next look counts.
      if (this.#changes === changes) this.#runs = names.filter((name) => readFileName(name) !== null).length;
    };
    this.#names().then(take, () => {});
    return this.#runs;
  }

  async add(record: RunRecord): Promise<void> {
    const { runId } = record;
    if (!isRunId(runId)) throw new Error(`${quoted(runId)} is no id of ours`);
    await writing(runId, () => this.#write(fileName(runId, null), record, currentOwner(this.#host)));
    this.#runs++;
    this.#changes++;
  }

  async list(): ReturnType<RunStore["list"]> {
    const runs: SuspendedRun[] = [];
    const unreadable: string[] = [];
    for (const name of await this.#swept()) {
      const file = readFileName(name);
      const run = file === null ? "gone" : await this.#read(file);
      if (run === "damaged") unreadable.push(name);
      else if (run !== "gone") runs.push(run.about);
    }
    return { runs: runs.sort((a, b) => (a.suspendedAt < b.suspendedAt ? -1 : 1)), unreadable };
  }

  async index(): ReturnType<RunStore["index"]> {
    return this.#index(await this.#swept());
  }

  async find(runId: string): Promise<StoredRun> {
    // Most runs wait, and their file name is known without `readdir`.
    const waiting = isRunId(runId) ? readFileName(fileName(runId, null)) : null;
    const found = waiting === null ? "gone" : await this.#read(waiting);
    if (typeof found !== "string") return found;
    for (let look = 0; isRunId(runId) && look < LOOKS; look++) {
      if (look > 0) await pause(10);
      for (const name of await this.#names()) {
        const file = readFileName(name);
        const run = file?.runId === runId ? await this.#read(file) : "gone";
        if (run === "damaged") throw this.#damaged(runId, name);
        if (run !== "gone") return run;
      }
    }
    throw new StoredRunError("run_not_found", runId, `no suspended run has the id ${quoted(runId)}`);
  }

  async #read(file: RunFile): Promise<StoredRun | "gone" | "damaged"> {
    const { runId, name, owner } = file;
    const record = await this.#record(file);
    if (typeof record === "string") return record;
    const { graph, sheet, suspendedAt, end, waiting } = record;
    const taken = owner !== null && !isGone(owner, await seenAt(this.#at(name)), this.#host);
    const free = end !== null ? "ended" : owner === null ? "waiting" : "interrupted";
    const status = taken ? "taken" : free;
    const open = end === null ? waiting : [];
    const about = { runId, graph, sheet, suspendedAt, status, waiting: withAssignees(open, record) } as const;
    const claim = async (): Promise<Claim> => {
      if (taken) throw heldElsewhere(runId);
      return this.#claim(file);
    };
    return { record, about, claim };
  }

  async #claim({ name, runId }: RunFile): Promise<Claim> {
    const owner = currentOwner(this.#host);
    const held = { name: fileName(runId, owner), runId, owner };
    try {
      // The heartbeat precedes the rename: other machines decide by the file's time.
      await touch(this.#at(name));
      await rename(this.#at(name), this.#at(held.name));
    } catch (error) {
      throw unwritable(runId, error);
    }
    // Another process may have resumed it, and suspended it again, since it was read.
    const now = await this.#record(held);
    if (typeof now === "string") throw this.#damaged(runId, held.name);
    return this.#heldBy(owner, now);
  }

  #heldBy(owner: Owner, record: RunRecord): Claim {
    const { runId } = record;
    const name = fileName(runId, owner);
    const held = this.#at(name);
    const beat = setInterval(() => touch(held).catch(() => {}), LEASE_MS / 4);
    beat.unref();
    const last = async (step: () => Promise<void>): Promise<void> => {
      clearInterval(beat);
      await writing(runId, step);
    };
    return {
      record,
      write: (next) => writing(runId, () => access(held).then(() => this.#write(name, next, owner))),
      release: () => last(() => rename(held, this.#at(fileName(runId, null)))),
      remove: async () => {
        await last(() => unlink(held));
        this.#runs--;
        this.#changes++;
      },
    };
  }

  #at(name: string): string {
    return join(this.#folder, name);
  }

  async #write(name: string, record: RunRecord, owner: Owner): Promise<void> {
    const text = JSON.stringify(record);
    makeFolder(this.#folder, 0o700);
    const draft = this.#at(draftName(record.runId, owner));
    await unlink(draft).catch(() => {});
    await replaceFile(this.#at(name), text, { draft, mode: PRIVATE });
  }

  async #names(): Promise<readonly string[]> {
    try {
      return (await readdir(this.#folder)).sort();
    } catch (error) {
      const { why, missing } = reasonOf(error);
      if (missing) return [];
      throw new StoredRunError("run_unreadable", "", `cannot read the runs folder ${this.#folder}: ${why}`);
    }
  }

  /** Deletes temporary files of dead processes. */
  async #swept(): Promise<readonly string[]> {
    const names = await this.#names();
    for (const name of names) {
      const owner = draftOwner(name);
      if (owner !== null && isGone(owner, await seenAt(this.#at(name)), this.#host))
        await unlink(this.#at(name)).catch(() => {});
    }
    return names;
  }

  #damaged(runId: string, name: string): StoredRunError {
    return new StoredRunError("run_unreadable", runId, `the suspended run in ${this.#at(name)} is damaged`);
  }

  /** Non-blocking: opening a pipe would block. Only regular files count. */
  async #record({ name, runId }: RunFile): Promise<RunRecord | "gone" | "damaged"> {
    try {
      const file = await open(this.#at(name), constants.O_RDONLY | constants.O_NONBLOCK);
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
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now);
}

async function writing(runId: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    throw unwritable(runId, error);
  }
}

function unwritable(runId: string, error: unknown): Error {
  // A custom agent may wait with data that JSON cannot hold.
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

/** A missing file was renamed just now, so its owner is alive. */
async function seenAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return Date.now();
  }
}

/** The checkpoint knows who is asked. */
function withAssignees(waiting: readonly Waiting[], { checkpoint }: RunRecord): readonly Waiting[] {
  const assigned = asleepIn(checkpoint).filter(({ spec }) => spec.assignees !== undefined);
  if (assigned.length === 0) return waiting;
  const byNode = new Map(assigned.map(({ node, spec }) => [node, spec.assignees]));
  return waiting.map((one) => ({ ...one, assignees: byNode.get(one.node) }));
}
