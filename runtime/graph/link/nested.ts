import type { AnyGraph } from "../contract/contract.js";

/** Marks an agent that runs another graph. */
const graphKey: unique symbol = Symbol.for("flowsheet.graph") as never;

/** Says which graph an agent runs. It is asked for late: graphs may call each other in circles. */
export function nested<A extends object>(agent: A, graph: () => AnyGraph): A {
  return Object.assign(agent, { [graphKey]: graph });
}

/** The graph that an agent runs; null for all other agents. */
export function childOf(agent: object): AnyGraph | null {
  return (agent as { readonly [graphKey]?: () => AnyGraph })[graphKey]?.() ?? null;
}

export const isNested = (agent: object): boolean => Object.hasOwn(agent, graphKey);
