import { FlowsheetError } from "../graph/contract/errors.js";
import type { RunRecord } from "./record.js";
import type { Waiting } from "./result.js";

export interface SuspendedRun {
  readonly runId: string;
  readonly graph: string;
  /** Relative to the project's folder; null for standard input. */
  readonly sheet: string | null;
  readonly suspendedAt: string;
  /**
   * `taken`: a process is resuming it. `interrupted`: that process died, so it can be resumed again. `ended`: the next
   * resume delivers its result.
   */
  readonly status: "waiting" | "taken" | "interrupted" | "ended";
  readonly waiting: readonly Waiting[];
}

export type IndexedRun = Pick<SuspendedRun, "runId" | "sheet" | "suspendedAt">;

/** The only interface to stored runs. */
export interface RunStore {
  /** A cached count: nobody waits for the disk. */
  readonly count: () => number;
  readonly add: (record: RunRecord) => Promise<void>;
  /** Sorted by waiting time, longest first. `unreadable` are names of files. */
  readonly list: () => Promise<{
    readonly runs: readonly SuspendedRun[];
    readonly unreadable: readonly string[];
  }>;
  /** Enough to sort and filter, without reading every run. */
  readonly index: () => Promise<readonly IndexedRun[]>;
  readonly find: (runId: string) => Promise<StoredRun>;
}

export interface StoredRun {
  readonly record: RunRecord;
  readonly about: SuspendedRun;
  /** Of several processes that try, one succeeds. */
  readonly claim: () => Promise<Claim>;
}

/** Nobody else can resume the run until it is released. */
export interface Claim {
  readonly record: RunRecord;
  readonly write: (record: RunRecord) => Promise<void>;
  readonly release: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

export type RunErrorCode =
  /** The id is unknown, or the run has ended. */
  "run_not_found" | "run_taken" | "run_unreadable" | "run_unwritable";

export class StoredRunError extends FlowsheetError {
  declare readonly code: RunErrorCode;
  readonly runId: string;
  readonly help: string | null;
  constructor(code: RunErrorCode, runId: string, message: string, help: string | null = null) {
    super(code, message);
    this.runId = runId;
    this.help = help;
  }
}
