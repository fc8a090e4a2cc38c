/** What agents are: types only. */

import type { Json } from "../../../compiler/ir.js";
import type { Settings, WriteSpec } from "./graphs.js";
import type { LanguageModels, Storage, Turn, Usage } from "./services.js";
import type { Choice, Failure, Wait } from "./signal.js";
import type { WaitSpec } from "./waiting.js";

type Signal = Failure | Wait;

/** What an agent gives back: a value, a failure, a wait, or a promise of one. */
export type Outcome<R> = R | Choice<R> | Signal | PromiseLike<R | Choice<R> | Signal>;

/** Where agents and runs write notes. */
export interface Logger {
  debug(message: string, details?: unknown): void;
  info(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
  error(message: string, details?: unknown): void;
}

/**
 * What a run lends its agents, such as models and storage. A project adds the types of its own:
 * `declare module "flowsheet" { interface Services { readonly db: Database } }`.
 */
export interface Services {
  readonly llm?: LanguageModels;
  readonly storage?: Storage;
  readonly [name: string]: unknown;
}

/** What an agent may know of the visit that called it. */
export interface AgentContext {
  readonly runId: string;
  readonly graph: string;
  readonly node: string;
  /** Counts from 1. */
  readonly visit: number;
  /** Counts from 1; above 1 when the visit is retried. */
  readonly attempt: number;
  readonly settings: Settings;
  /** The rendered prompt; undefined when the node has none. */
  readonly prompt: string | undefined;
  /** What the node writes. */
  readonly outputs: readonly Required<WriteSpec>[];
  /** Aborted when the run is cancelled or out of time, when a sibling branch failed, or when the attempt timed out. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Names this visit in every attempt and after every restart: `runId/node/visit`. */
  readonly key: string;
  readonly services: Services;
  /** The answer to an earlier `wait` of this visit, converted to the type it asked for. */
  readonly answer: Json | undefined;
  /** The nodes that an agent may choose from, with what the sheet says of each; empty for an agent that does not choose. */
  readonly targets: readonly Candidate[];
  /** What the caller gave for a field when the run began; undefined when nothing was given. */
  given(field: string): Json | undefined;
  /** Stops this node until an answer is there; the agent is then called again with `answer`. */
  wait(spec: WaitSpec): Wait;
  /** A conversation of this run so far; what the other branches of a split say is not heard. */
  recall(conversation: string): readonly Turn[];
  /** Adds to a conversation when the visit succeeds. */
  remember(conversation: string, turns: readonly Turn[]): void;
  /** Counts what calls of models cost, for the events. */
  spend(usage: Usage): void;
}

/** A node that an agent may choose. */
export interface Candidate {
  readonly name: string;
  /** Its description and context in words. */
  readonly about: string;
}

/** An agent as a class: one instance a graph, which holds no run's state. */
export interface AgentInstance<in I, out R> {
  readonly "~agent"?: (inputs: I) => R;
  process(inputs: I, context: AgentContext): Outcome<R>;
}

export type AgentFunction<I, R> = (inputs: I, context: AgentContext) => Outcome<R>;

export type AgentClass<I, R> = new () => AgentInstance<I, R>;

/** A class or a function that does a node's work. */
export type AgentLike<I, R> = AgentClass<I, R> | AgentFunction<I, R>;

/** Any agent at all. */
export type AnyAgent = AgentLike<never, unknown>;

/** The inputs that an agent takes. */
export type InputsOf<A> = A extends new () => { process(inputs: infer I, context: AgentContext): unknown }
  ? I
  : A extends (inputs: infer I, context: AgentContext) => unknown
    ? I
    : never;

type Settled<O> = O extends PromiseLike<infer V> ? Unwrapped<V> : Unwrapped<O>;

// An agent that only ever fails has its failure for a result in the type of its choices, too.
type Unwrapped<V> = V extends Choice<infer R> ? Exclude<R, Signal> : V extends Signal ? never : V;

/** What an agent produces when it succeeds. */
export type ResultOf<A> = A extends new () => { process(inputs: never, context: AgentContext): infer O }
  ? Settled<O>
  : A extends (inputs: never, context: AgentContext) => infer O
    ? Settled<O>
    : never;

/** The value that a result gives for one output: the entry of a mapping that has it, else the result itself. */
export type Written<R, F extends PropertyKey> = R extends readonly unknown[]
  ? R
  : R extends { readonly [K in F]: infer V }
    ? V
    : R;

/** The type of a field that an agent writes. */
export type Output<A, F extends PropertyKey> = Written<ResultOf<A>, F>;

/** What an agent asks of one of its inputs. */
export type Input<A, P extends PropertyKey> =
  InputsOf<A> extends { readonly [K in P]?: infer V } ? V : unknown;
