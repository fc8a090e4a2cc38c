/** Types of graphs as modules define them. This file holds no code. */

import type { FieldType, Json, MergeKind } from "../../../compiler/ir.js";
import type { CatchUp, Overlap } from "../../../compiler/types/schedule-options.js";

export interface Settings {
  readonly [name: string]: Json;
}

/** One output of a node: `key` is the entry of the agent's result, `field` is where it is written. */
export interface WriteSpec<F extends string = string> {
  readonly field: F;
  readonly key?: string;
  readonly type?: FieldType | undefined;
}

/** An input with a type that its source may not have. Text is converted when it reads as that type. */
export interface TakeSpec {
  readonly param: string;
  /** The field that is read, when it has another name. */
  readonly field?: string;
  readonly path?: readonly string[];
  /** There may be nothing at the path. */
  readonly optional?: boolean;
  readonly type: FieldType;
}

/** An output of a node. A field alone takes the entry of the same name. */
export type Write = string | WriteSpec;

/** The fields that a node reads: `Sure` are always set when it is reached, `Maybe` may be unset. */
export type Reads<S, Sure extends keyof S, Maybe extends keyof S = never> = {
  readonly [K in Sure]-?: S[K];
} & ([Maybe] extends [never] ? unknown : { readonly [K in Maybe]?: S[K] });

/**
 * The inputs that a node gives a graph. An optional field may be undefined. A field of `F` is only read by prompts,
 * so it may be of any type.
 */
export type Passed<Input, F extends keyof Input = never> = {
  readonly [K in keyof Input]: K extends F
    ? unknown
    : Record<never, never> extends Pick<Input, K>
      ? Input[K] | undefined
      : Input[K];
};

/** The state inside a branch of a split. A field that becomes a list at the meeting holds one item here. */
export type Branch<S, F extends keyof S> = {
  readonly [K in keyof S]: K extends F ? Item<S[K]> : S[K];
};

/** The items that a value adds to a list: those of a list, or the value itself. */
export type Item<V> = V extends readonly (infer E)[] ? E : V;

/** The type of the value at a path, as far as it is known. */
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

/** Repeats throws and time-outs. A signalled failure is an answer, so it is never repeated. */
export interface RetryPolicy {
  /** All attempts, with the first one. */
  readonly attempts: number;
  readonly delayMs?: number;
  readonly factor?: number;
  readonly maxDelayMs?: number;
}

/** What a node may know of its run. Times are ISO texts in UTC. */
export interface RunValues {
  readonly runId: string;
  /** The graph that the node belongs to. */
  readonly graph: string;
  readonly startedAt: string;
  /** The user who started it; undefined when nobody is known. */
  readonly startedBy: string | undefined;
  /** The clock of the visit: the same for all of its attempts. */
  readonly now: string;
  /** Its date in the graph's time zone. */
  readonly today: string;
}

/** The rows of tables by the name of the file, each a mapping from columns to texts. */
export interface Tables {
  readonly [file: string]: Json | undefined;
}

/** The settings of a node, without its routes. */
export interface NodeSettings {
  /** The agent's type, as the sheet writes it. */
  readonly type?: string;
  /** The files of the data folder that its formula looks things up in. */
  readonly tables?: string | readonly string[];
  readonly settings?: Settings;
  readonly retry?: RetryPolicy;
  /** It holds for each attempt, and for the wait for an answer. */
  readonly timeoutMs?: number;
  /** The visit after the last allowed one follows the route's `limit` instead. */
  readonly maxVisits?: number;
  /** How the values of several branches of this node's split become one value. */
  readonly merge?: { readonly [field: string]: MergeKind } | readonly FieldMerge[];
}

/** A merge in a list. In a record, TypeScript takes a field such as `toString` for the method of that name. */
export interface FieldMerge {
  readonly field: string;
  readonly kind: MergeKind;
}

