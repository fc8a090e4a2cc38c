/** What a run tells while it goes on: types only. */

import type { Result } from "./runs.js";
import type { Usage } from "./services.js";
import type { StateData } from "./waiting.js";

interface VisitEvent {
  readonly runId: string;
  readonly node: string;
  readonly visit: number;
  /** Which branch of each enclosing split, outermost first, counting from 0. */
  readonly branch: readonly number[];
  /** For a visit inside a sub-graph: the node that runs it. `node` is then `Call/Ask`, or `Each[2]/Ask` for an item. */
  readonly parent?: string;
}

export interface NodeStart extends VisitEvent {
  readonly type: "node_start";
  /** The number of the visit in the run, counting from 1; inside a sub-graph that of the node that runs it. */
  readonly step: number;
}

export interface NodeRetry extends VisitEvent {
  readonly type: "node_retry";
  /** The attempt that failed. */
  readonly attempt: number;
  readonly error: string;
  readonly delayMs: number;
}

export interface NodeEnd extends VisitEvent {
  readonly type: "node_end";
  readonly step: number;
  readonly outcome: "success" | "failure" | "thrown" | "waiting";
  readonly attempts: number;
  readonly ms: number;
  readonly error: string | null;
  /** What models were asked cost, in all attempts; only when one was asked. */
  readonly usage?: Usage;
  /** Only when the run is traced. */
  readonly inputs?: unknown;
  readonly prompt?: string | null;
  /** The fields that were written; only when the run is traced. */
  readonly writes?: StateData;
  /** Where that leads, null for the end; only when the run is traced and goes on. */
  readonly next?: readonly (string | null)[];
}

export interface RunEnd {
  readonly type: "run_end";
  readonly runId: string;
  readonly result: Result<StateData>;
}

export type RunEvent = NodeStart | NodeRetry | NodeEnd | RunEnd;

/** The events of a run, and how it ended. */
export interface RunStream<S, N extends string = string> extends AsyncIterable<RunEvent> {
  readonly result: Promise<Result<S, N>>;
}
