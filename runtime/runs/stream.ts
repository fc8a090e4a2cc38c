import type { NodeEnd, NodeRetry, NodeStart } from "../graph/contract/contract.js";
import { EventQueue } from "../graph/tell/stream.js";
import type { WorkflowResult } from "./result.js";

export interface WorkflowEnd {
  readonly type: "run_end";
  readonly runId: string;
  readonly result: WorkflowResult;
}

export type WorkflowEvent = NodeStart | NodeRetry | NodeEnd | WorkflowEnd;

export interface WorkflowStream extends AsyncIterable<WorkflowEvent> {
  readonly result: Promise<WorkflowResult>;
}

/** Rejects when the run cannot begin: the first event shows that it began. The run never waits for its reader. */
export async function openStream(
  start: (on: (event: WorkflowEvent) => void) => Promise<WorkflowResult>,
): Promise<WorkflowStream> {
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
