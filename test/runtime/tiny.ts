import { defineGraph } from "flowsheet/graph";
import type {
  AgentContext,
  AnyGraph,
  Given,
  NodeSettings,
  Outcome,
  Route,
  Splits,
  StateData,
  WriteSpec,
} from "../../runtime/graph/contract/contract.js";

type Inputs = { readonly [param: string]: unknown };
/** An agent as tests write them. */
export type Act = (inputs: Inputs, context: AgentContext) => Outcome<unknown>;

/** A node as tests write them: names of fields, an agent, and where it leads. */
export interface Tiny extends NodeSettings, Route {
  readonly agent: Act;
  readonly reads?: readonly string[];
  readonly writes?: readonly (string | WriteSpec)[];
  readonly prompt?: (inputs: Inputs, state: Inputs) => string;
}

/** A small graph; its first node is the entry. A node without `writes` writes the field of its name. */
export function tiny(nodes: { readonly [name: string]: Tiny | Act }, splits: Splits = {}): AnyGraph {
  const entries = Object.entries(nodes).map(
    ([name, node]) => [name, typeof node === "function" ? { agent: node } : node] as const,
  );
  const made = entries.map(
    ([name, { reads = [], writes = [name], next, success, failure, limit, cases, otherwise, ...rest }]) => {
      const inputs = (state: StateData): Inputs =>
        Object.fromEntries(reads.map((field) => [field, state[field]]));
      return [name, { ...rest, writes, inputs }] as const;
    },
  );
  const routes = entries.map(([name, { next, success, failure, limit, cases, otherwise }]) => {
    const route = Object.entries({ next, success, failure, limit, cases, otherwise });
    return [name, Object.fromEntries(route.filter(([, target]) => target !== undefined))] as const;
  });
  return defineGraph<Given, StateData>()({
    name: "Tiny",
    entry: entries[0]?.[0] ?? "",
    nodes: Object.fromEntries(made),
    routes: Object.fromEntries(routes),
    splits,
    fingerprint: "tiny",
  }) as unknown as AnyGraph;
}

/** A chain of nodes, each leading to the next. */
export function chain(...agents: readonly Act[]): AnyGraph {
  const last = agents.length - 1;
  return tiny(
    Object.fromEntries(
      agents.map((agent, i) => [`N${i}`, i === last ? { agent } : { agent, next: `N${i + 1}` }]),
    ),
  );
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
