/** Why a main thread that is stuck must be ended: Ctrl-C, the run's time-out, or the command is done. */
export type Stuck = "interrupt" | "timeout" | "done";

export interface WatchOrder {
  readonly timeoutMs: number | null;
  /** The address of the working folder, with a slash at its end. */
  readonly files: string;
}

/** The symbol under which the main thread keeps what ends it. */
export const STUCK = "flowsheet.stuck";
