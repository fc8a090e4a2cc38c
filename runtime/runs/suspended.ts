import type { RunRecord } from "./record.js";
import type { Waiting } from "./result.js";

/** A suspended run, and what it waits for. */
export interface SuspendedRun {
  readonly runId: string;
  readonly graph: string;
  /** From the project's folder; null when the sheet came from standard input. */
  readonly sheet: string | null;
  readonly suspendedAt: string;
  /**
   * `taken`: a process is resuming it. `interrupted`: that process is gone, anybody may resume it again. `ended`: it
   * has ended, and the next resume tells how.
   */
  readonly status: "waiting" | "taken" | "interrupted" | "ended";
  readonly waiting: readonly Waiting[];
}

/** A suspended run as `runs --json` and the server tell it. */
export function describeSuspended(run: SuspendedRun): object {
  return {
    run_id: run.runId,
    graph_name: run.graph,
    sheet: run.sheet,
    suspended_at: run.suspendedAt,
    status: run.status,
    waiting: run.waiting.map(({ node, field, prompt, options }) => ({ node, field, prompt, options })),
  };
}

/** Where a run stands among those that wait. */
export type IndexedRun = Pick<SuspendedRun, "runId" | "sheet" | "suspendedAt">;

/** The suspended runs of a project: the one door to where they are kept. */
export interface RunStore {
  /** How many there are, as far as is known: nobody waits for a look at the folder. */
  readonly count: () => number;
  readonly add: (record: RunRecord) => Promise<void>;
  /** All runs, those that wait longest first, and the names of files that cannot be read. */
  readonly list: () => Promise<{
    readonly runs: readonly SuspendedRun[];
    readonly unreadable: readonly string[];
  }>;
  /** In which order all runs wait: what tells of few of them need not read the others. */
  readonly index: () => Promise<readonly IndexedRun[]>;
  readonly find: (runId: string) => Promise<StoredRun>;
}

/** A run in the store. */
export interface StoredRun {
  readonly record: RunRecord;
  readonly about: SuspendedRun;
  /** Holds the run for this process; of several that try, one gets it. */
  readonly claim: () => Promise<Claim>;
}

/** A run that this process holds: nobody else resumes it until it is released. */
export interface Claim {
  readonly record: RunRecord;
  /** Keeps another record of the run instead. */
  readonly write: (record: RunRecord) => Promise<void>;
  /** Lets others have the run. */
  readonly release: () => Promise<void>;
  /** Ends the run's life in the store. */
  readonly remove: () => Promise<void>;
}
