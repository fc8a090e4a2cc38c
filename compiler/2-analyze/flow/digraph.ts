/**
 * A directed graph on the numbers 0 to size - 1. The successors of v are to[start[v]] up to, but without, to[start[v
 * + 1]].
 */
export interface Digraph {
  readonly size: number;
  readonly start: Int32Array;
  readonly to: Int32Array;
}

export interface EdgeList {
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
}

/** Builds a graph by counting; successors keep the order of the list. Linear. */
export function createDigraph(size: number, { from, to }: EdgeList): Digraph {
  const start = new Int32Array(size + 1);
  for (let i = 0; i < from.length; i++) start[(from[i] as number) + 1]! += 1;
  for (let v = 0; v < size; v++) start[v + 1] = (start[v + 1] as number) + (start[v] as number);
  const next = start.slice(0, size);
  const targets = new Int32Array(from.length);
  for (let i = 0; i < from.length; i++) {
    const v = from[i] as number;
    const slot = next[v] as number;
    targets[slot] = to[i] as number;
    next[v] = slot + 1;
  }
  return { size, start, to: targets };
}

export function reversed(graph: Digraph): Digraph {
  const sources = new Int32Array(graph.to.length);
  for (let v = 0; v < graph.size; v++) {
    for (let i = graph.start[v] as number; i < (graph.start[v + 1] as number); i++) sources[i] = v;
  }
  return createDigraph(graph.size, { from: graph.to, to: sources });
}

/** Marks what can be reached from the roots, beside what is marked already. Linear. */
export function reachableFrom(
  graph: Digraph,
  roots: Iterable<number>,
  seen: Uint8Array = new Uint8Array(graph.size),
): Uint8Array {
  const pending: number[] = [];
  for (const root of roots) {
    if (seen[root] === 0) pending.push(root);
    seen[root] = 1;
  }
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    for (let i = graph.start[v] as number; i < (graph.start[v + 1] as number); i++) {
      const w = graph.to[i] as number;
      if (seen[w] === 1) continue;
      seen[w] = 1;
      pending.push(w);
    }
  }
  return seen;
}

/** The nodes that roots lead to, in the orders in which a depth-first search enters and leaves them. */
export interface DepthFirst {
  readonly entered: readonly number[];
  readonly left: readonly number[];
  /** The node from which each node was entered; -1 for roots. */
  readonly parent: Int32Array;
}

/** Depth-first search without recursion, from one root after the other. Linear. */
export function searchDepthFirst(graph: Digraph, roots: Iterable<number>): DepthFirst {
  const entered: number[] = [];
  const left: number[] = [];
  const parent = new Int32Array(graph.size).fill(-1);
  const edge = graph.start.slice(0, graph.size);
  const seen = new Uint8Array(graph.size);
  const path: number[] = [];
  const enter = (v: number): void => {
    seen[v] = 1;
    entered.push(v);
    path.push(v);
  };
  for (const root of roots) {
    if (seen[root] === 0) enter(root);
    while (path.length > 0) {
      const v = path[path.length - 1] as number;
      const i = edge[v] as number;
      if (i === graph.start[v + 1]) {
        left.push(path.pop() as number);
        continue;
      }
      edge[v] = i + 1;
      const w = graph.to[i] as number;
      if (seen[w] === 1) continue;
      parent[w] = v;
      enter(w);
    }
  }
  return { entered, left, parent };
}

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
