import type { IndexedRun, RunStore, SuspendedRun } from "../suspended.js";
import type { ProjectRuns } from "./project-runs.js";

/** Runs that wait are counted so often at most. */
const COUNTED_MS = 100;

/** The runs that wait: those of the store, and those in files from before there was a store. */
export class WaitingRuns {
  readonly #kept: ProjectRuns;
  readonly #files: RunStore;
  #count = 0;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(kept: ProjectRuns, files: RunStore) {
    this.#kept = kept;
    this.#files = files;
  }

  /** Those that wait longest first. */
  async list(): Promise<readonly SuspendedRun[]> {
    const kept = (await (await this.#kept.ifAny())?.waiting()) ?? [];
    return [...kept, ...(await this.#files.list()).runs].sort((a, b) =>
      a.suspendedAt < b.suspendedAt ? -1 : 1,
    );
  }

  filed(): Promise<readonly IndexedRun[]> {
    return this.#files.index();
  }

  async findFiled(runId: string): Promise<SuspendedRun> {
    return (await this.#files.find(runId)).about;
  }

  /** This process has kept one more. */
  added(): void {
    this.#count += 1;
  }

  /** A cached number with what this process has added: nobody waits for the disk. */
  lastCount(): number {
    const now = performance.now();
    if (now - this.#countedAt >= COUNTED_MS) {
      this.#countedAt = now;
      this.count().catch(() => {});
    }
    return this.#count + this.#files.count();
  }

  /** What cannot be read counts as none: whoever needs it is told. */
  async count(): Promise<number> {
    const kept = await this.#kept.ifAny();
    this.#count = (await kept?.count()) ?? 0;
    return this.#count + this.#files.count();
  }
}
