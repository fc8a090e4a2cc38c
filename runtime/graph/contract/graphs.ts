/** What graphs are, as modules write them down: types only. */

import type { FieldType, Json, MergeKind } from "../../../compiler/ir.js";

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
