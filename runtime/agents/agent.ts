import type { AgentContext, AgentFunction, Outcome } from "../graph/contract/contract.js";
import { AgentError } from "../graph/contract/errors.js";

export type { AgentContext, Outcome } from "../graph/contract/contract.js";
export { fail } from "../graph/contract/signal.js";

/** The base class of agents. A graph uses one instance, so it must not keep the state of a run. */
export abstract class Agent<in I = never, out R = unknown> {
  /** Exists only as a type: the agent's inputs and result. */
  declare readonly "~agent"?: (inputs: I) => R;
  abstract process(inputs: I, context: AgentContext): Outcome<R>;
}

export function defineAgent<I, R>(process: AgentFunction<I, R>): AgentFunction<I, R> {
  return process;
}

export type Inputs = { readonly [param: string]: unknown };

export function inputOf(inputs: Inputs, name: string): unknown {
  if (Object.hasOwn(inputs, name)) return inputs[name];
  throw new AgentError("agent_failed", `the settings name "${name}", which is no input of this node`);
}
