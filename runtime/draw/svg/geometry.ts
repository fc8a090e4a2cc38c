import type { Edge } from "../edges.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle; `x` and `y` are its middle. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** A line of text; `x` is where it begins, or its middle where it is centred; `y` is its base line. */
export interface TextLine extends Point {
  readonly text: string;
  readonly centred: boolean;
  readonly role: "name" | "agent" | "description" | "label" | "end";
}

export type ShapeKind = "node" | "start" | "end" | "fork" | "join";

/** Something with a place: a node of the graph, or a sign beside the nodes. */
export interface Shape {
  readonly kind: ShapeKind;
  /** The node that the sign belongs to. */
  readonly node: number;
  readonly box: Box;
  readonly lines: readonly TextLine[];
}

export interface Label {
  readonly box: Box;
  readonly line: TextLine;
  /** The whole text, for a tooltip. */
  readonly full: string;
}

/** A stretch of a way: straight without control points, otherwise a cubic curve. */
export interface Step {
  readonly to: Point;
  readonly control: readonly [Point, Point] | null;
}

export interface Way {
  /** The edge that the way draws, or a part of; null between a node and its signs. */
  readonly edge: Pick<Edge, "from" | "to" | "on"> | null;
  /** Both ends are indexes in the list of shapes. */
  readonly from: number;
  readonly to: number;
  /** The run ends because no column names a next node. */
  readonly silent: boolean;
  readonly start: Point;
  readonly steps: readonly Step[];
  /** The direction of the arrow; a way up is a way back. */
  readonly heading: "down" | "up" | "left";
  /** Ends at a bar, where an arrow would only be clutter. */
  readonly toBar: boolean;
  readonly label: Label | null;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
  readonly ways: readonly Way[];
}
