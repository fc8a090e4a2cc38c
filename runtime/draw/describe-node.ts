import { createDigraph, type Digraph, reachableFrom, reversed } from "../../compiler/2-analyze/digraph.js";
import { formatType } from "../../compiler/2-analyze/format-type.js";
import { END, type FieldIR, type GraphIR, type SplitIR } from "../../compiler/ir.js";
import {
  type EdgeDescription,
  edgeDescription,
  type InputDescription,
  type NodeDescription,
  nodeDescription,
  nodeName,
  type OutputDescription,
  readersOf,
  type TargetName,
} from "./describe.js";
import { listEdges, silentEnds, targetName } from "./edges.js";

/** An input, and who sets it before the node reads it. */
export interface ReadReport extends InputDescription {
  readonly from: readonly string[];
  readonly caller: "required" | "optional" | null;
}

/** An output, and who reads it after the node has written it. */
export interface WriteReport extends OutputDescription {
  readonly for: readonly string[];
}

/** A branch of a split that the node belongs to. */
export interface BranchReport {
  readonly split: string;
  readonly on: SplitIR["by"];
  /** Its number in the list, from 1. */
  readonly branch: number;
  readonly branches: number;
  readonly meet: TargetName;
}

/** All that a sheet says of one node. */
export interface NodeReport extends Omit<NodeDescription, "inputs" | "outputs"> {
  readonly graph: string;
  readonly file: string;
  readonly entry: boolean;
  readonly inputs: readonly ReadReport[];
  readonly outputs: readonly WriteReport[];
  readonly edges_in: readonly EdgeDescription[];
  readonly edges_out: readonly EdgeDescription[];
  /** Outcomes after which the run ends because no column says where it goes; `next` is any outcome. */
  readonly ends: readonly ("next" | "success" | "failure")[];
  readonly in_branches: readonly BranchReport[];
}

/** Describes a node by its name; null when the graph has no such node. Linear in the graph. */
export function describeNode(graph: GraphIR, name: string): NodeReport | null {
  const index = graph.nodes.findIndex((node) => node.name === name);
  const node = graph.nodes[index];
  if (node === undefined) return null;
  const target = targetName(graph);
  const edges = listEdges(graph).flat();
  const flow = createDigraph(graph.nodes.length, {
    from: edges.flatMap(({ from, to }) => (to === END ? [] : [from])),
    to: edges.flatMap(({ to }) => (to === END ? [] : [to])),
  });
  const before = beyond(reversed(flow), index);
  const after = beyond(flow, index);
  const field = (wanted: string): FieldIR | undefined => graph.fields.find((each) => each.name === wanted);
  const names = (nodes: readonly number[], among: Uint8Array): readonly string[] =>
    nodes.filter((v) => among[v] === 1).map((v) => nodeName(graph, v));
  const description = nodeDescription(node, target);
  return {
    ...description,
    graph: graph.name,
    file: graph.file,
    entry: index === 0,
    inputs: description.inputs.map((input) => {
      const known = field(input.field);
      const type = input.type ?? (known === undefined ? null : formatType(known.type));
      return { ...input, type, from: names(known?.writers ?? [], before), caller: known?.input ?? null };
    }),
    outputs: description.outputs.map((output) => {
      const known = field(output.field);
      return { ...output, for: known === undefined ? [] : names(readersOf(graph, known), after) };
    }),
    edges_in: edges.filter(({ to }) => to === index).map((edge) => edgeDescription(graph, edge, target)),
    edges_out: edges.filter(({ from }) => from === index).map((edge) => edgeDescription(graph, edge, target)),
    ends: silentEnds(node),
    in_branches: branchesOf(graph, index, target),
  };
}

/** What can be come to from a node by at least one edge. */
function beyond({ start, to, ...rest }: Digraph, v: number): Uint8Array {
  return reachableFrom({ start, to, ...rest }, to.subarray(start[v], start[v + 1]));
}

function branchesOf(
  graph: GraphIR,
  index: number,
  target: (to: number) => TargetName,
): readonly BranchReport[] {
  return graph.splits.flatMap(({ node, by, branches, meet }) => {
    const branch = branches.findIndex((nodes) => nodes.includes(index));
    if (branch === -1) return [];
    return [
      {
        split: nodeName(graph, node),
        on: by,
        branch: branch + 1,
        branches: branches.length,
        meet: target(meet),
      },
    ];
  });
}
