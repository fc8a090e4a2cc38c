/** Types of runs. This file holds no code. */

import type { Json } from "../../../compiler/ir.js";
import type { AgentLike, Answered, AnyAgent, InputsOf, Logger, ResultOf, Services } from "./agents.js";
import type { NodeEnd, RunEvent, RunStream } from "./events.js";
import type { GraphDefinition, NodeTable } from "./graphs.js";
import type { Observer } from "./observer.js";
import type { Answers, Checkpoint, StateData, WaitingFor, WaitSpec } from "./waiting.js";

/** A graph that can be run. */
export interface Graph<Input, State, Nodes> {
  readonly name: string;
  readonly entry: keyof Nodes & string;
  readonly fingerprint: string;
  readonly definition: GraphDefinition<Nodes>;
  run(input: Input, options?: RunOptions<Nodes>): Promise<Result<State, keyof Nodes & string>>;
  /** The events of a run in the order of its path. */
  stream(input: Input, options?: RunOptions<Nodes>): RunStream<State, keyof Nodes & string>;
  /** Continues a suspended run. Answers are by node; a node without an answer keeps waiting. */
  resume(
    checkpoint: Checkpoint,
    answers: Answers,
    options?: RunOptions<Nodes>,
  ): Promise<Result<State, keyof Nodes & string>>;
}

/** A graph whose fields are known only when it runs. */
export type AnyGraph = Graph<Given, StateData, NodeTable>;

export interface Given {
  readonly [field: string]: unknown;
}

/** Stand-ins for agents, by node name; `Call/Node` for a node of the graph that `Call` runs. */
export type StandIns<T> = {
  readonly [inside: `${string}/${string}`]: AnyAgent | undefined;
} & {
  readonly [K in keyof T]?: T[K] extends { readonly agent: infer A }
    ? unknown extends A
      ? AnyAgent
      : AgentLike<StandInInputs<InputsOf<A>>, ResultOf<A>>
    : never;
};

/** An agent that takes any inputs names none, but its stand-in may read them. */
type StandInInputs<I> = [keyof I] extends [never] ? { readonly [param: string]: unknown } : I;

/** Asks a person and resolves to the answer. `problemOf` says why an answer does not fit; null when it fits. */
export type Ask = (
  waiting: WaitingFor,
  signal: AbortSignal,
  problemOf: (answer: Json) => string | null,
) => Json | PromiseLike<Json>;

/**
 * The interface of durable engines. An id is the node, its visit and its call, behind the ids of the visits around
 * it. An error of the engine itself passes all handlers of the graph: the run rejects with it.
 */
export interface Ops {
  /** Runs `work` once for an id. Later calls resolve to the recorded value. Work that rejects is not recorded. */
  step(id: string, work: () => Promise<Json>, about: StepAbout): PromiseLike<Json>;
  /** The state of a wait, under the id of the call that asked. After `open` the visit is suspended. */
  wait(id: string, waiting: WaitingFor, timeoutMs: number | null, spec: WaitSpec): PromiseLike<WaitEnd>;
  /** The pause after a failed call, or the rest of it. The id is that of the call. */
  sleep(id: string, ms: number): PromiseLike<void>;
  /** The recorded value of an id, if there is one. */
  known(id: string): Json | undefined;
  /** Tells a visit that is no step, for a history: of a pure agent, or of a sub-graph. Each replay tells it again. */
  told(id: string, about: StepAbout): void;
  /** What the state of the line is given in front of a visit, under the id of its first call: a fork sets it. */
  set?(id: string): StateData | undefined;
}

/** The facts of a call for a history. */
export interface StepAbout {
  /** The whole name: `Call/Ask` inside a sub-graph, `Each[2]/Ask` for an item. */
  readonly node: string;
  readonly visit: number;
  readonly attempt: number;
  /** The key that the agent gets: the same for all calls of a visit. */
  readonly key: string;
  /** The index of the branch in each split around it, outermost first. */
  readonly branch: readonly number[];
  /** When the driver came to it, in milliseconds since 1970. */
  readonly began: number;
  /** Without secrets. To be read when the call is recorded, not later. */
  readonly seen: () => StepSeen;
  /** The result of the call, after `work` has resolved. Without secrets. */
  readonly became: () => StepResult;
}

export interface StepSeen {
  readonly inputs: unknown;
  readonly prompt: string | null;
}

export interface StepResult {
  readonly outcome: NodeEnd["outcome"];
  readonly writes: StateData;
  readonly error: string | null;
}

/** The end of a wait is decided by the engine, and never changes. */
export type WaitEnd =
  | { readonly kind: "answer"; readonly answer: Json; readonly by?: string | null; readonly at?: number }
  /** The time of the wait is over. */
  | { readonly kind: "over" }
  /** There is no answer yet. The time is in milliseconds since 1970; null without a limit. */
  | { readonly kind: "open"; readonly until: number | null };

