/** What graphs, agents and runs are: types only. Generated modules and agents stand on this file. */

import type { FieldType, Json, MergeKind } from "../../../compiler/ir.js";
import type { LanguageModels, Storage, Turn, Usage } from "./services.js";
import type { mark } from "./signal.js";

export type { FieldType, Json, MergeKind };

// ---- What an agent answers ------------------------------------------------------------------------------

/** A signalled failure: made by `fail("reason")`. */
export interface Failure {
  readonly [mark]: "failure";
  /** The reason, for the field `error`; null leaves that field alone. */
  readonly failure: string | null;
  /** What the node writes all the same. */
  readonly writes: unknown;
  /** `writes` is a whole answer; otherwise a mapping in which entries may be missing. */
  readonly whole: boolean;
}

/** An answer that is not there yet: made by `context.wait({ … })`. */
export interface Wait {
  readonly [mark]: "wait";
  readonly spec: WaitSpec;
}

/** A value together with the name that says where to go: made by `choose(name, value)`. */
export interface Choice<R> {
  readonly [mark]: "choice";
  readonly name: string;
  readonly value: R;
}

type Signal = Failure | Wait;

/** What an agent gives back: a value, a failure, a wait, or a promise of one. */
export type Outcome<R> = R | Choice<R> | Signal | PromiseLike<R | Choice<R> | Signal>;

/** What a node waits for. All of it is plain data: it is stored with a suspended run. */
export interface WaitSpec {
  readonly prompt?: string | undefined;
  /** The answers to choose from. */
  readonly options?: readonly string[] | undefined;
  /** A judgement, which may come with a comment: the answer is then a `Judgement`. */
  readonly interaction?: "approval" | "choice" | "text" | undefined;
  /** What the answer is converted to; without one the type of the node's only output, else text as it is. */
  readonly type?: FieldType | undefined;
  /** The answer to go on with when the node's time-out ends the wait; without one the node throws. */
  readonly fallback?: Json | undefined;
  /** What waits is inside the node: suspended runs of a sub-graph. */
  readonly inside?: InsideData | undefined;
}

/** The suspended runs inside a node, and what has come of those that are over. */
export interface InsideData {
  readonly runs: readonly InnerRun[];
  readonly done: Json;
}

/** A suspended run of a sub-graph. */
export interface InnerRun {
  /** The item that it is for; null for a node that runs its graph once. */
  readonly index: number | null;
  readonly checkpoint: Checkpoint;
  readonly waiting: readonly WaitingFor[];
}

/** The answer to a wait that names its interaction. */
export interface Judgement {
  readonly answer: Json;
  readonly comment: string | null;
  /** Null unless it is an approval. */
  readonly approved: boolean | null;
}

// ---- Agents ---------------------------------------------------------------------------------------------

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

export interface Settings {
  readonly [name: string]: Json;
}

/** One output of a node: `key` is the entry of the agent's result, `field` is where it is written. */
export interface WriteSpec<F extends string = string> {
  readonly field: F;
  readonly key?: string;
  readonly type?: FieldType | undefined;
}

/** An input that must be of a type which what it reads may not have: text that reads as the type is converted. */
export interface TakeSpec {
  /** The input as the agent knows it. */
  readonly param: string;
  /** What it reads, when that has another name. */
  readonly field?: string;
  readonly path?: readonly string[];
  /** There may be nothing at the path. */
  readonly optional?: boolean;
  readonly type: FieldType;
}

/** An output as a node names it: a field alone takes the entry of its own name. */
export type Write = string | WriteSpec;

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

// ---- Graphs ---------------------------------------------------------------------------------------------

/** What a node reads: fields that are set whenever it is reached, and fields that may be unset. */
export type Reads<S, Sure extends keyof S, Maybe extends keyof S = never> = {
  readonly [K in Sure]-?: S[K];
} & ([Maybe] extends [never] ? unknown : { readonly [K in Maybe]?: S[K] });

