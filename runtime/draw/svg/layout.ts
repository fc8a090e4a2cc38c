import type { GraphIR } from "../../../compiler/ir.js";
import { layInLayers } from "../layers.js";
import { align } from "./align.js";
import { createDiagram } from "./diagram.js";
import type { Drawing } from "./geometry.js";
import { preferListOrder, putIslandsLast, untangle } from "./order.js";
import { placeDiagram } from "./placement.js";
import { routeLinks } from "./route.js";

/** Larger graphs would take seconds with dagre; they are laid in layers. */
const NODE_LIMIT = 120;

/** Gives everything in a graph its place. */
export async function layOutGraph(graph: GraphIR): Promise<Drawing> {
  const diagram = createDiagram(graph);
  if (graph.nodes.length > NODE_LIMIT) return layInLayers(diagram);
  const placement = await placeDiagram(diagram);
  untangle(placement);
  preferListOrder(placement);
  putIslandsLast(placement);
  return { ...align(placement), ...routeLinks(placement) };
}
