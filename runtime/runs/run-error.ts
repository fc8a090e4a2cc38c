import { FlowsheetError } from "../graph/contract/errors.js";

export type RunErrorCode =
  /** No suspended run has this id: it never had, or the run has ended. */
  | "run_not_found"
  /** Somebody else is resuming the run. */
  | "run_taken"
  | "run_unreadable"
  | "run_unwritable";

/** A suspended run that cannot be gone on with, or cannot be kept. */
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
