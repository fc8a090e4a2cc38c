import type { StateData } from "../graph/contract/contract.js";
import type { WorkflowResult } from "../runs/result.js";
import type { FullRun } from "./rows.js";

/** The result of a run that has ended or waits. Of a run that nobody drove to its end, what is known of it. */
export function resultOf(run: FullRun): WorkflowResult {
  const known = run.result as WorkflowResult | null;
  const status = run.status === "waiting" ? "suspended" : run.status;
  if (known !== null && known.status === status) return known;
  const { state, path, steps, durationMs } = known ?? {
    state: run.given as StateData,
    path: [],
    steps: 0,
    durationMs: run.worked,
  };
  const isFailure = run.status === "failed" || run.status === "cancelled";
  return {
    runId: run.runId,
    graph: run.graph,
    status: isFailure ? (run.status as "failed" | "cancelled") : "completed",
    success: run.status === "completed",
    state,
    path,
    steps,
    durationMs,
    error: isFailure ? failureOf(run) : null,
    waiting: [],
  };
}

function failureOf({ graph, errorCode, status }: FullRun): WorkflowResult["error"] {
  const code = (errorCode ?? (status === "cancelled" ? "cancelled" : "internal")) as "cancelled" | "internal";
  const message =
    status === "cancelled" ? "the run was cancelled" : "the run failed, and its values were erased";
  return { code, message, graph, node: null, file: null, line: null, cell: null };
}
