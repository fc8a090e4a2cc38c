import type { Place } from "../../compiler/ir.js";
import type {
  ErrorCode,
  FieldType,
  Result,
  RunError,
  StateData,
  TypedItem,
} from "../graph/contract/contract.js";

/** Why a run failed, with the cell to blame: the agent's, or that of the type which a value does not fit. */
export interface RunFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly graph: string;
  readonly node: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly cell: string | null;
}

/** What a suspended run waits for. */
export interface Waiting {
  readonly node: string;
  readonly field: string | null;
  readonly prompt: string;
  readonly options: readonly string[] | null;
  readonly type: FieldType | null;
}

/** How the run of a workflow ended, as data. */
export interface WorkflowResult {
  readonly runId: string;
  readonly graph: string;
  readonly status: "completed" | "failed" | "suspended" | "cancelled";
  /** The run has completed. */
  readonly success: boolean;
  readonly state: StateData;
  /** The visited nodes; where the run splits, the whole path of the first branch, then of the next. */
  readonly path: readonly string[];
  readonly steps: number;
  readonly durationMs: number;
  readonly error: RunFailure | null;
  readonly waiting: readonly Waiting[];
}

/** Where a node stands in its sheet, or the entry of one of its cells. */
type PlaceOf = (node: string, item?: TypedItem) => Place | null;

/** A run's result with its places in the sheet. */
export function toWorkflowResult(result: Result<StateData>, placeOf: PlaceOf): WorkflowResult {
  const { runId, graph, status, state, path, steps, durationMs, error, waiting } = result;
  return {
    runId,
    graph,
    status,
    success: status === "completed",
    state: state as StateData,
    path,
    steps,
    durationMs,
    error: error === null ? null : failureOf(error, placeOf),
    waiting,
  };
}

function failureOf({ item, ...error }: RunError, placeOf: PlaceOf): RunFailure {
  return { ...error, ...placed(error.node, (node) => placeOf(node, item)) };
}

/** Where the agent of a node stands in its sheet. */
export function placed(
  node: string | null,
  placeOf: (node: string) => Place | null,
): Pick<RunFailure, "file" | "line" | "cell"> {
  const place = node === null ? null : placeOf(node);
  return { file: place?.file ?? null, line: place?.line ?? null, cell: place?.cell ?? null };
}

/** A run's result as `run --json` and the server tell it. */
export function describeResult(result: WorkflowResult): object {
  const { error } = result;
  return {
    run_id: result.runId,
    graph_name: result.graph,
    status: result.status,
    success: result.success,
    state: result.state,
    path: result.path,
    steps: result.steps,
    duration_ms: Math.round(result.durationMs * 1000) / 1000,
    error: error && {
      code: error.code,
      message: error.message,
      graph: error.graph,
      node: error.node,
      file: error.file,
      line: error.line,
      cell: error.cell,
    },
    waiting: result.waiting.map(({ node, field, prompt, options }) => ({ node, field, prompt, options })),
  };
}