/**
 * What nodes give a graph that they run: an optional field may be undefined, and a field `F`, which only prompts read,
 * may be anything, since all values can be printed.
 */
export type Passed<Input, F extends keyof Input = never> = {
  readonly [K in keyof Input]: K extends F
    ? unknown
    : Record<never, never> extends Pick<Input, K>
      ? Input[K] | undefined
      : Input[K];
};

/** The state as the branches of a split see it: of fields that become lists where the branches meet, one item. */
export type Branch<S, F extends keyof S> = {
  readonly [K in keyof S]: K extends F ? Item<S[K]> : S[K];
};
/** What a value adds to a list that branches go on with: the items of a list, else itself. */
export type Item<V> = V extends readonly (infer E)[] ? E : V;

/** What stands at a path inside a value, as far as the value's type tells. */
export type At<V, P extends readonly string[]> = P extends readonly [
  infer K extends string,
  ...infer Rest extends readonly string[],
]
  ? V extends readonly (infer E)[]
    ? At<E, Rest> | undefined
    : V extends object
      ? K extends keyof V
        ? At<V[K], Rest>
        : undefined
      : V extends string | number | boolean | null | undefined
        ? undefined
        : unknown
  : V;

/** Repeats throws and time-outs; a signalled failure is an answer and is never repeated. */
export interface RetryPolicy {
  /** In all, the first one included. */
  readonly attempts: number;
  readonly delayMs?: number;
  readonly factor?: number;
  readonly maxDelayMs?: number;
}

/** How a node does its work, whatever leads to it and wherever it leads. */
export interface NodeSettings {
  /** The agent's type as the sheet names it. */
  readonly type?: string;
  readonly settings?: Settings;
  readonly retry?: RetryPolicy;
  /** For each attempt, and for the wait for an answer. */
  readonly timeoutMs?: number;
  /** The visit after the last one goes to the route's `limit` instead. */
  readonly maxVisits?: number;
  /** How fields that several branches of this node's split write become one. */
  readonly merge?: { readonly [field: string]: MergeKind } | readonly FieldMerge[];
}

/** A merge in a list: TypeScript takes a field such as `toString` in a record for the method of that name. */
export interface FieldMerge {
  readonly field: string;
  readonly kind: MergeKind;
}

/** A node: its agent, and what it writes. */
export interface Node<A, out W extends PropertyKey = never> extends NodeSettings {
  readonly agent: A;
  readonly "~writes"?: W;
  readonly inputs: (state: never) => unknown;
  readonly prompt?: ((inputs: never, state: never) => string) | undefined;
  readonly takes?: TakeSpec | readonly TakeSpec[];
  readonly writes?: Write | readonly Write[];
}

/** The nodes of a graph by name. */
export type NodeTable = { readonly [name: string]: Node<unknown, PropertyKey> };

/** A node, `"END"`, or a list: several are a split. When a node is named END, null stands for the end. */
export type Target<N extends string> = N | "END" | null | readonly (N | "END" | null)[];

/** Where each outcome leads; one without target ends the run, a throw without `failure` fails it. */
export interface Route<N extends string = string> {
  readonly next?: Target<N>;
  readonly success?: Target<N>;
  readonly failure?: Target<N>;
  /** Where the visit after the last allowed one goes; the end without one. */
  readonly limit?: N | "END" | null;
  /** For an agent that chooses: more names it may answer with, ignoring case, beside the nodes it lists. */
  readonly cases?: { readonly [value: string]: N | "END" | null };
  /** Where an agent that chooses goes when it names nothing known. */
  readonly otherwise?: N | "END" | null;
  /** What the sheet says of the nodes to choose from, for an agent that compares them. */
  readonly about?: { readonly [node: string]: string };
}
export type Routes<N extends string> = { readonly [K in N]: Route<N> };

export type EdgeKind = "next" | "success" | "failure";

