/** What runs are: types only. */

import type { Json } from "../../../compiler/ir.js";
import type { AgentLike, AnyAgent, InputsOf, Logger, ResultOf, Services } from "./agents.js";
import type { RunEvent, RunStream } from "./events.js";
import type { GraphDefinition, NodeTable } from "./graphs.js";
import type { Answers, Checkpoint, StateData, WaitingFor } from "./waiting.js";

/** A graph that can be run. */
export interface Graph<Input, State, Nodes> {
  readonly name: string;
  readonly entry: keyof Nodes & string;
  readonly fingerprint: string;
  readonly definition: GraphDefinition<Nodes>;
  run(input: Input, options?: RunOptions<Nodes>): Promise<Result<State, keyof Nodes & string>>;
  /** The events of a run in the order of its path. */
  stream(input: Input, options?: RunOptions<Nodes>): RunStream<State, keyof Nodes & string>;
  /** Goes on with a suspended run. Answers are by node; nodes without an answer keep waiting. */
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

/** Stand-ins for the agents of nodes, by node name; `Call/Node` for one of the graph that `Call` runs. */
export type StandIns<T> = {
  readonly [inside: `${string}/${string}`]: AnyAgent | undefined;
} & {
  readonly [K in keyof T]?: T[K] extends { readonly agent: infer A }
    ? unknown extends A
      ? AnyAgent
      : AgentLike<StandInInputs<InputsOf<A>>, ResultOf<A>>
    : never;
};

/** Agents that take any inputs tell nothing of them, but a stand-in may look. */
type StandInInputs<I> = [keyof I] extends [never] ? { readonly [param: string]: unknown } : I;

/** Asks a person, and gives the answer. `problemOf` says why an answer would not fit; null when it does. */
export type Ask = (
  waiting: WaitingFor,
  signal: AbortSignal,
  problemOf: (answer: Json) => string | null,
) => Json | PromiseLike<Json>;

/** The door for engines that make each visit durable. An id is the node and its visit. */
export interface Ops {
  /** Runs `work` once for an id, and gives what it gave ever after. */
  step(id: string, work: () => Promise<Json>): PromiseLike<Json>;
  /** Waits, for as long as it takes, for the answer to a visit. */
  wait(id: string, waiting: WaitingFor): PromiseLike<Json>;
}

/** A visit that is about to take place, as a debugger sees it. */
export interface Stop {
  readonly graph: GraphDefinition<NodeTable, string>;
  /** The node's whole name: `Call/Ask` inside a sub-graph, `Each[2]/Ask` for an item. */
  readonly node: string;
  /** Its name in its own graph. */
  readonly name: string;
  readonly visit: number;
  /** The number of the visit in the run; inside a sub-graph that of the node that runs it. */
  readonly step: number;
  /** Which branch of each enclosing split, outermost first, counting from 0. */
  readonly branch: readonly number[];
  /** What the agent would be given now, and the state of the line that is stopped. Secrets are not taken out. */
  readonly look: () => StopView;
  /** Writes a field of that line, as if the node before had written it. */
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
  /** Visits in all; 10,000 without it. */
  readonly maxSteps?: number;
  readonly timeoutMs?: number;
  readonly runId?: string;
  /** Answers at once what nodes wait for; without it the run is suspended. */
  readonly ask?: Ask;
  /**
   * Holds each visit until the promise resolves, for debuggers. Branches and items then go one after the other, in
   * the order of their lists, and no time-out runs for an answer or for a node with a graph inside.
   */
  readonly pause?: (stop: Stop) => PromiseLike<void>;
  /** Called for each event as it happens. */
  readonly on?: (event: RunEvent) => void;
  /** False: no clock is read, unless somebody listens, and `durationMs` is 0. It saves what a node or two cost. */
  readonly timed?: boolean;
  /** Events tell inputs, prompts and outputs too. */
  readonly trace?: boolean;
  readonly log?: Logger;
  readonly services?: Partial<Services>;
  readonly ops?: Ops;
  /** Takes secrets out of a message before anybody sees it. */
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

/** Why a run failed, as data. */
export interface RunError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly graph: string;
  /** Null when no node is to blame. */
  readonly node: string | null;
  /** The entry of the node's cell whose type a value does not fit; only when that is why the run failed. */
  readonly item?: TypedItem;
}

/** An entry of a cell that names a type: an input by the name that the agent knows, an output by its field. */
export interface TypedItem {
  readonly column: "input_fields" | "output_field";
  readonly name: string;
}

interface Ended<N extends string> {
  readonly runId: string;
  readonly graph: string;
  /** The visited nodes; where the run splits, the whole path of the first branch, then of the next. */
  readonly path: readonly N[];
  readonly steps: number;
  /** Without the waits. */
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

/** How a run ended. */
export type Result<S, N extends string = string> = Completed<S, N> | Failed<S, N> | Suspended<S, N>;
