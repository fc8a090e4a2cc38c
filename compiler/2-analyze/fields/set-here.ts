import type { GraphIR, NodeIR, WriteIR } from "../../ir.js";
import { isObject } from "../../types/field-type.js";
import type { AgentFacts } from "../../world.js";
import { reachableFrom } from "../flow/digraph.js";
import { addTaken, type Doings, edgeGraph, type Flow, type Leaving } from "../flow/edges.js";
import { createFlowSystem } from "./set-flow.js";
import { solveUnset } from "./unset.js";

interface Node extends Leaving {
  readonly node: NodeIR;
}

export interface Known {
  readonly agents: readonly AgentFacts[];
  /** A graph that a node runs; null when it is not known. */
  readonly graphOf: (name: string) => GraphIR | null;
}

/**
 * Tells of a field and a node whether the field is set on every way there, also where the node does not read it yet.
 * Null for a node that no run comes to. The analysis answers for the reads of a sheet alone; this one answers for all
 * fields of a graph, and for `error`.
 */
export function findSetHere(graph: GraphIR, known: Known): (field: string, node: number) => boolean | null {
  const nodes = graph.nodes.map((node, index): Node => {
    const { builtin, type } = node.agent;
    const facts = builtin ? (known.agents.find((one) => one.type === type) ?? null) : null;
    return { node, index, facts, maxVisits: node.maxVisits };
  });
  const { flows, visited } = waysOf(nodes, known);
  const required = new Set(graph.fields.flatMap(({ name, input }) => (input === "required" ? [name] : [])));
  const writers = writersOf(nodes);
  const names = [...new Set([...writers.keys(), "error"])];
  const fields = names.map((name) => ({ writers: writers.get(name) ?? [], isError: name === "error" }));
  const unset = new Map<string, Uint8Array>();
  solveUnset(createFlowSystem(nodes.length, flows, graph.splits), fields, (first, count, isUnset) => {
    for (let field = first; field < first + count; field++)
      unset.set(
        names[field] as string,
        Uint8Array.from(nodes, (_, v) => Number(isUnset(field, v))),
      );
  });
  return (field, v) => (visited[v] === 1 ? required.has(field) || unset.get(field)?.[v] === 0 : null);
}

/** The edges that a run can come to, and the nodes. */
function waysOf(
  nodes: readonly Node[],
  known: Known,
): { readonly flows: Flow[]; readonly visited: Uint8Array } {
  const doings: Doings<Node> = {
    mayFail: ({ node }) => node.mayFail,
    keepsOutputs: ({ node }) => keepsOutputs(node, known),
  };
  const flows: Flow[] = [];
  for (const one of nodes) {
    const { onSuccess: success, onFailure: failure } = one.node;
    addTaken(flows, one, { ...one.node, success, failure }, doings);
  }
  const visited = reachableFrom(edgeGraph(nodes.length, flows), [0]);
  return { flows: flows.filter(({ from }) => visited[from] === 1), visited };
}

/** `keepsOutputs` of a node as it was understood. */
function keepsOutputs({ onFailure, settings, writes }: NodeIR, { graphOf }: Known): boolean {
  const name = settings["graph"];
  const fields = typeof name === "string" ? (graphOf(name)?.fields ?? []) : [];
  const takesState = ({ type }: WriteIR): boolean => writes.length === 1 && isObject(type);
  const isSet = (write: WriteIR): boolean =>
    write.key === "error" ||
    (fields.find((field) => field.name === write.key)?.setAtEnd ?? takesState(write));
  return onFailure.length === 0 && writes.every(isSet);
}

/** The nodes that set a field whenever they succeed. */
function writersOf(nodes: readonly Node[]): ReadonlyMap<string, readonly number[]> {
  const writers = new Map<string, number[]>();
  for (const { node, index, facts } of nodes) {
    for (const { field, sure } of node.writes) {
      if (facts?.asks === true && !sure) continue;
      const known = writers.get(field);
      if (known === undefined) writers.set(field, [index]);
      else if (known.at(-1) !== index) known.push(index);
    }
  }
  return writers;
}
