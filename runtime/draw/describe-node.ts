import {
  createDigraph,
  type Digraph,
  reachableFrom,
  reversed,
} from "../../compiler/2-analyze/flow/digraph.js";
import { createBranches, NO_BRANCH } from "../../compiler/branches.js";
import { END, type FieldIR, type GraphIR, type SplitIR } from "../../compiler/ir.js";
import { formatType } from "../../compiler/types/format-type.js";
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
import { type Edge, listEdges, silentEnds, targetName } from "./edges.js";

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
  const description = nodeDescription(node, target);
  const around = lookAround(graph, index, edges);
  return {
    ...description,
    graph: graph.name,
    file: graph.file,
    entry: index === 0,
    inputs: description.inputs.map(around.readOf),
    outputs: description.outputs.map(around.writeOf),
    edges_in: edges.filter(({ to }) => to === index).map((edge) => edgeDescription(graph, edge, target)),
    edges_out: edges.filter(({ from }) => from === index).map((edge) => edgeDescription(graph, edge, target)),
    ends: silentEnds(node),
    in_branches: branchesOf(graph, index, target),
  };
}

interface Around {
  readonly readOf: (input: InputDescription) => ReadReport;
  readonly writeOf: (output: OutputDescription) => WriteReport;
}

function lookAround(graph: GraphIR, index: number, edges: readonly Edge[]): Around {
  const inner = edges.filter(({ to }) => to !== END);
  const list = { from: inner.map(({ from }) => from), to: inner.map(({ to }) => to) };
  const flow = createDigraph(graph.nodes.length, list);
  const [before, after] = [beyond(reversed(flow), index), beyond(flow, index)];
  // A node that no run reaches neither sets nor reads anything.
  const live = (v: number): boolean =>
    graph.nodes[index]?.reachable === false || graph.nodes[v]?.reachable === true;
  const names = (nodes: readonly number[], among: Uint8Array): readonly string[] =>
    nodes.filter((v) => among[v] === 1 && live(v)).map((v) => nodeName(graph, v));
  const fields = new Map(graph.fields.map((field) => [field.name, field]));
  const typeOf = (own: string | null, field: FieldIR | undefined): string | null =>
    own ?? (field === undefined ? null : formatType(field.type));
  return {
    readOf: (input) => {
      const field = fields.get(input.field);
      const from = names(field?.writers ?? [], before);
      return { ...input, type: typeOf(input.type, field), from, caller: field?.input ?? null };
    },
    writeOf: (output) => {
      const field = fields.get(output.field);
      const readers = field === undefined ? [] : names(readersOf(graph, field), after);
      return { ...output, type: typeOf(output.type, field), for: readers };
    },
  };
}

/** The nodes that can be reached from a node by at least one edge. */
function beyond(graph: Digraph, v: number): Uint8Array {
  return reachableFrom(graph, graph.to.subarray(graph.start[v], graph.start[v + 1]));
}

function branchesOf(
  graph: GraphIR,
  index: number,
  target: (to: number) => TargetName,
): readonly BranchReport[] {
  const { at, find } = createBranches(graph.nodes.length, graph.splits);
  return graph.splits.flatMap(({ node, by, branches, meet }, split) => {
    const found = find(split, index);
    if (found === NO_BRANCH) return [];
    return [
      {
        split: nodeName(graph, node),
        on: by,
        branch: found - at(split, 0) + 1,
        branches: branches.length,
        meet: target(meet),
      },
    ];
  });
}
