/** The reason to end a stuck main thread: Ctrl-C, the time-out of the run, or the end of the command. */
export type Stuck = "interrupt" | "timeout" | "done";

export interface WatchOrder {
  readonly timeoutMs: number | null;
  /** The URL of the working folder, with a slash at its end. */
  readonly files: string;
}

/** The key of the symbol under which the main thread keeps the function that ends it. */
export const STUCK = "flowsheet.stuck";
