import type { AgentContext, AgentFunction, Outcome } from "../graph/contract/contract.js";

export type { AgentContext, Outcome } from "../graph/contract/contract.js";
export { fail } from "../graph/contract/signal.js";

/** The base of agents written as classes. One instance serves a whole graph, so it keeps no run's state. */
export abstract class Agent<in I = never, out R = unknown> {
  /** Only for the compiler: what the agent takes and gives. */
  declare readonly "~agent"?: (inputs: I) => R;
  abstract process(inputs: I, context: AgentContext): Outcome<R>;
}

/** Makes an agent of a function. */
export function defineAgent<I, R>(process: AgentFunction<I, R>): AgentFunction<I, R> {
  return process;
}
