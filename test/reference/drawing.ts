import { columnOf, END, indices, nodeAt, type RefGraph, type RefNode, type Target } from "./graph.js";

const cell = (label: string, targets: readonly Target[]): string =>
  targets.length === 0 ? "" : ` ${label} ${targets.map((to) => (to === END ? "END" : `${to}`)).join("|")}`;

function lineOf(at: number, from: RefNode): string {
  const limit = from.maxVisits === null ? "" : cell(`max ${from.maxVisits}, then`, columnOf(from, "limit"));
  const reads = from.reads.map((read) => ` <${read.field}${read.optional ? "?" : ""}`).join("");
  const writes = from.writes.map((field) => ` >${field}`).join("");
  const merge = Object.keys(from.merge).length === 0 ? "" : ` merge ${JSON.stringify(from.merge)}`;
  const targets = cell("next", from.next) + cell("ok", from.onSuccess) + cell("fail", from.onFailure);
  return `${at} ${from.agent}${targets}${limit}${reads}${writes}${merge}`;
}

/** A graph in words, a line a node, for the message of a failing test. */
export function drawing(graph: RefGraph): string {
  return indices(graph)
    .map((at) => lineOf(at, nodeAt(graph, at)))
    .join("\n");
}
