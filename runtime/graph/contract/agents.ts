/** Types of agents. This file holds no code. */

import type { Json } from "../../../compiler/ir.js";
import type { Settings, Tables, WriteSpec } from "./graphs.js";
import type { Databases, LanguageModels, Mail, Storage, Tools, Turn, Usage, Web } from "./services.js";
import type { Choice, Failure, Wait } from "./signal.js";
import type { WaitSpec } from "./waiting.js";

type Signal = Failure | Wait;

/** What an agent gives back: a value, a failure, a wait, or a promise of one. */
export type Outcome<R> = R | Choice<R> | Signal | PromiseLike<R | Choice<R> | Signal>;

/** Takes notes of agents and runs, such as the log of a server. */
export interface Logger {
  debug(message: string, details?: unknown): void;
  info(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
  error(message: string, details?: unknown): void;
}

/**
 * Services that a run gives its agents, such as models and storage. A project adds types of its own: `declare module
 * "flowsheet" { interface Services { readonly db: Database } }`.
 */
export interface Services {
  readonly llm?: LanguageModels;
  readonly storage?: Storage;
  readonly web?: Web;
  readonly mail?: Mail;
  readonly sql?: Databases;
  readonly mcp?: Tools;
  readonly [name: string]: unknown;
}

/** The visit that called an agent, as the agent sees it. */
export interface AgentContext {
  readonly runId: string;
  readonly graph: string;
  readonly node: string;
  /** Counts from 1. */
  readonly visit: number;
  /** Counts from 1; above 1 when the visit is retried. */
  readonly attempt: number;
  /** The time-out of one attempt, in milliseconds; undefined without one. `signal` keeps to it. */
  readonly timeoutMs?: number | undefined;
  readonly settings: Settings;
  /** The rendered prompt; undefined when the node has none. */
  readonly prompt: string | undefined;
  /** The node's formula; undefined when it has none. */
  readonly formula: Formula | undefined;
  /** The outputs of the node. */
  readonly outputs: readonly Required<WriteSpec>[];
  /** Aborted when the run is cancelled or out of time, when a sibling branch failed, or when the attempt timed out. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** `runId/node/visit`. It is the same in every attempt and after every restart. */
  readonly key: string;
  readonly services: Services;
  /** The answer to an earlier `wait` of this visit, converted to the type it asked for. */
  readonly answer: Json | undefined;
  /** Who gave that answer, and when, as an ISO text; undefined where nobody did, such as after a time-out. */
  readonly answered: Answered | undefined;
  /** The nodes that an agent may choose from. Empty for an agent that does not choose. */
  readonly targets: readonly Candidate[];
  /** The value that the caller gave for a field when the run began; undefined when there was none. */
  given(field: string): Json | undefined;
  /** Stops this node until an answer is there. Then the agent is called again, with `answer`. */
  wait(spec: WaitSpec): Wait;
  /** The conversation so far. Turns of other branches of a split are not in it. */
  recall(conversation: string): readonly Turn[];
  /** Adds turns to a conversation. They count only when the visit succeeds. */
  remember(conversation: string, turns: readonly Turn[]): void;
  /** Adds the tokens of a call of a model to the visit's event. */
  spend(usage: Usage): void;
}

/** The formula of a node, with the inputs of the visit. */
export interface Formula {
  /** The files of the data folder that it looks things up in. */
  readonly tables: readonly string[];
  compute(tables: Tables): unknown;
}

export interface Answered {
  /** Undefined when nobody knows who it was. */
  readonly by: string | undefined;
  readonly at: string;
}

/** A node that an agent may choose. */
export interface Candidate {
  readonly name: string;
  /** The node's description and context, as words. */
  readonly about: string;
}

/** An agent as a class. A graph makes one instance, so it must not keep the state of a run. */
export interface AgentInstance<in I, out R> {
  readonly "~agent"?: (inputs: I) => R;
  process(inputs: I, context: AgentContext): Outcome<R>;
}

export type AgentFunction<I, R> = (inputs: I, context: AgentContext) => Outcome<R>;

export type AgentClass<I, R> = new () => AgentInstance<I, R>;

/** A class or a function that does a node's work. */
export type AgentLike<I, R> = AgentClass<I, R> | AgentFunction<I, R>;

export type AnyAgent = AgentLike<never, unknown>;

export type InputsOf<A> = A extends new () => { process(inputs: infer I, context: AgentContext): unknown }
  ? I
  : A extends (inputs: infer I, context: AgentContext) => unknown
    ? I
    : never;

type Settled<O> = O extends PromiseLike<infer V> ? Unwrapped<V> : Unwrapped<O>;

// For an agent that only ever fails, the inferred type of the choice's value includes its failure.
type Unwrapped<V> = V extends Choice<infer R> ? Exclude<R, Signal> : V extends Signal ? never : V;

/** What an agent produces when it succeeds. */
export type ResultOf<A> = A extends new () => { process(inputs: never, context: AgentContext): infer O }
  ? Settled<O>
  : A extends (inputs: never, context: AgentContext) => infer O
    ? Settled<O>
    : never;

/** The value that a result gives for one output: the entry with the output's key, or the whole result without one. */
export type Written<R, F extends PropertyKey> = R extends readonly unknown[]
  ? R
  : R extends { readonly [K in F]: infer V }
    ? V
    : R;

/** The type of a field that an agent writes. */
export type Output<A, F extends PropertyKey> = Written<ResultOf<A>, F>;

/** The type that an agent takes for one of its inputs. */
export type Input<A, P extends PropertyKey> =
  InputsOf<A> extends { readonly [K in P]?: infer V } ? V : unknown;
