import type { GraphIR } from "../../compiler/ir.js";
import type { Edge } from "../../runtime/draw/edges.js";
import type { Flow } from "./tree-flow.js";

/** The nodes under each node: beside the line that goes on, or further along it. */
export interface Children {
  readonly side: readonly (readonly number[])[];
  readonly onward: readonly (readonly number[])[];
  /** What stands under no node: the entry and the beginnings of dead parts. */
  readonly tops: readonly number[];
}

/** Puts each node under its immediate dominator, in running order. O(nodes · log nodes + edges). */
export function sortChildren(graph: GraphIR, flow: Flow): Children {
  const side = graph.nodes.map((): number[] => []);
  const onward = graph.nodes.map((): number[] => []);
  const tops: number[] = [];
  const ranked = graph.nodes
    .map((_, v) => v)
    .sort((a, b) => (flow.rank[a] as number) - (flow.rank[b] as number));
  for (const v of ranked) {
    const parent = flow.above[v] as number;
    if (parent >= graph.nodes.length) tops.push(v);
    else if (!goesOn(flow, parent, v)) side[parent]?.push(v);
    else onward[parent]?.push(v);
  }
  flow.edges.forEach((edges, v) => {
    sortByEdges(side[v] as number[], edges);
  });
  return { side, onward, tops: [...tops].sort((a, b) => Number(b === 0) - Number(a === 0)) };
}

function sortByEdges(nodes: number[], edges: readonly Edge[]): void {
  if (nodes.length < 2) return;
  const place = new Map<number, number>();
  edges.forEach(({ to }, i) => {
    if (!place.has(to)) place.set(to, i);
  });
  nodes.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
}

/** True when the drawing goes straight on from a node to one that it dominates. */
function goesOn({ edges, main, meet, shared }: Flow, from: number, to: number): boolean {
  if (main[from] === to) return true;
  const direct = edges[from]?.some((edge) => edge.to === to) ?? false;
  return !direct || (shared[to] === 1 && meet[from] === to);
}
