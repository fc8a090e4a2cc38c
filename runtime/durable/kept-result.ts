import type { Json, StateData } from "../graph/contract/contract.js";
import type { WorkflowResult } from "../runs/result.js";
import type { FullRun, RunRow, RunStatus } from "./rows.js";

const ENDED: ReadonlySet<RunStatus> = new Set(["completed", "failed", "cancelled"]);

export const isEnded = ({ status }: Pick<RunRow, "status">): boolean => ENDED.has(status);

/** The result of a run that has ended or waits. Of a run that nobody drove to its end, what is known of it. */
export function resultOf(run: FullRun): WorkflowResult {
  const known = toldOf(run.result);
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

/** The checkpoint of a run without a journal is nobody's but the driver's. */
function toldOf(result: Json): WorkflowResult | null {
  const { checkpoint: _, ...told } = (result ?? {}) as { readonly checkpoint?: Json };
  return result === null ? null : (told as unknown as WorkflowResult);
}
