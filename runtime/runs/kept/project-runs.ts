import type { Project } from "../../config/folders.js";
import type { StoreError } from "../../durable/store-error.js";
import type { StoreTrouble } from "../../durable/trouble.js";
import type { KeptRuns, KeptRunsOptions } from "./kept-runs.js";
import { hasStore, isOnServer } from "./store-place.js";

/** The pause after a store could not be opened. */
const AGAIN_MS = 1_000;
/** What does not pass while a server waits for it. */
const LASTING: readonly string[] = ["store_damaged", "store_newer", "store_unusable"];

export interface ProjectRunsOptions {
  readonly project: Project;
  readonly trouble: StoreTrouble;
  readonly about: () => KeptRunsOptions;
}

/** The kept runs of a project, which are opened when they are first needed. */
export class ProjectRuns {
  readonly #options: ProjectRunsOptions;
  #opening: Promise<KeptRuns> | null = null;
  #works = false;
  #working: KeptRuns | null = null;
  #again: NodeJS.Timeout | undefined;

  constructor(options: ProjectRunsOptions) {
    this.#options = options;
  }

  /** They are there from then on. */
  open(): Promise<KeptRuns> {
    return this.#open().catch((error: unknown) => {
      this.#options.trouble.met(error);
      throw error;
    });
  }

  /** Null when the project has never kept a run. */
  async ifAny(): Promise<KeptRuns | null> {
    return this.#hasStore() ? this.open() : null;
  }

  /** What keeps runs from being kept or read at present. */
  trouble(): Promise<StoreError | null> {
    const { trouble, project } = this.#options;
    return trouble.look(async () => {
      await (await this.open()).executor.store.probe();
    }, isOnServer(project));
  }

  /** Works on due runs until it is closed. Without a store: as soon as there is one. */
  async work(): Promise<void> {
    this.#works = true;
    await this.check();
  }

  /** Rejects when only a person can make the store usable. A full disk passes. */
  async check(): Promise<void> {
    if (!this.#hasStore()) return;
    try {
      const kept = await this.#open();
      await kept.checkStore();
      // A server counts what waits as soon as it is made, which may have opened the store.
      if (this.#works) this.#workOn(kept);
    } catch (error) {
      if (LASTING.includes((error as { readonly code?: string }).code ?? "")) throw error;
      this.#options.trouble.met(error);
      this.#openLater();
    }
  }

  stopWork(): void {
    this.#works = false;
    clearTimeout(this.#again);
  }

  /** Lets go of the runs that are kept. */
  async close(graceMs?: number): Promise<void> {
    await (await this.#opening?.catch(() => null))?.close(graceMs);
  }

  /** After a failure, such as a full disk, it is tried again. */
  #open(): Promise<KeptRuns> {
    this.#opening ??= this.#load().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #load(): Promise<KeptRuns> {
    const { KeptRuns } = await import("./kept-runs.js");
    const kept = await KeptRuns.open(this.#options.about());
    if (this.#works) this.#workOn(kept);
    return kept;
  }

  #workOn(kept: KeptRuns): void {
    if (this.#working !== kept) kept.work();
    this.#working = kept;
  }

  #hasStore(): boolean {
    return this.#opening !== null || hasStore(this.#options.project);
  }

  /** Nobody may ask a server whose database is away, but its runs are due when the database is back. */
  #openLater(): void {
    if (!this.#works) return;
    this.#again = setTimeout(() => void this.open().catch(() => this.#openLater()), AGAIN_MS);
    this.#again.unref();
  }
}
