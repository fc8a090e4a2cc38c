import { FlowsheetError } from "../graph/contract/errors.js";

export type RunErrorCode =
  /** No suspended run has this id: it never had, or the run has ended. */
  | "run_not_found"
  /** Somebody else is resuming the run. */
  | "run_taken"
  /** The run's file is damaged. */
  | "run_unreadable"
  /** The runs folder cannot be written. */
  | "run_unwritable";

/** A suspended run that cannot be gone on with, or cannot be kept. */
export class StoredRunError extends FlowsheetError {
  declare readonly code: RunErrorCode;
  readonly runId: string;
  /** The cure in a sentence. */
  readonly help: string | null;
  constructor(code: RunErrorCode, runId: string, message: string, help: string | null = null) {
    super(code, message);
    this.runId = runId;
    this.help = help;
  }
}
