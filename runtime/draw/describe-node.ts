import { createBranches, NO_BRANCH } from "../../compiler/2-analyze/flow/branches.js";
import {
  createDigraph,
  type Digraph,
  reachableFrom,
  reversed,
} from "../../compiler/2-analyze/flow/digraph.js";
import { END, type FieldIR, type GraphIR } from "../../compiler/ir.js";
import { formatType } from "../../compiler/types/format-type.js";
import { edgeDescription, nodeDescription, nodeName, readersOf, type TargetName } from "./describe.js";
import { listEdges, silentEnds, targetName } from "./edges.js";

export type NodeReport = NonNullable<ReturnType<typeof describeNode>>;

/** Describes a node by its name; null when the graph has no such node. Linear in the graph. */
export function describeNode(graph: GraphIR, name: string) {
  const index = graph.nodes.findIndex((node) => node.name === name);
  const node = graph.nodes[index];
  if (node === undefined) return null;
  const target = targetName(graph);
  const edges = listEdges(graph).flat();
  const inner = edges.filter(({ to }) => to !== END);
  const list = { from: inner.map(({ from }) => from), to: inner.map(({ to }) => to) };
  const flow = createDigraph(graph.nodes.length, list);
  const [before, after] = [beyond(reversed(flow), index), beyond(flow, index)];
  // A node that no run reaches neither sets nor reads anything.
  const live = (v: number): boolean => !node.reachable || graph.nodes[v]?.reachable === true;
  const names = (nodes: readonly number[], among: Uint8Array): readonly string[] =>
    nodes.filter((v) => among[v] === 1 && live(v)).map((v) => nodeName(graph, v));
  const fields = new Map(graph.fields.map((field) => [field.name, field]));
  const typeOf = (own: string | null, field: FieldIR | undefined): string | null =>
    own ?? (field === undefined ? null : formatType(field.type));
  const description = nodeDescription(node, target);
  return {
    ...description,
    graph: graph.name,
    file: graph.file,
    entry: index === 0,
    inputs: description.inputs.map((input) => {
      const field = fields.get(input.field);
      // Who sets it before the node reads it.
      const from = names(field?.writers ?? [], before);
      return { ...input, type: typeOf(input.type, field), from, caller: field?.input ?? null };
    }),
    outputs: description.outputs.map((output) => {
      const field = fields.get(output.field);
      // Who reads it after the node has written it.
      const readers = field === undefined ? [] : names(readersOf(graph, field), after);
      return { ...output, type: typeOf(output.type, field), for: readers };
    }),
    edges_in: edges.filter(({ to }) => to === index).map((edge) => edgeDescription(graph, edge, target)),
    edges_out: edges.filter(({ from }) => from === index).map((edge) => edgeDescription(graph, edge, target)),
    // Outcomes after which the run ends because no column says where it goes; `next` is any outcome.
    ends: silentEnds(node),
    in_branches: branchesOf(graph, index, target),
  };
}

function beyond(graph: Digraph, v: number): Uint8Array {
  return reachableFrom(graph, graph.to.subarray(graph.start[v], graph.start[v + 1]));
}

function branchesOf(graph: GraphIR, index: number, target: (to: number) => TargetName) {
  const { at, find } = createBranches(graph.nodes.length, graph.splits);
  return graph.splits.flatMap(({ node, by, branches, meet }, split) => {
    const found = find(split, index);
    if (found === NO_BRANCH) return [];
    // Its number in the list, from 1.
    const branch = found - at(split, 0) + 1;
    return [{ split: nodeName(graph, node), on: by, branch, branches: branches.length, meet: target(meet) }];
  });
}
