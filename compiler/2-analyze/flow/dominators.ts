import { type DepthFirst, type Digraph, reversed, searchDepthFirst } from "./digraph.js";
import { once } from "./once.js";

/** The dominator tree of all nodes that one root leads to. */
export interface Dominators {
  /** The immediate dominator of each node; the root's is itself; -1 where the root does not lead. */
  readonly parent: Int32Array;
  /** The nodes that the root leads to; each comes after its immediate dominator. */
  readonly order: readonly number[];
  /** True when every way from the root to `v` passes `u`. A node dominates itself. */
  readonly dominates: (u: number, v: number) => boolean;
  /** The nearest node that dominates both. */
  readonly common: (u: number, v: number) => number;
}

/** Lengauer and Tarjan's algorithm with path compression, without recursion. O(edges · log nodes). */
export function findDominators(graph: Digraph, root: number): Dominators {
  const tree = searchDepthFirst(graph, [root]);
  const order = tree.entered;
  const parent = immediateDominators(graph, tree);
  const { enter, leave } = numberTree(parent, order);
  const climb = once(() => measureTree(parent, order));
  const dominates = (u: number, v: number): boolean =>
    enter[u] !== -1 &&
    enter[v] !== -1 &&
    (enter[u] as number) <= (enter[v] as number) &&
    (leave[v] as number) <= (leave[u] as number);
  const lift = (v: number, to: number): number => {
    const { depth, jump } = climb();
    let a = v;
    while ((depth[a] as number) > to)
      a = ((depth[jump[a] as number] as number) >= to ? jump[a] : parent[a]) as number;
    return a;
  };
  const common = (u: number, v: number): number => {
    const { depth, jump } = climb();
    let a = lift(u, depth[v] as number);
    let b = lift(v, depth[a] as number);
    while (a !== b) {
      const up = jump[a] === jump[b] ? parent : jump;
      a = up[a] as number;
      b = up[b] as number;
    }
    return a;
  };
  return { parent, order, dominates, common };
}

/** Counts in depth-first numbers; the result is in nodes. */
function immediateDominators(graph: Digraph, { entered: vertex, parent: above }: DepthFirst): Int32Array {
  const count = vertex.length;
  const number = new Int32Array(graph.size).fill(-1);
  for (let i = 0; i < count; i++) number[vertex[i] as number] = i;
  const back = reversed(graph);
  const { semi, ancestor, evaluate } = createForest(count);
  const dominator = new Int32Array(count);
  const bucketHead = new Int32Array(count).fill(-1);
  const bucketNext = new Int32Array(count).fill(-1);
  for (let w = count - 1; w > 0; w--) {
    const node = vertex[w] as number;
    for (let i = back.start[node] as number; i < (back.start[node + 1] as number); i++) {
      const v = number[back.to[i] as number] as number;
      if (v !== -1) semi[w] = Math.min(semi[w] as number, semi[evaluate(v)] as number);
    }
    const least = semi[w] as number;
    bucketNext[w] = bucketHead[least] as number;
    bucketHead[least] = w;
    const p = number[above[node] as number] as number;
    ancestor[w] = p;
    for (let v = bucketHead[p] as number; v !== -1; v = bucketNext[v] as number) {
      const u = evaluate(v);
      dominator[v] = (semi[u] as number) < (semi[v] as number) ? u : p;
    }
    bucketHead[p] = -1;
  }
  const parent = new Int32Array(graph.size).fill(-1);
  parent[vertex[0] as number] = vertex[0] as number;
  for (let w = 1; w < count; w++) {
    if (dominator[w] !== semi[w]) dominator[w] = dominator[dominator[w] as number] as number;
    parent[vertex[w] as number] = vertex[dominator[w] as number] as number;
  }
  return parent;
}

interface Forest {
  readonly semi: Int32Array;
  /** A node is linked to its parent here; -1 before that. */
  readonly ancestor: Int32Array;
  /** The node of least semidominator among a node and the linked ones above it. */
  readonly evaluate: (v: number) => number;
}

function createForest(count: number): Forest {
  const semi = new Int32Array(count);
  for (let i = 0; i < count; i++) semi[i] = i;
  const label = semi.slice();
  const ancestor = new Int32Array(count).fill(-1);
  const evaluate = (v: number): number => {
    if (ancestor[v] === -1) return v;
    const path: number[] = [];
    for (let u = v; ancestor[ancestor[u] as number] !== -1; u = ancestor[u] as number) path.push(u);
    for (let u = path.pop(); u !== undefined; u = path.pop()) {
      const a = ancestor[u] as number;
      const best = label[a] as number;
      if ((semi[best] as number) < (semi[label[u] as number] as number)) label[u] = best;
      ancestor[u] = ancestor[a] as number;
    }
    return label[v] as number;
  };
  return { semi, ancestor, evaluate };
}

/** Numbers the dominator tree so that a subtree is an interval. A parent is discovered before its children. */
function numberTree(
  parent: Int32Array,
  order: readonly number[],
): { readonly enter: Int32Array; readonly leave: Int32Array } {
  // The size of each subtree, then its last number.
  const leave = new Int32Array(parent.length);
  for (let i = order.length - 1; i >= 0; i--) {
    const v = order[i] as number;
    leave[v]! += 1;
    if (i > 0) leave[parent[v] as number]! += leave[v] as number;
  }
  const enter = new Int32Array(parent.length).fill(-1);
  const free = new Int32Array(parent.length);
  for (let i = 0; i < order.length; i++) {
    const v = order[i] as number;
    const p = parent[v] as number;
    const at = free[p] as number;
    free[p] = at + (leave[v] as number);
    free[v] = at + 1;
    enter[v] = at;
    leave[v]! += at - 1;
  }
  return { enter, leave };
}

interface TreeMeasures {
  readonly depth: Int32Array;
  /** An ancestor far up, so that climbing takes a logarithm of the depth. */
  readonly jump: Int32Array;
}

function measureTree(parent: Int32Array, [root, ...others]: readonly number[]): TreeMeasures {
  const depth = new Int32Array(parent.length);
  const jump = new Int32Array(parent.length);
  const span = (v: number): number => (depth[v] as number) - (depth[jump[v] as number] as number);
  if (root !== undefined) jump[root] = root;
  for (const v of others) {
    const p = parent[v] as number;
    const far = jump[p] as number;
    depth[v] = (depth[p] as number) + 1;
    jump[v] = span(p) === span(far) ? (jump[far] as number) : p;
  }
  return { depth, jump };
}
