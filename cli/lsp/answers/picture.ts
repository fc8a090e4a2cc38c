import type { GraphIR } from "../../../compiler/ir.js";
import { offsetOf } from "../open/places.js";
import { graphAt } from "../open/rows.js";
import type { Asked } from "../requests.js";
import { positionIn } from "../wire/wanted.js";

export interface Picture {
  readonly graph: string;
  readonly svg: string;
}

/** `flowsheet/picture`: the graph of the row under the caret, as `inspect --format svg` draws it; null without one. A very large one is not drawn. */
export function picture({ file, view }: Asked, params: unknown): Promise<Picture> | null {
  const graph = graphAt(view, offsetOf(file.document, positionIn(params)));
  return graph === null ? null : draw(graph);
}

async function draw(graph: GraphIR): Promise<Picture> {
  const { drawSoon } = await import("../../../runtime/draw/svg/svg.js");
  return { graph: graph.name, svg: await drawSoon(graph) };
}