/** A node: its agent, and what it writes. */
export interface Node<A, out W extends PropertyKey = never> extends NodeSettings {
  readonly agent: A;
  readonly "~writes"?: W;
  readonly inputs: (state: never, run: RunValues) => unknown;
  readonly prompt?: ((inputs: never, state: never) => string) | undefined;
  /** The formula of the node, for agents that decide or answer by it. */
  readonly compute?: ((inputs: never, tables: Tables) => unknown) | undefined;
  readonly takes?: TakeSpec | readonly TakeSpec[];
  readonly writes?: Write | readonly Write[];
}

export type NodeTable = { readonly [name: string]: Node<unknown, PropertyKey> };

/** A node, `"END"`, or a list of several: a split. When a node is named END, null is the end. */
export type Target<N extends string> = N | "END" | null | readonly (N | "END" | null)[];

/** The targets of a node's outcomes. An outcome without target ends the run; a throw without `failure` fails it. */
export interface Route<N extends string = string> {
  readonly next?: Target<N>;
  readonly success?: Target<N>;
  readonly failure?: Target<N>;
  /** Where the visit after the last allowed one goes; the end without one. */
  readonly limit?: N | "END" | null;
  /** For an agent that chooses: more names for targets, beside the names of nodes. Case does not count. */
  readonly cases?: { readonly [value: string]: N | "END" | null };
  /** The target when the agent chooses an unknown name. */
  readonly otherwise?: N | "END" | null;
  /** The descriptions of the nodes to choose from, for an agent that compares them. */
  readonly about?: { readonly [node: string]: string };
}

export type Routes<N extends string> = { readonly [K in N]: Route<N> };

export type EdgeKind = "next" | "success" | "failure";

/**
 * The nodes of each branch of each split, in the order of its targets. A list of targets that is missing here is a
 * choice: the agent names one.
 */
export type Splits<N extends string = string> = {
  readonly [K in N]?: { readonly [E in EdgeKind]?: readonly BranchNodes<N>[] };
};

/**
 * The nodes of one branch. `own` leaves out nodes of splits inside it. `others` can also be reached without the
 * split, so the branches around do not own them.
 */
export type BranchNodes<N extends string = string> =
  | readonly N[]
  | { readonly own: readonly N[]; readonly others?: readonly N[] };

/** A graph as a generated module or `link` defines it. */
export interface GraphDefinition<T, N extends string = keyof T & string> {
  readonly name: string;
  readonly entry: N;
  readonly nodes: T;
  readonly routes: Routes<N>;
  readonly splits?: Splits<N>;
  /** The version of the contract that the module was generated for. */
  readonly contract?: number;
  /** A hash of the graph's meaning. A suspended run goes on only in a graph with the same one. */
  readonly fingerprint: string;
  /** Where it is `$today`; without it the time zone of the run. */
  readonly timezone?: string;
  /** When workers begin runs of it: a cron expression, by the clock of `timezone`. */
  readonly schedule?: string;
  /** Which of the times are made up for at which nobody was at work: the last one, if it is not said. */
  readonly catchUp?: CatchUp;
  /** What becomes of a time at which a run of the schedule has not ended: one more begins, if it is not said. */
  readonly overlap?: Overlap;
  /** How requests from outside begin runs of it, as the sheet says it. */
  readonly webhook?: { readonly [part: string]: string | readonly string[] };
  /** False: assistants are not offered it as a tool. */
  readonly mcp?: boolean;
  /** The inputs that a calling graph must give. Without them nothing is checked. */
  readonly inputs?: GraphInputs | readonly FieldInput[];
}

export interface GraphInputs {
  readonly [field: string]: GraphInput;
}

/** An input in a list, for the same reason as `FieldMerge`. */
export interface FieldInput extends GraphInput {
  readonly field: string;
}

export interface GraphInput {
  readonly required?: boolean;
  /** The types that a given value must all fit. */
  readonly types?: readonly FieldType[];
}
