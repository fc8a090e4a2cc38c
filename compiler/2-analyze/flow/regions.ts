import { END, type Target } from "../../ir.js";
import { type Digraph, searchDepthFirst } from "./digraph.js";
import type { Dominators } from "./dominators.js";
import type { RouteColumn } from "./edges.js";
import { once } from "./once.js";
import type { Owned } from "./owners.js";

/** A split to label. `meet` is the node where all branches meet (`END`: there is none). */
export interface SplitShape {
  readonly node: number;
  readonly by: RouteColumn;
  readonly targets: readonly Target[];
  readonly meet: Target;
}

const SHARED = -1;
const NOBODY: readonly number[] = [];

/**
 * Finds the nodes that a branch of a split runs alone, beside those that it owns. Each branch carries its number
 * along all edges from where its own nodes end. It stops at the splitting node and the meeting node. A node with one
 * number belongs to that branch, one with two is shared. No way from there leads into what a branch of the split
 * owns. The numbers live in one array, wiped by the list of touched nodes. Nodes are visited in forward order: the
 * work ends when nothing pending can lead back to a node with one number.
 */
export function createLabeller(
  graph: Digraph,
  dominators: () => Dominators,
): (split: SplitShape, owned: readonly Owned[]) => readonly (readonly number[])[] {
  const label = new Int32Array(graph.size);
  const queued = new Uint8Array(graph.size);
  const end = graph.size - 1;
  const order = once(() => findForwardOrder(graph));
  const heap = once(() => createHeap(order().rank));
  return (split, owned) => {
    const closed = (v: number): boolean => v === split.node || v === split.meet || v === end;
    const starts = split.targets.map((target, i) => {
      const { isEntered, exits } = owned[i] as Owned;
      const nodes = isEntered ? exits.map(({ node }) => node) : target === END ? NOBODY : [target];
      return nodes.filter((v) => !closed(v));
    });
    if (starts.every((nodes) => nodes.length === 0)) return starts;
    const { rank, comesBack } = order();
    const pending = heap();
    const touched: number[] = [];
    let pendingSingles = 0;
    let lastSingle = -1;
    // A loop that begins before the split comes back only through it, as long as all the branches' nodes do so, too.
    let before = rank[split.node] as number;
    const mark = (v: number, number: number): void => {
      const old = label[v] as number;
      const now = old === 0 || old === number ? number : SHARED;
      if (now === old) return;
      if (old === 0) touched.push(v);
      label[v] = now;
      if (queued[v] === 1) {
        if (old > 0) pendingSingles--;
        return;
      }
      queued[v] = 1;
      if (now > 0) pendingSingles++;
      pending.push(v);
    };
    for (const [i, nodes] of starts.entries()) for (const v of nodes) mark(v, i + 1);
    while (pendingSingles > 0 || pending.least() <= lastSingle || comesBack(before, lastSingle)) {
      const v = pending.pop();
      if (v === undefined) break;
      queued[v] = 0;
      const number = label[v] as number;
      if (number > 0) {
        pendingSingles--;
        lastSingle = Math.max(lastSingle, rank[v] as number);
        if (!dominators().dominates(split.node, v)) before = -1;
      }
      for (let i = graph.start[v] as number; i < (graph.start[v + 1] as number); i++) {
        const w = graph.to[i] as number;
        if (!closed(w)) mark(w, number);
      }
    }
    const branches: number[][] = split.targets.map(() => []);
    for (const v of touched) {
      const number = label[v] as number;
      if (number > 0) branches[number - 1]?.push(v);
      label[v] = 0;
      queued[v] = 0;
    }
    pending.clear();
    for (const nodes of branches) nodes.sort((a, b) => a - b);
    return branches;
  };
}

/** A topological order, but for the edges that close a loop. */
interface ForwardOrder {
  /** The place of each node; nodes that the entry does not lead to come last. */
  readonly rank: Int32Array;
  /** True when some loop leads from beyond the place `last` back to a place after `first`, up to `last`. */
  readonly comesBack: (first: number, last: number) => boolean;
}

/** Reverse postorder of a depth-first search, and the loops in it. O(edges + nodes · log nodes). */
function findForwardOrder(graph: Digraph): ForwardOrder {
  const rank = reversePostorder(graph);
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

function reversePostorder(graph: Digraph): Int32Array {
  const { left } = searchDepthFirst(graph, Array(graph.size).keys());
  const reached = left.indexOf(0) + 1;
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

/** A binary min-heap of nodes. */
interface Heap {
  readonly push: (node: number) => void;
  readonly pop: () => number | undefined;
  /** The least key, or Infinity when empty. */
  readonly least: () => number;
  readonly clear: () => void;
}

function createHeap(key: Int32Array): Heap {
  const heap: number[] = [];
  const keyAt = (i: number): number =>
    i < heap.length ? (key[heap[i] as number] as number) : Number.POSITIVE_INFINITY;
  const swap = (i: number, j: number): void => {
    const node = heap[i] as number;
    heap[i] = heap[j] as number;
    heap[j] = node;
  };
  const rise = (from: number): void => {
    for (let i = from; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (keyAt(parent) <= keyAt(i)) return;
      swap(i, parent);
      i = parent;
    }
  };
  const sink = (): void => {
    for (let i = 0; ; ) {
      const left = 2 * i + 1;
      const child = keyAt(left + 1) < keyAt(left) ? left + 1 : left;
      if (keyAt(i) <= keyAt(child)) return;
      swap(i, child);
      i = child;
    }
  };
  return {
    push: (node) => rise(heap.push(node) - 1),
    pop: () => {
      if (heap.length > 1) swap(0, heap.length - 1);
      const least = heap.pop();
      sink();
      return least;
    },
    least: () => keyAt(0),
    clear: () => {
      heap.length = 0;
    },
  };
}
