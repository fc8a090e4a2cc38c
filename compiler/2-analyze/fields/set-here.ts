import type { GraphIR, NodeIR, WriteIR } from "../../ir.js";
import { isObject } from "../../types/field-type.js";
import type { AgentFacts } from "../../world.js";
import { reachableFrom } from "../flow/digraph.js";
import { addTaken, type Doings, edgeGraph, type Flow, type Leaving } from "../flow/edges.js";
import { memo, once } from "../flow/once.js";
import { createPrecedence } from "./fields.js";
import { createFlowSystem, type FlowSystem } from "./set-flow.js";
import { solveUnset } from "./unset.js";

interface Node extends Leaving {
  readonly node: NodeIR;
}

export interface Known {
  readonly agents: readonly AgentFacts[];
  /** A graph that a node runs; null when it is not known. */
  readonly graphOf: (name: string) => GraphIR | null;
}

/** The fields that are set on every way to a node; null for a node that no run comes to. */
export type SetHere = (node: number) => ReadonlySet<string> | null;

/**
 * Tells which fields of a graph, and whether `error`, are set on every way to a node, also where it does not read them
 * yet. The analysis answers for the reads of a sheet alone. Dominators answer for most fields, the fixpoint for the rest.
 */
export function findSetHere(graph: GraphIR, known: Known): SetHere {
  const nodes = graph.nodes.map((node, index): Node => {
    const { builtin, type } = node.agent;
    const facts = builtin ? (known.agents.find((one) => one.type === type) ?? null) : null;
    return { node, index, facts, maxVisits: node.maxVisits };
  });
  const { flows, visited } = waysOf(nodes, known);
  const required = graph.fields.flatMap(({ name, input }) => (input === "required" ? [name] : []));
  const writers = [...writersOf(nodes)];
  const { isWritten, isAfterFailure } = createPrecedence(nodes.length, flows);
  const system = once(() => createFlowSystem(nodes.length, flows, graph.splits));
  const isSplit = graph.splits.length > 0;
  const mayBeError = flows.some(({ error }) => error) || writers.some(([name]) => name === "error");
  const setAt = memo((v: number): ReadonlySet<string> => {
    const set = new Set(required);
    const open: Tracked[] = [];
    for (const [name, writing] of writers) {
      if (name !== "error" && isWritten(writing, v)) set.add(name);
      // The one writer of a graph without splits is on every way, or it is not.
      else if (name !== "error" && (isSplit || writing.length > 1)) open.push({ name, writers: writing });
    }
    if (isAfterFailure(v)) set.add("error");
    else if (mayBeError)
      open.push({ name: "error", writers: writers.find(([name]) => name === "error")?.[1] ?? [] });
    if (open.length > 0) addSolved(set, system(), open, v);
    return set;
  });
  return (v) => (visited[v] === 1 ? setAt(v) : null);
}

interface Tracked {
  readonly name: string;
  readonly writers: readonly number[];
}

function addSolved(set: Set<string>, system: FlowSystem, open: readonly Tracked[], v: number): void {
  const fields = open.map(({ name, writers }) => ({ writers, isError: name === "error" }));
  solveUnset(system, fields, (first, count, isUnset) => {
    for (let field = first; field < first + count; field++)
      if (!isUnset(field, v)) set.add((open[field] as Tracked).name);
  });
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
    for (const { field, key, sure } of node.writes) {
      // A comment, or a header of an answer, may not be there.
      if (!sure && (facts?.asks === true || key.startsWith("$headers."))) continue;
      const known = writers.get(field);
      if (known === undefined) writers.set(field, [index]);
      else if (known.at(-1) !== index) known.push(index);
    }
  }
  return writers;
}
