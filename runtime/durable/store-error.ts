import { FlowsheetError } from "../graph/contract/errors.js";

export type StoreErrorCode =
  /** The disk is full, the file cannot be written, or the server cannot be reached. */
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
  /** It was kept only when it began to wait. */
  | "run_without_history"
  /** Its values were deleted when it ended. */
  | "run_erased"
  /** Its journal does not fit its graph as that now is. */
  | "run_stale"
  /** It cannot go on here. */
  | "run_held"
  | "run_stuck";

/** What a store of durable runs refuses. */
export class StoreError extends FlowsheetError {
  declare readonly code: StoreErrorCode;
  readonly help: string | null;
  /** What of a request is wrong, as a JSON pointer; empty for all of it. */
  readonly pointer: string;
  constructor(
    code: StoreErrorCode,
    message: string,
    options: ErrorOptions & { readonly help?: string; readonly pointer?: string } = {},
  ) {
    super(code, message, options);
    this.help = options.help ?? null;
    this.pointer = options.pointer ?? "";
  }
}

const OF_STORE: readonly StoreErrorCode[] = [
  "store_unwritable",
  "store_damaged",
  "store_newer",
  "store_unusable",
];

/** True for what keeps every run from going on. It is told once, by `StoreTrouble` or by the command. */
export const isOfStore = (error: unknown): error is StoreError =>
  error instanceof StoreError && OF_STORE.includes(error.code);
