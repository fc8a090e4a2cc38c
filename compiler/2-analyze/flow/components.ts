import { type Digraph, reversed, searchDepthFirst } from "./digraph.js";

/** Strongly connected components, numbered so that every edge leads to the same or a higher number. */
export interface Components {
  readonly of: Int32Array;
  readonly count: number;
}

/** Kosaraju's algorithm: the reversed graph is searched from the node that a first search left last. Linear. */
export function findComponents(graph: Digraph): Components {
  const of = new Int32Array(graph.size);
  let count = 0;
  const { left } = searchDepthFirst(graph, of.keys());
  const { entered, parent } = searchDepthFirst(reversed(graph), [...left].reverse());
  for (const v of entered) of[v] = parent[v] === -1 ? count++ : (of[parent[v] as number] as number);
  return { of, count };
}
