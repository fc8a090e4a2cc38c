import { fileItself } from "../../compiler/diagnostics/worksheet.js";
import type { Place } from "../../compiler/ir.js";
import type {
  ErrorCode,
  FieldType,
  Result,
  RunError,
  StateData,
  TypedItem,
} from "../graph/contract/contract.js";
import type { AnswererError } from "../graph/suspend/answerer.js";

/** The place is the agent's cell, or the cell of the type that a value violates. */
export interface RunFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly graph: string;
  readonly node: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly cell: string | null;
  /** The worksheet of a workbook. */
  readonly worksheet?: string;
}

export interface Waiting {
  readonly node: string;
  readonly field: string | null;
  readonly prompt: string;
  readonly options: readonly string[] | null;
  readonly type: FieldType | null;
  /** Who is asked, where somebody is; told on the command line alone, as what follows. */
  readonly assignees?: readonly string[] | undefined;
  /** Why whoever looks may not answer. */
  readonly refused?: AnswererError["code"] | undefined;
  /** The time at which it goes on by itself, of what takes no answer. */
  readonly wakesAt?: number | null | undefined;
}

export interface WorkflowResult {
  readonly runId: string;
  readonly graph: string;
  readonly status: "completed" | "failed" | "suspended" | "cancelled";
  readonly success: boolean;
  readonly state: StateData;
  /** The visited nodes. At a split, the whole path of the first branch, then of the next. */
  readonly path: readonly string[];
  readonly steps: number;
  readonly durationMs: number;
  readonly error: RunFailure | null;
  readonly waiting: readonly Waiting[];
}

type PlaceOf = (node: string, item?: TypedItem) => Place | null;

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

export function placed(
  node: string | null,
  placeOf: (node: string) => Place | null,
): Pick<RunFailure, "file" | "line" | "cell" | "worksheet"> {
  const place = node === null ? null : placeOf(node);
  if (place === null) return { file: null, line: null, cell: null };
  const { file, line, cell, worksheet } = place;
  return worksheet === undefined ? { file, line, cell } : { file: fileItself(file), line, cell, worksheet };
}

/** The format of `run --json` and of the server. */
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
      ...(error.worksheet === undefined ? {} : { worksheet: error.worksheet }),
    },
    waiting: result.waiting.map(({ node, field, prompt, options }) => ({ node, field, prompt, options })),
  };
}

/** A result without values: the texts of errors may hold some. */
export function describeOutcome(result: WorkflowResult): object {
  const { state: _, ...told } = describeResult(result) as { readonly [key: string]: unknown };
  return { ...told, error: result.error === null ? null : { ...(told["error"] as object), message: "" } };
}
