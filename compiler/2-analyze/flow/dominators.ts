import { type Digraph, reversed, searchDepthFirst } from "./digraph.js";

/** The dominator tree of all nodes that one root leads to. */
export interface Dominators {
  /** The immediate dominator of each node; the root's is itself; -1 where the root does not lead. */
  readonly parent: Int32Array;
  /** True when every way from the root to `v` passes `u`. A node dominates itself. */
  readonly dominates: (u: number, v: number) => boolean;
  /** The nearest node that dominates both. */
  readonly common: (u: number, v: number) => number;
}

/** Lengauer and Tarjan's algorithm with path compression, without recursion. O(edges · log nodes). */
export function findDominators(graph: Digraph, root: number): Dominators {
  const tree = numberDepthFirst(graph, root);
  const parent = immediateDominators(graph, tree);
  const { enter, leave, depth, jump } = measureTree(parent, tree.vertex);
  const dominates = (u: number, v: number): boolean =>
    enter[u] !== -1 &&
    enter[v] !== -1 &&
    (enter[u] as number) <= (enter[v] as number) &&
    (leave[v] as number) <= (leave[u] as number);
  const lift = (v: number, to: number): number => {
    let a = v;
    while ((depth[a] as number) > to)
      a = ((depth[jump[a] as number] as number) >= to ? jump[a] : parent[a]) as number;
    return a;
  };
  const common = (u: number, v: number): number => {
    let a = lift(u, depth[v] as number);
    let b = lift(v, depth[a] as number);
    while (a !== b) {
      const up = jump[a] === jump[b] ? parent : jump;
      a = up[a] as number;
      b = up[b] as number;
    }
    return a;
  };
  return { parent, dominates, common };
}

interface Numbered {
  /** Number of each node in the order of discovery, -1 when not reached. */
  readonly number: Int32Array;
  /** The nodes in that order. */
  readonly vertex: readonly number[];
  /** Parent in the tree, by number. */
  readonly above: Int32Array;
}

function numberDepthFirst(graph: Digraph, root: number): Numbered {
  const { entered: vertex, parent } = searchDepthFirst(graph, [root]);
  const number = new Int32Array(graph.size).fill(-1);
  const above = new Int32Array(vertex.length);
  for (let i = 0; i < vertex.length; i++) {
    const v = vertex[i] as number;
    number[v] = i;
    above[i] = i === 0 ? -1 : (number[parent[v] as number] as number);
  }
  return { number, vertex, above };
}

/** Everything below counts in depth-first numbers; the result is in nodes. */
function immediateDominators(graph: Digraph, { number, vertex, above }: Numbered): Int32Array {
  const count = vertex.length;
  const back = reversed(graph);
  const forest = new Forest(count);
  const dominator = new Int32Array(count).fill(0);
  const bucketHead = new Int32Array(count).fill(-1);
  const bucketNext = new Int32Array(count).fill(-1);
  for (let w = count - 1; w > 0; w--) {
    const node = vertex[w] as number;
    for (let i = back.start[node] as number; i < (back.start[node + 1] as number); i++) {
      const v = number[back.to[i] as number] as number;
      if (v !== -1) forest.lowerSemi(w, forest.semi[forest.evaluate(v)] as number);
    }
    const semi = forest.semi[w] as number;
    bucketNext[w] = bucketHead[semi] as number;
    bucketHead[semi] = w;
    const p = above[w] as number;
    forest.link(p, w);
    for (let v = bucketHead[p] as number; v !== -1; v = bucketNext[v] as number) {
      const u = forest.evaluate(v);
      dominator[v] = (forest.semi[u] as number) < (forest.semi[v] as number) ? u : p;
    }
    bucketHead[p] = -1;
  }
  const parent = new Int32Array(graph.size).fill(-1);
  parent[vertex[0] as number] = vertex[0] as number;
  for (let w = 1; w < count; w++) {
    if (dominator[w] !== forest.semi[w]) dominator[w] = dominator[dominator[w] as number] as number;
    parent[vertex[w] as number] = vertex[dominator[w] as number] as number;
  }
  return parent;
}

/** The forest of linked nodes, which answers for the node of least semidominator above another. */
class Forest {
  readonly semi: Int32Array;
  readonly #ancestor: Int32Array;
  readonly #label: Int32Array;

  constructor(count: number) {
    this.semi = Int32Array.from({ length: count }, (_, i) => i);
    this.#label = this.semi.slice();
    this.#ancestor = new Int32Array(count).fill(-1);
  }

  lowerSemi(w: number, to: number): void {
    if (to < (this.semi[w] as number)) this.semi[w] = to;
  }

  link(parent: number, child: number): void {
    this.#ancestor[child] = parent;
  }

  evaluate(v: number): number {
    if (this.#ancestor[v] === -1) return v;
    this.#compress(v);
    return this.#label[v] as number;
  }

  #compress(v: number): void {
    const path: number[] = [];
    for (let u = v; this.#ancestor[this.#ancestor[u] as number] !== -1; u = this.#ancestor[u] as number)
      path.push(u);
    for (let u = path.pop(); u !== undefined; u = path.pop()) {
      const a = this.#ancestor[u] as number;
      const best = this.#label[a] as number;
      if ((this.semi[best] as number) < (this.semi[this.#label[u] as number] as number))
        this.#label[u] = best;
      this.#ancestor[u] = this.#ancestor[a] as number;
    }
  }
}

interface TreeMeasures {
  readonly enter: Int32Array;
  readonly leave: Int32Array;
  readonly depth: Int32Array;
  /** An ancestor far up, so that climbing takes a logarithm of the depth. */
  readonly jump: Int32Array;
}

/** Numbers the dominator tree so that a subtree is an interval. A parent is discovered before its children. */
function measureTree(parent: Int32Array, vertex: readonly number[]): TreeMeasures {
  const size = new Int32Array(parent.length).fill(1);
  const depth = new Int32Array(parent.length);
  for (let i = vertex.length - 1; i > 0; i--) {
    const v = vertex[i] as number;
    const p = parent[v] as number;
    size[p] = (size[p] as number) + (size[v] as number);
  }
  const enter = new Int32Array(parent.length).fill(-1);
  const leave = new Int32Array(parent.length).fill(-1);
  const free = new Int32Array(parent.length);
  const jump = new Int32Array(parent.length);
  const span = (v: number): number => (depth[v] as number) - (depth[jump[v] as number] as number);
  vertex.forEach((v, i) => {
    const p = parent[v] as number;
    const at = i === 0 ? 0 : (free[p] as number);
    if (i > 0) {
      free[p] = at + (size[v] as number);
      depth[v] = (depth[p] as number) + 1;
      const far = jump[p] as number;
      jump[v] = span(p) === span(far) ? (jump[far] as number) : p;
    } else {
      jump[v] = v;
    }
    enter[v] = at;
    leave[v] = at + (size[v] as number) - 1;
    free[v] = at + 1;
  });
  return { enter, leave, depth, jump };
}