/** A visit that a debugger has stopped before it takes place. */
export interface Stop {
  readonly graph: GraphDefinition<NodeTable, string>;
  /** The whole name: `Call/Ask` inside a sub-graph, `Each[2]/Ask` for an item. */
  readonly node: string;
  /** The name in its own graph. */
  readonly name: string;
  readonly visit: number;
  /** The number of the visit in the run. Inside a sub-graph it is the number of the calling visit. */
  readonly step: number;
  /** The index of the branch in each enclosing split, outermost first. */
  readonly branch: readonly number[];
  /** The inputs that the agent would get, and the state of its line. Secrets are not removed. */
  readonly look: () => StopView;
  /** Writes a field of that line, as the node before could have done. */
  readonly set: (field: string, value: Json) => void;
}

export interface StopView {
  readonly inputs: unknown;
  readonly prompt: string | null;
  readonly state: StateData;
}

export interface RunOptions<T = NodeTable> {
  readonly nodes?: StandIns<T>;
  readonly signal?: AbortSignal;
  /** The most visits of the run; 10,000 by default. */
  readonly maxSteps?: number;
  readonly timeoutMs?: number;
  /** The time at which the run fails with `run_timeout`, in milliseconds since 1970. */
  readonly deadline?: number;
  readonly runId?: string;
  /** For `$started_at`, in milliseconds since 1970. */
  readonly startedAt?: number;
  /** For `$started_by`. */
  readonly startedBy?: string;
  /** Who gives the answers with which a run is resumed. */
  readonly answeredBy?: string;
  /** Answers that were taken in time, by whom and when: they count, however late the run goes on with them. */
  readonly answered?: { readonly [node: string]: Answered };
  /** The time at which a run that is resumed looks which of its waits are over, in milliseconds since 1970: now without. */
  readonly waitsAt?: number;
  /** For `$today`, where the graph names none: UTC without it. */
  readonly timezone?: string | undefined;
  /** The clock of `$now` and `$today`, in milliseconds since 1970. */
  readonly clock?: () => number;
  /** Answers what nodes wait for at once. Without it the run is suspended. */
  readonly ask?: Ask;
  /**
   * For debuggers: each visit waits until the promise resolves. Branches and items then run one after the other. No
   * time-out runs for an answer or for a node with a sub-graph.
   */
  readonly pause?: (stop: Stop) => PromiseLike<void>;
  readonly on?: (event: RunEvent) => void;
  /** False: no clock is read without a listener, and `durationMs` is 0. This saves the time of one or two nodes. */
  readonly timed?: boolean;
  /** Events also hold inputs, prompts and outputs. */
  readonly trace?: boolean;
  readonly log?: Logger;
  readonly services?: Partial<Services>;
  readonly ops?: Ops;
  /** For tracing; `flowsheet/otel` makes one. */
  readonly observer?: Observer;
  /** Removes secrets from a message before anybody sees it. */
  readonly redact?: (message: string) => string;
}

export type ErrorCode =
  | "agent_failed"
  | "node_timeout"
  | "run_timeout"
  | "step_limit"
  | "provider_failed"
  | "bad_value"
  | "cancelled"
  | "internal";

export interface RunError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly graph: string;
  /** Null when no node caused it. */
  readonly node: string | null;
  /** The typed entry of the node's cell that a value does not fit; only for this error. */
  readonly item?: TypedItem;
}

/** An entry of a cell with a type: an input by its name for the agent, an output by its field. */
export interface TypedItem {
  readonly column: "input_fields" | "output_field";
  readonly name: string;
}

interface Ended<N extends string> {
  readonly runId: string;
  readonly graph: string;
  /** The visited nodes. After a split: the whole path of the first branch, then of the next. */
  readonly path: readonly N[];
  readonly steps: number;
  /** Time spent waiting for answers is not in it. */
  readonly durationMs: number;
}

export interface Completed<S, N extends string = string> extends Ended<N> {
  readonly status: "completed";
  readonly state: S;
  readonly error: null;
  readonly waiting: readonly [];
}

export interface Failed<S, N extends string = string> extends Ended<N> {
  readonly status: "failed" | "cancelled";
  readonly state: Partial<S>;
  readonly error: RunError;
  readonly waiting: readonly [];
}

export interface Suspended<S, N extends string = string> extends Ended<N> {
  readonly status: "suspended";
  readonly state: Partial<S>;
  readonly error: null;
  readonly waiting: readonly WaitingFor[];
  readonly checkpoint: Checkpoint;
}

export type Result<S, N extends string = string> = Completed<S, N> | Failed<S, N> | Suspended<S, N>;
