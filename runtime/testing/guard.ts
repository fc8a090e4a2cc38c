import { effectOf } from "../agents/effects.js";
import { builtinType, typesOfBuiltins } from "../agents/registry.js";
import type { AnyGraph, Services, Settings } from "../graph/contract/contract.js";
import { childOf } from "../graph/link/marks.js";
import { asksModel } from "../llm/lack.js";
import type { StandIn } from "./mocks.js";

export interface Offence {
  readonly node: string;
  readonly why: string;
  readonly cure: string;
}

export interface GuardedNode {
  readonly name: string;
  /** The agent as the sheet writes it. */
  readonly agent: string;
  readonly settings: Settings;
}

/** What a node must not do in a test, and the service that it would take; null for nothing. */
function effectIn({ agent, settings }: GuardedNode): readonly [what: string, service: string] | null {
  const type = builtinType(agent);
  if (type === undefined) return null;
  const own = effectOf(type, settings);
  if (own !== null) return own.reads ? null : [own.effect, own.service];
  return asksModel(type, settings) ? ["asks a model", "llm"] : null;
}

export interface GuardOptions {
  readonly missing: ReadonlySet<string>;
  /** The caller's services. A model among them may be asked. */
  readonly services: Services;
  readonly onOffence: (offence: Offence) => void;
}

/** The stand-in for a node that no case may run; null for all others. */
export function guardOf(node: GuardedNode, { missing, services, onOffence }: GuardOptions): StandIn | null {
  const refuse = (why: string, cure: string): StandIn => {
    const offence = { node: node.name, why: `node ${JSON.stringify(node.name)} ${why}`, cure };
    return () => {
      onOffence(offence);
      // The run is stopped, so this promise never resolves.
      return new Promise(() => {});
    };
  };
  const entry = `{${JSON.stringify(node.name)}: "what it gives"}`;
  if (missing.has(node.name))
    return refuse(
      `has no agent: there is no ${JSON.stringify(node.agent)}`,
      `write the agent, or write ${entry} into mocks`,
    );
  const effect = effectIn(node);
  if (effect === null || services[effect[1]] !== undefined) return null;
  return refuse(`${effect[0]}, which a test must not do`, `write ${entry} into mocks`);
}

/** Models and what changes something are refused unless the caller lends them. Reading is allowed. */
export function guardedServices(
  own: () => Services,
  { services, onOffence }: Omit<GuardOptions, "missing">,
): Services {
  const refuse = (what: string): never => {
    const why = `an agent ${what}, which a test must not do`;
    const cure = "mock the node whose agent it is; inside of sub-graphs it is named Call/Node";
    onOffence({ node: "", why, cure });
    throw new Error(why);
  };
  return {
    llm: { generate: async () => refuse("asks a model") },
    storage: {
      read: async (request) => {
        const { storage } = own();
        return storage === undefined ? refuse("reads files") : storage.read(request);
      },
      write: async () => refuse("writes files"),
    },
    web: {
      call: async (request) => {
        const { web } = own();
        const isRead = request.method === "GET" || request.method === "HEAD";
        return web === undefined || !isRead ? refuse("calls other services") : web.call(request);
      },
      notify: async () => refuse("sends messages"),
    },
    mail: { send: async () => refuse("sends mails") },
    mcp: { call: async () => refuse("calls tools") },
    sql: {
      run: async (call) => {
        const { sql } = own();
        return sql === undefined || !call.readOnly ? refuse("uses a database") : sql.run(call);
      },
    },
    ...services,
  };
}

/** The nodes of sub-graphs, by their names in cases: `Call/Ask`. */
export function innerNodes(
  graph: AnyGraph,
  prefix = "",
  above: readonly AnyGraph[] = [graph],
): readonly GuardedNode[] {
  return Object.entries(graph.definition.nodes).flatMap(([name, node]) => {
    const { agent } = node;
    const child = typeof agent === "function" ? childOf(agent) : null;
    // Recursion of graphs is followed only once.
    if (child === null || above.includes(child)) return [];
    const inside = `${prefix}${name}/`;
    const own = Object.entries(child.definition.nodes).map(([inner, { agent, type, settings = {} }]) => {
      const written = type ?? typesOfBuiltins.get(agent) ?? "";
      return { name: inside + inner, agent: written, settings };
    });
    return [...own, ...innerNodes(child, inside, [...above, child])];
  });
}
