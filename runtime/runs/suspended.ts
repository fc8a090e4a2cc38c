import type { Waiting } from "./result.js";
import type { ListedRun } from "./store.js";

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

/** What is to be known of a stored run. */
export function toSuspendedRun({ record, taken, file }: ListedRun): SuspendedRun {
  const { runId, graph, sheet, suspendedAt, end, waiting } = record;
  const free = end !== null ? "ended" : file.owner === null ? "waiting" : "interrupted";
  const status = taken ? "taken" : free;
  return { runId, graph, sheet, suspendedAt, status, waiting: end === null ? waiting : [] };
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
