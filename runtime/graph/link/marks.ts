import type { AnyGraph } from "../contract/contract.js";

/** Marks an agent that runs another graph. */
const graphKey: unique symbol = Symbol.for("flowsheet.graph") as never;

/** Marks an agent with its sub-graph. A function, because graphs may call each other in cycles. */
export function nested<A extends object>(agent: A, graph: () => AnyGraph): A {
  return Object.assign(agent, { [graphKey]: graph });
}

/** The graph that an agent runs; null for all other agents. */
export function childOf(agent: object): AnyGraph | null {
  return (agent as { readonly [graphKey]?: () => AnyGraph })[graphKey]?.() ?? null;
}

export const isNested = (agent: object): boolean => Object.hasOwn(agent, graphKey);

/** Marks an agent that asks a person, unless the caller gave the answer at the start. */
const asks: unique symbol = Symbol.for("flowsheet.asks") as never;

export function asking<A extends object>(agent: A): A {
  return Object.assign(agent, { [asks]: true });
}

export const isAsking = (agent: object): boolean => Object.hasOwn(agent, asks);

/** Marks an agent whose answer depends only on its inputs, prompt and settings. */
const pureKey: unique symbol = Symbol.for("flowsheet.pure") as never;

/** Durable runs call a pure agent again instead of recording its answer. */
export function pure<A extends object>(agent: A): A {
  return Object.assign(agent, { [pureKey]: true });
}

export const isPure = (agent: object): boolean => Object.hasOwn(agent, pureKey);

const builtin = new WeakSet<object>();

/** Marks a synchronous agent of this package. It gets the visit itself, which saves the context. */
export function ours<A extends object>(agent: A): A {
  builtin.add(agent);
  return agent;
}

export const isOurs = (agent: object): boolean => builtin.has(agent);
