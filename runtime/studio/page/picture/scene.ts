import type { Drawing, Point, Shape, Way } from "../../../draw/svg/geometry.js";
import type { GraphOfSheet, NodeOfGraph } from "../engine/messages.js";
import { type Extent, extentOf, extentOfWay } from "./extents.js";

export interface SceneShape {
  readonly shape: Shape;
  readonly extent: Extent;
  /** Null for signs. */
  readonly node: NodeOfGraph | null;
}

export interface SceneWay {
  readonly way: Way;
  readonly extent: Extent;
}

/** A drawing with what the page must know of each part of it. */
export interface Scene {
  readonly drawing: Drawing;
  readonly graph: GraphOfSheet;
  readonly shapes: readonly SceneShape[];
  readonly ways: readonly SceneWay[];
  /** The shape of each node. */
  readonly boxes: ReadonlyMap<number, Shape>;
}

export function sceneOf(drawing: Drawing, graph: GraphOfSheet): Scene {
  const shapes = drawing.shapes.map((shape): SceneShape => {
    const node = shape.kind === "node" ? (graph.nodes[shape.node] ?? null) : null;
    return { shape, node, extent: extentOf(shape.box) };
  });
  const nodes = drawing.shapes.filter(({ kind }) => kind === "node");
  return {
    ...{ drawing, graph, shapes },
    ways: drawing.ways.map((way) => ({ way, extent: extentOfWay(way) })),
    boxes: new Map(nodes.map((shape) => [shape.node, shape])),
  };
}

/** The node whose box is at a point. */
export function nodeUnder({ shapes }: Scene, { x, y }: Point): NodeOfGraph | null {
  const isUnder = ({ left, right, top, bottom }: Extent): boolean =>
    x >= left && x <= right && y >= top && y <= bottom;
  return shapes.find(({ node, extent }) => node !== null && isUnder(extent))?.node ?? null;
}
