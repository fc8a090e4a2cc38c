import type { GraphIR } from "../../../compiler/ir.js";
import { listEdges } from "../edges.js";
import { align } from "./align.js";
import { createDiagram } from "./diagram.js";
import type { Drawing } from "./geometry.js";
import { preferListOrder, untangle } from "./order.js";
import { placeDiagram } from "./placement.js";
import { routeLinks } from "./route.js";

/** Larger graphs take long to lay out, and nobody could read them. */
const NODE_LIMIT = 200;

/** Gives everything in a graph its place. Past a limit only the nodes next to the entry are shown. */
export async function layOutGraph(graph: GraphIR): Promise<Drawing> {
  const shown = nearest(graph, NODE_LIMIT);
  const placement = await placeDiagram(createDiagram(graph, shown));
  untangle(placement);
  preferListOrder(placement);
  return { ...align(placement), ...routeLinks(placement), left: graph.nodes.length - shown.length };
}

/** The first nodes that a walk in all directions from the entry comes to, then others, in the order of the sheet. Linear. */
function nearest(graph: GraphIR, limit: number): readonly number[] {
  if (graph.nodes.length <= limit) return graph.nodes.map((_, v) => v);
  const edges = listEdges(graph);
  const seen = new Set<number>([0]);
  for (const v of seen) {
    if (seen.size >= limit) break;
    for (const { to } of edges[v] ?? []) if (to >= 0) seen.add(to);
  }
  for (let v = 0; seen.size < limit; v++) seen.add(v);
  return [...seen].slice(0, limit).sort((a, b) => a - b);
}