/**
 * For each split, the nodes that belong to each branch, in the order of its targets. A list of targets that is
 * no split here is a choice: the agent names the one to go to.
 */
export type Splits<N extends string = string> = {
  readonly [K in N]?: { readonly [E in EdgeKind]?: readonly BranchNodes<N>[] };
};

/**
 * The nodes of one branch: all of them, or those that no branch of a split within it owns. `others` are nodes that can
 * be come to without the split, too: the branches around do not own them.
 */
export type BranchNodes<N extends string = string> =
  | readonly N[]
  | { readonly own: readonly N[]; readonly others?: readonly N[] };

/** A graph as it is written down: by a generated module, or by `link`. */
export interface GraphDefinition<T, N extends string = keyof T & string> {
  readonly name: string;
  readonly entry: N;
  readonly nodes: T;
  readonly routes: Routes<N>;
  readonly splits?: Splits<N>;
  /** The version of the contract that a generated module was printed for. */
  readonly contract?: number;
  /** Names the meaning of the graph: a suspended run goes on only in a graph that means the same. */
  readonly fingerprint: string;
  /** What a graph that calls this one must give; nothing is checked without it. */
  readonly inputs?: GraphInputs | readonly FieldInput[];
}

/** What a run is given, by field. */
export interface GraphInputs {
  readonly [field: string]: GraphInput;
}
/** An input in a list, for the same reason as merges. */
export interface FieldInput extends GraphInput {
  readonly field: string;
}
export interface GraphInput {
  readonly required?: boolean;
  /** All that a given value must be. */
  readonly types?: readonly FieldType[];
}

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
export interface StateData {
  readonly [field: string]: Json;
}

// ---- Runs -----------------------------------------------------------------------------------------------

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

/** What a suspended run waits for. */
export interface WaitingFor {
  readonly node: string;
  /** The field that the answer fills, or null. */
  readonly field: string | null;
  readonly prompt: string;
  readonly options: readonly string[] | null;
  readonly type: FieldType | null;
}

/** Answers by node name. */
export interface Answers {
  readonly [node: string]: Json;
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

/** A suspended run as plain JSON data. */
export interface Checkpoint {
  readonly version: 1;
  readonly runId: string;
  readonly graph: string;
  readonly fingerprint: string;
  readonly steps: number;
  readonly durationMs: number;
  /** What the caller gave when the run began. */
  readonly given: StateData;
  /** Visits so far, by node. */
  readonly visits: { readonly [node: string]: number };
  /** A line of the run has ended right after a failure that no edge took. */
  readonly unhandled?: true;
  /** The run itself first, then the branches of splits that are under way, each after the line it belongs to. */
  readonly regions: readonly LineData[];
}

/** A node that a line came to, and whether it came over a failure edge. */
export interface Position {
  readonly node: string;
  readonly failure: boolean;
}

/** One line of a suspended run: the whole run, or one branch of a split. */
export interface LineData {
  /** The place of the line it belongs to in the list; null for the run. */
  readonly parent: number | null;
  /** The whole state of the run, or what the branch has written. */
  readonly state: StateData;
  readonly path: readonly string[];
  /** Nodes that wait for their turn. */
  readonly heads: readonly string[];
  /** The node that began the current stretch. */
  readonly start: string | null;
  /** Where the branch stopped so far. */
  readonly arrivals: readonly Position[];
  readonly asleep: AsleepData | null;
  /** The split that is under way. */
  readonly split: { readonly node: string; readonly edge: EdgeKind } | null;
  /** What was said in this line, by conversation. */
  readonly memory?: { readonly [conversation: string]: readonly Turn[] };
}

/** A visit that waits. */
export interface AsleepData {
  readonly node: string;
  readonly visit: number;
  readonly spec: WaitSpec;
  /** When the wait is over, in milliseconds since 1970; null without a limit. */
  readonly until: number | null;
}

// ---- Events ---------------------------------------------------------------------------------------------

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
