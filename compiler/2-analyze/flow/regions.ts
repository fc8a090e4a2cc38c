import { END, type Target } from "../../ir.js";
import type { Digraph } from "./digraph.js";
import type { Dominators } from "./dominators.js";
import type { RouteColumn } from "./edges.js";
import type { ForwardOrder } from "./forward-order.js";
import { createHeap, type Heap } from "./heap.js";
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
  order: () => ForwardOrder,
  dominators: () => Dominators,
): (split: SplitShape, owned: readonly Owned[]) => readonly (readonly number[])[] {
  const label = new Int32Array(graph.size);
  const queued = new Uint8Array(graph.size);
  const end = graph.size - 1;
  let heap: Heap | null = null;
  return (split, owned) => {
    const closed = (v: number): boolean => v === split.node || v === split.meet || v === end;
    const starts = split.targets.map((target, i) => {
      const { isEntered, exits } = owned[i] as Owned;
      const nodes = isEntered ? exits.map(({ node }) => node) : target === END ? NOBODY : [target];
      return nodes.filter((v) => !closed(v));
    });
    if (starts.every((nodes) => nodes.length === 0)) return starts;
    const { rank, comesBack } = order();
    heap ??= createHeap(rank);
    const pending = heap;
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
