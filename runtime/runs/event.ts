import type { NodeEnd, NodeRetry, NodeStart } from "../graph/contract/contract.js";
import type { WorkflowResult } from "./result.js";

/** The last event of a run; a suspended run is stored by then. */
export interface WorkflowEnd {
  readonly type: "run_end";
  readonly runId: string;
  readonly result: WorkflowResult;
}

/** What happens in a run, as it happens. */
export type WorkflowEvent = NodeStart | NodeRetry | NodeEnd | WorkflowEnd;

/** The events of a run in the order of its path, and how it ended. */
export interface WorkflowStream extends AsyncIterable<WorkflowEvent> {
  readonly result: Promise<WorkflowResult>;
}
