import type { EdgeOfGraph, GraphOfSheet } from "../engine/messages.js";

/** Where an arrow key leads from a node, and by which edge; null where there is no such edge. */
export interface Walked {
  readonly node: number;
  readonly by: EdgeOfGraph;
}

/** Down follows an edge, up goes back by one; left and right lead to the other nodes of the same node before. */
export function walk({ edges }: GraphOfSheet, from: number, key: string): Walked | null {
  const inside = edges.filter(({ to }) => to >= 0);
  const before = inside.find(({ to }) => to === from);
  if (key === "ArrowDown") return arrived(inside.find((edge) => edge.from === from));
  if (key === "ArrowUp") return before === undefined ? null : { node: before.from, by: before };
  const sisters = inside.filter((edge) => edge.from === before?.from);
  const at = sisters.findIndex(({ to }) => to === from);
  if (key === "ArrowRight") return arrived(sisters[at + 1]);
  return key === "ArrowLeft" ? arrived(sisters[at - 1]) : null;
}

const arrived = (by: EdgeOfGraph | undefined): Walked | null =>
  by === undefined ? null : { node: by.to, by };

/** A step in words, such as `Decline, echo, from Approve on failure`. */
export function sayWalk({ nodes }: GraphOfSheet, { node, by }: Walked): string {
  const { name = "", agent = "" } = nodes[node] ?? {};
  const from = nodes[by.from]?.name ?? "";
  const way = `${by.on === "next" ? "" : ` on ${by.on}`}`;
  return by.to === node ? `${name}, ${agent}, from ${from}${way}` : `${name}, ${agent}`;
}
