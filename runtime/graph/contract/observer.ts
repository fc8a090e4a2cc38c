/** Types of observers of runs, such as tracing. This file holds no code. */

import type { Place } from "../../../compiler/ir.js";
import type { Carrier } from "./carrier.js";
import type { StepResult } from "./runs.js";
import type { Usage } from "./services.js";

/** Is told of runs and of the calls of their agents. It must not throw. */
export interface Observer {
  /** A run begins or goes on, or one of a sub-graph, inside the call that makes it. */
  begin(run: RunSeen): ObservedRun;
  /** The observer of one run that comes from elsewhere. */
  from?(origin: RunOrigin): Observer;
  /** Marks the start of a run that workers go on with. Its later parts refer to the mark. */
  started?(graph: string, carrier: Carrier | null): Carrier | null;
}

export interface RunOrigin {
  /** What the request or the start of the run says; null when nothing does. */
  readonly carrier?: Carrier | null | undefined;
  /** It is kept, and goes on in a worker. */
  readonly isKept?: boolean;
  /** It is not the first part of the run. */
  readonly isLater?: boolean;
  readonly placeOf?: ((node: string) => Place | null) | undefined;
}

export interface RunSeen {
  readonly runId: string;
  readonly graph: string;
  /** It is the run of a sub-graph. */
  readonly isInner: boolean;
  /** The part before this one, for a suspended run that goes on. */
  readonly earlier: Carrier | null;
}

export interface ObservedRun {
  /** What a suspended run keeps, to be named as `earlier`. */
  readonly carrier: Carrier | null;
  /** Makes the call of an agent, exactly once. Whatever it gives or throws is passed on unchanged. */
  call<T>(visit: VisitSeen, call: () => T): T;
  end(end: RunEndSeen): void;
}

export interface RunEndSeen {
  readonly status: "completed" | "suspended" | "failed" | "cancelled";
  /** Null when it has not failed. Without secrets. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** A visit whose agent is called. `callSeen` tells the facts of the call. */
export interface VisitSeen {
  readonly node: string;
  readonly visit: number;
  readonly attempt: number;
}

/** One call of an agent: a visit has several when it tries again, or when its question was answered. */
export interface CallSeen {
  readonly node: string;
  /** The agent's type, as the sheet writes it; null when the module does not say. */
  readonly agent: string | null;
  /** A sub-graph runs inside, the agent only computes, or it may do anything. */
  readonly kind: "graph" | "pure" | "agent";
  readonly visit: number;
  readonly attempt: number;
  /** The index of the branch in each split around it, outermost first. */
  readonly branch: readonly number[];
  /** Without secrets. */
  readonly seen: () => { readonly inputs: unknown; readonly prompt: string | null };
  /** What the node makes of the agent's answer. Without secrets. */
  readonly answered: (answer: unknown) => CallEndSeen;
  readonly thrown: (thrown: unknown) => CallEndSeen;
}

export interface CallEndSeen extends StepResult {
  readonly usage: Usage | null;
}
