import { type Digraph, searchDepthFirst } from "./digraph.js";

/** A topological order, but for the edges that close a loop. */
export interface ForwardOrder {
  /** The place of each node; nodes that the root does not lead to come last. */
  readonly rank: Int32Array;
  /** True when some loop leads from beyond the place `last` back to a place after `first`, up to `last`. */
  readonly comesBack: (first: number, last: number) => boolean;
}

/** Reverse postorder of a depth-first search, and the loops in it. O(edges + nodes · log nodes). */
export function findForwardOrder(graph: Digraph, root: number): ForwardOrder {
  const rank = reversePostorder(graph, root);
  const farthest = new Int32Array(graph.size).fill(-1);
  let loops = false;
  for (let v = 0; v < graph.size; v++) {
    for (let i = graph.start[v] as number; i < (graph.start[v + 1] as number); i++) {
      const from = rank[v] as number;
      const to = rank[graph.to[i] as number] as number;
      if (to > from) continue;
      loops = true;
      farthest[to] = Math.max(farthest[to] as number, from);
    }
  }
  const most = loops ? createRangeMaximum(farthest) : () => -1;
  return { rank, comesBack: (first, last) => most(first + 1, last) > last };
}

function reversePostorder(graph: Digraph, root: number): Int32Array {
  const { left } = searchDepthFirst(graph, [root, ...Array(graph.size).keys()]);
  const reached = left.indexOf(root) + 1;
  const rank = new Int32Array(graph.size);
  for (const [i, v] of left.entries()) rank[v] = (i < reached ? reached : left.length + reached) - 1 - i;
  return rank;
}

/** A sparse table: the greatest value of a range in O(1), after O(n · log n). */
function createRangeMaximum(values: Int32Array): (first: number, last: number) => number {
  const levels = [values];
  for (let width = 1; 2 * width <= values.length; width *= 2) {
    const below = levels[levels.length - 1] as Int32Array;
    const level = new Int32Array(values.length - 2 * width + 1);
    for (let i = 0; i < level.length; i++)
      level[i] = Math.max(below[i] as number, below[i + width] as number);
    levels.push(level);
  }
  return (first, last) => {
    if (first > last) return -1;
    const step = 31 - Math.clz32(last - first + 1);
    const level = levels[step] as Int32Array;
    return Math.max(level[first] as number, level[last - (1 << step) + 1] as number);
  };
}
