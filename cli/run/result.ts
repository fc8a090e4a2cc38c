import type { Result, StateData } from "../../runtime/graph/contract.js";
import type { OpenedGraph } from "../../runtime/workflows/open-graph.js";

/** A run's result as `run --json` and the server tell it. */
export function describeResult(result: Result<StateData>, { ir, placeOf }: OpenedGraph): object {
  const { error } = result;
  const place = error?.node === null || error?.node === undefined ? null : placeOf(error.node);
  return {
    run_id: result.runId,
    graph_name: ir.name,
    status: result.status,
    success: result.status === "completed",
    state: result.state,
    path: result.path,
    steps: result.steps,
    duration_ms: Math.round(result.durationMs * 1000) / 1000,
    error:
      error === null
        ? null
        : {
            code: error.code,
            message: error.message,
            graph: error.graph,
            node: error.node,
            file: place?.file ?? null,
            line: place?.line ?? null,
            cell: place?.cell ?? null,
          },
    waiting: result.waiting.map(({ node, field, prompt, options }) => ({ node, field, prompt, options })),
  };
}

/** What goes to stdout: the whole result as JSON, or the final state. */
export function formatResult(result: Result<StateData>, opened: OpenedGraph, json: boolean): string {
  return `${JSON.stringify(json ? describeResult(result, opened) : result.state, null, 2)}\n`;
}
