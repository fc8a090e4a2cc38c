import {
  contractOf,
  inputData,
  nodeData,
  routeData,
  scheduleData,
  splitData,
} from "../../../compiler/definition.js";
import type { GraphIR, NodeIR } from "../../../compiler/ir.js";
import { webhookData } from "../../../compiler/types/webhook.js";
import type { AnyAgent, AnyGraph, Node, Route } from "../contract/contract.js";
import { AgentError } from "../contract/errors.js";
import { createGraph } from "../graph.js";
import { linkCompute } from "./compute.js";
import { fingerprintOf } from "./fingerprint.js";
import { linkInputs, linkPrompt } from "./readers.js";

/** Finds the agent of a type; undefined when there is none. */
export interface AgentSource {
  find(type: string, node: NodeIR): AnyAgent | undefined;
}

/** Makes a graph that can be run from the model of a sheet. Cost: linear in the graph. */
export function link(graph: GraphIR, agents: AgentSource): AnyGraph {
  const nodes: { [name: string]: Node<unknown, string> } = Object.create(null);
  const routes: { [name: string]: Route } = Object.create(null);
  const routeOf = routeData(graph);
  for (const node of graph.nodes) {
    nodes[node.name] = linkNode(node, agents);
    routes[node.name] = routeOf(node);
  }
  let fingerprint: string | undefined;
  return createGraph({
    name: graph.name,
    entry: graph.nodes[0]!.name,
    ...inputData(graph),
    nodes,
    routes,
    ...splitData(graph),
    ...(graph.timezone === null ? {} : { timezone: graph.timezone }),
    ...scheduleData(graph),
    ...(graph.webhook === null ? {} : { webhook: webhookData(graph.webhook) }),
    ...(graph.mcp === false ? { mcp: false } : {}),
    contract: contractOf(graph),
    // Computed on access, because only suspended runs need it.
    get fingerprint(): string {
      fingerprint ??= fingerprintOf(graph);
      return fingerprint;
    },
  });
}

function linkNode(node: NodeIR, agents: AgentSource): Node<unknown, string> {
  return {
    agent: agents.find(typeOf(node), node) ?? missingAgent(node),
    type: node.agent.written,
    inputs: linkInputs(node.reads),
    ...(node.prompt === null ? {} : { prompt: linkPrompt(node.prompt, node.reads) }),
    ...(node.compute === undefined ? {} : { compute: linkCompute(node.compute.tree) }),
    ...nodeData(node),
  };
}

/** A custom agent keeps the sheet's spelling: `EchoAgent` without `Agent` would be a built-in one. */
const typeOf = ({ agent }: NodeIR): string => (agent.builtin ? agent.type : agent.written);

/** An agent that is missing fails at its visit, so that a stand-in can take its place. */
function missingAgent(node: NodeIR): AnyAgent {
  return () => {
    throw new AgentError("agent_failed", `there is no agent "${node.agent.written}"`);
  };
}
