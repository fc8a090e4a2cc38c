import type { GraphIR, NodeIR, ReadIR, Target as TargetIR, WriteIR } from "../../../compiler/ir.js";
import type {
  AnyAgent,
  AnyGraph,
  BranchNodes,
  EdgeKind,
  GraphInput,
  GraphInputs,
  Node,
  Route,
  Splits,
  TakeSpec,
  Target,
  Write,
} from "../contract/contract.js";
import { AgentError } from "../contract/errors.js";
import { createGraph } from "../graph.js";
import { fingerprintOf } from "./fingerprint.js";
import { linkInputs, linkPrompt } from "./readers.js";
import { END } from "./targets.js";

/** Where `link` finds the agent of a type; undefined when there is none. */
export interface AgentSource {
  find(type: string, node: NodeIR): AnyAgent | undefined;
}

/** Makes a graph that can be run out of what analysis found. Cost: linear in the graph. */
export function link(graph: GraphIR, agents: AgentSource): AnyGraph {
  const nodes: { [name: string]: Node<unknown, string> } = Object.create(null);
  const routes: { [name: string]: Route } = Object.create(null);
  for (const node of graph.nodes) {
    nodes[node.name] = linkNode(node, agents);
    routes[node.name] = linkRoute(graph, node);
  }
  let fingerprint: string | undefined;
  let inputs: GraphInputs | undefined;
  return createGraph({
    name: graph.name,
    entry: graph.nodes[0]!.name,
    nodes,
    routes,
    splits: linkSplits(graph),
    // Only suspended runs ask for it.
    get fingerprint(): string {
      fingerprint ??= fingerprintOf(graph);
      return fingerprint;
    },
    // Only graphs that are called need it.
    get inputs(): GraphInputs {
      inputs ??= linkGiven(graph);
      return inputs;
    },
  });
}

function linkNode(node: NodeIR, agents: AgentSource): Node<unknown, string> {
  return {
    agent: agents.find(typeOf(node), node) ?? missingAgent(node),
    type: node.agent.written,
    inputs: linkInputs(node.reads),
    prompt: node.prompt === null ? undefined : linkPrompt(node.prompt, node.reads),
    takes: node.reads.flatMap(linkTake),
    writes: node.writes.map(linkWrite),
    settings: linkSettings(node),
    merge: node.merge,
    ...(node.retry === null ? {} : { retry: node.retry }),
    ...(node.timeoutMs === null ? {} : { timeoutMs: node.timeoutMs }),
    ...(node.maxVisits === null ? {} : { maxVisits: node.maxVisits }),
  };
}

/** An agent of the project goes by what the sheet calls it: `EchoAgent` without its end would be a built-in one. */
const typeOf = ({ agent }: NodeIR): string => (agent.builtin ? agent.type : agent.written);

function linkTake({ param, field, path, optional, type, held }: ReadIR): readonly TakeSpec[] {
  return held && type !== null ? [{ param, field, path, optional, type }] : [];
}

function linkWrite({ field, key, type, annotated }: WriteIR): Write {
  return key === field && !annotated
    ? field
    : { field, key, type: annotated && type !== null ? type : undefined };
}

/** What only says where a switch leads stands in the routes. */
function linkSettings({ agent, settings }: NodeIR): NodeIR["settings"] {
  const { cases, default: otherwise, ...others } = settings;
  return agent.builtin && agent.type === "switch" ? others : settings;
}

/** A node whose agent is not there can still be stood in for. */
function missingAgent(node: NodeIR): AnyAgent {
  return () => {
    throw new AgentError("agent_failed", `there is no agent "${node.agent.written}"`);
  };
}

function linkRoute(graph: GraphIR, node: NodeIR): Route {
  const name = (target: TargetIR): string | null => (target === END ? null : graph.nodes[target]!.name);
  const list = (targets: readonly TargetIR[]): Target<string> =>
    targets.length === 1 ? name(targets[0]!) : targets.map(name);
  const cases = node.cases.map(({ value, target }) => [value, name(target)] as const);
  return {
    ...(node.next.length === 0 ? {} : { next: list(node.next) }),
    ...(node.onSuccess.length === 0 ? {} : { success: list(node.onSuccess) }),
    ...(node.onFailure.length === 0 ? {} : { failure: list(node.onFailure) }),
    ...(node.maxVisits === null ? {} : { limit: name(node.onLimit) }),
    ...(cases.length === 0 ? {} : { cases: Object.fromEntries(cases) }),
    ...(node.otherwise === null ? {} : { otherwise: name(node.otherwise) }),
    ...(node.candidates.length === 0 ? {} : { about: linkAbout(graph, node) }),
  };
}

function linkAbout(graph: GraphIR, { candidates }: NodeIR): { readonly [node: string]: string } {
  return Object.fromEntries(candidates.map(({ target, about }) => [graph.nodes[target]!.name, about]));
}

/** What a graph that calls this one must give. */
function linkGiven({ fields }: GraphIR): GraphInputs {
  const inputs: { [field: string]: GraphInput } = Object.create(null);
  for (const { name, input, checks } of fields) {
    if (input === "required" || checks.length > 0)
      inputs[name] = { required: input === "required", types: checks };
  }
  return inputs;
}

function linkSplits(graph: GraphIR): Splits {
  const splits: { [node: string]: { [E in EdgeKind]?: readonly BranchNodes[] } } = Object.create(null);
  const names = (nodes: readonly number[]): readonly string[] => nodes.map((v) => graph.nodes[v]!.name);
  for (const split of graph.splits) {
    const { name } = graph.nodes[split.node]!;
    const branches = split.branches.map(({ own, others }) => ({ own: names(own), others: names(others) }));
    splits[name] = { ...splits[name], [split.by]: branches };
  }
  return splits;
}
