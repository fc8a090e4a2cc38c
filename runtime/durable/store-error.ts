import { FlowsheetError } from "../graph/contract/errors.js";

export type StoreErrorCode =
  /** The disk is full, or the file cannot be written. */
  | "store_unwritable"
  /** The file is no database, or a part of it is broken. */
  | "store_damaged"
  /** A later version of the product has changed the tables. */
  | "store_newer"
  /** Another process held the file for longer than anyone waits. */
  | "store_busy"
  /** There is no SQLite, or no place for a file of it. */
  | "store_unusable"
  | "key_reused"
  /** Unknown, or a prefix that several runs have. */
  | "run_not_found"
  | "already_answered"
  | "already_ended"
  /** The run has never waited there. */
  | "input_invalid"
  | "run_not_open"
  | "run_not_ended"
  | "run_completed"
  /** Its values were deleted when it ended. */
  | "run_erased"
  /** It cannot go on here. */
  | "run_held"
  | "run_stuck";

/** What a store of durable runs refuses. */
export class StoreError extends FlowsheetError {
  declare readonly code: StoreErrorCode;
  readonly help: string | null;
  constructor(code: StoreErrorCode, message: string, options: ErrorOptions & { help?: string } = {}) {
    super(code, message, options);
    this.help = options.help ?? null;
  }
}
