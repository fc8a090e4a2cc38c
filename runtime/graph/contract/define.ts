import { createGraph } from "../graph.js";
import type {
  FieldType,
  Graph,
  GraphDefinition,
  InputsOf,
  Node,
  NodeSettings,
  NodeTable,
  ResultOf,
  RunValues,
  Tables,
  TakeSpec,
} from "./contract.js";
import { DefinitionError } from "./errors.js";

type Sure<S> = { readonly [K in keyof S]-?: S[K] };
type FieldOf<S, F> = F extends keyof S ? Sure<S>[F] : never;

type Entry = string | { readonly field: string; readonly key?: string; readonly type?: FieldType };
type EntryField<E> = E extends string ? E : E extends { readonly field: infer F extends string } ? F : never;
type EntryKey<E> = E extends { readonly key: infer K extends string } ? K : EntryField<E>;

/**
 * The fields that a node writes. When the agent's result does not fit them, the type is a text with the reason, which
 * no table accepts. It is checked against the result of `node`: TypeScript computes parameter types again at each
 * step of inference. Plain values take a short way for the same reason.
 */
type Fields<S, R, E> = [R] extends [Plain]
  ? E extends keyof S
    ? // What is undefined is not written.
      [R] extends [Sure<S>[E] | undefined]
      ? E
      : Unfit<E>
    : Fitting<E, Misfit<S, R, E>>
  : Fitting<E, Misfit<S, R, E>>;
type Plain = string | number | boolean | null | undefined;
type Fitting<E, M> = [M] extends [never] ? EntryField<E> : Unfit<M>;
type Unfit<F> = `${F & string}: the agent's result does not fit this field`;

/** The outputs that the agent's result does not fit; never when all fit. A result of unknown type always fits. */
type Misfit<S, R, E> = unknown extends R
  ? never
  : E extends Entry
    ? Unfitting<Exclude<Given<R, E>, undefined>, FieldOf<S, EntryField<E>>, EntryField<E>>
    : never;
type Unfitting<G, T, F> = unknown extends G
  ? never
  : [G] extends [never]
    ? never
    : [G] extends [Absent]
      ? F
      : [G] extends [T]
        ? never
        : [Literal<G>] extends [T]
          ? never
          : F;
/** An interface has no index signature, so it is written out as a type literal, which may have one. */
type Literal<G> = G extends (...args: never) => unknown
  ? G
  : G extends object
    ? { [K in keyof G]: Literal<G[K]> }
    : G;
type Given<R, E> = E extends { readonly type: { readonly kind: "object" } } ? R : Entries<R, EntryKey<E>>;
/** Like Written, but a mapping that lacks the key is refused. */
type Entries<R, K extends PropertyKey> = R extends readonly unknown[]
  ? R
  : R extends object
    ? K extends KnownKeys<R>
      ? R[K & keyof R]
      : string extends keyof R
        ? R
        : Absent
    : R;
/** The keys that a result names. Keys of an index signature are left out. */
type KnownKeys<R> = keyof { [K in keyof R as string extends K ? never : K]: unknown };
interface Absent {
  readonly "~": "the agent's result has no such entry";
}

interface NodeOptions<S, I, E, R> extends NodeSettings {
  readonly inputs: (state: Sure<S>, run: RunValues) => I;
  readonly prompt?: string | ((inputs: I, state: { readonly error?: string }) => string);
  readonly compute?: (inputs: I, tables: Tables) => NoInfer<R>;
  readonly takes?: TakeSpec | readonly TakeSpec[];
  readonly writes?: E | readonly E[];
}

/**
 * Makes the function that makes a graph's nodes. TypeScript checks each against the fields of the state. In a branch,
 * the fields a node reads, `R`, may have other types than those it writes.
 */
export function nodeOf<S, R = S>(): <A, I extends InputsOf<A>, const E extends Entry = never>(
  agent: A,
  options: NodeOptions<R, I, E, ResultOf<A>>,
) => Node<NoInfer<A>, Fields<S, ResultOf<A>, E>> {
  return (agent, options) => {
    const { prompt } = options;
    return { ...options, ...(typeof prompt === "string" ? { prompt: () => prompt } : {}), agent } as never;
  };
}

/** Nodes that write fields of the state, with results that fit these fields. */
type TableOf<T, State> = { readonly [N in keyof T]: Node<unknown, keyof State> };

/** Makes a graph that can be run from nodes and routes. */
export function defineGraph<Input, State>(): <T extends TableOf<T, State>>(
  definition: GraphDefinition<T>,
) => Graph<Input, State, T> {
  return <T>(definition: GraphDefinition<T>) => {
    const { contract = CONTRACT, name } = definition;
    if (!(contract >= 1 && contract <= CONTRACT))
      throw new DefinitionError(
        `the module of graph "${name}" is made for contract ${contract}, this version of flowsheet has ${CONTRACT}; run: flowsheet compile`,
      );
    return createGraph(definition as unknown as GraphDefinition<NodeTable>) as unknown as Graph<
      Input,
      State,
      T
    >;
  };
}

/**
 * The version of the contract between generated modules and this runtime. Since 2, the driver checks values against
 * the types that nodes name, and a prompt may be a text. Since 3, nodes get values of the run. Since 4, they may have
 * formulas.
 */
export const CONTRACT = 4;
