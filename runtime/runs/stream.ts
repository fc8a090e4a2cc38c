import type { NodeEnd, NodeRetry, NodeStart } from "../graph/contract/contract.js";
import { EventQueue } from "../graph/tell/stream.js";
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

type Start = (on: (event: WorkflowEvent) => void) => Promise<WorkflowResult>;

/**
 * Starts a run and gives its events as they happen. Rejects when the run cannot begin: the first event tells that it
 * has begun. The run does not wait for its reader.
 */
export async function openStream(start: Start): Promise<WorkflowStream> {
  const events = new EventQueue<WorkflowEvent>();
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const result = start((event) => {
    events.push(event);
    begin();
  });
  result.then(
    () => events.close(),
    (error: unknown) => events.fail(error),
  );
  await Promise.race([begun, result]);
  return { result, [Symbol.asyncIterator]: () => events };
}
