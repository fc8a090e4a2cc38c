/** Types of the events of a run. This file holds no code. */

import type { Result } from "./runs.js";
import type { Usage } from "./services.js";
import type { StateData } from "./waiting.js";

interface VisitEvent {
  readonly runId: string;
  readonly node: string;
  readonly visit: number;
  /** The index of the branch in each enclosing split, outermost first. */
  readonly branch: readonly number[];
  /** The node that runs the sub-graph; only inside one. `node` is then `Call/Ask`, or `Each[2]/Ask` for an item. */
  readonly parent?: string;
}

export interface NodeStart extends VisitEvent {
  readonly type: "node_start";
  /** The number of the visit in the run, from 1. Inside a sub-graph it is the number of the calling visit. */
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
  /** The tokens of all calls of models in all attempts; only when there was a call. */
  readonly usage?: Usage;
  /** Only when the run is traced. */
  readonly inputs?: unknown;
  readonly prompt?: string | null;
  /** The fields that were written; only when the run is traced. */
  readonly writes?: StateData;
  /** The next nodes, null for the end; only when the run is traced and goes on. */
  readonly next?: readonly (string | null)[];
}

export interface RunEnd {
  readonly type: "run_end";
  readonly runId: string;
  readonly result: Result<StateData>;
}

export type RunEvent = NodeStart | NodeRetry | NodeEnd | RunEnd;

/** The events of a run, and its result. */
export interface RunStream<S, N extends string = string> extends AsyncIterable<RunEvent> {
  readonly result: Promise<Result<S, N>>;
}
