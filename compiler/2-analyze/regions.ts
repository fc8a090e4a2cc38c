import { END, type Target } from "../ir.js";
import type { Components } from "./components.js";
import type { Digraph } from "./digraph.js";
import { createHeap } from "./heap.js";

/** One split to label: who splits, where to, and the node where all meet (`END`: there is none). */
export interface SplitShape {
  readonly node: number;
  readonly targets: readonly Target[];
  readonly meet: Target;
}

/** A node where a branch stops: others come there too. */
export interface Stop {
  readonly node: number;
  readonly branch: number;
  /** Arrived at over a `next_on_failure` edge. */
  readonly failure: boolean;
}

const SHARED = -1;

/**
 * Says which nodes belong to which branch of a split: each target carries its number along all edges, not through
 * the splitting node or the meeting node; a node with one number belongs to that branch, one with two is shared.
 * The numbers live in one array that is wiped by the list of what was touched. Nodes are visited in the order of
 * their components, so the work ends when nothing that is still pending could reach a node with one number:
 * near-linear in the size of the region, not of the graph.
 */
export function createLabeller(
  graph: Digraph,
  components: Components,
): (split: SplitShape) => readonly (readonly number[])[] {
  const label = new Int32Array(graph.size);
  const queued = new Uint8Array(graph.size);
  const heap = createHeap(components.of);
  const end = graph.size - 1;
  return (split) => {
    const touched: number[] = [];
    let pendingSingles = 0;
    let lastSingle = -1;
    const closed = (v: number): boolean => v === split.node || v === split.meet || v === end;
    const mark = (v: number, number: number): void => {
      const before = label[v] as number;
      const after = before === 0 || before === number ? number : SHARED;
      if (after === before) return;
      if (before === 0) touched.push(v);
      label[v] = after;
      if (after > 0) lastSingle = Math.max(lastSingle, components.of[v] as number);
      if (queued[v] === 1) {
        if (before > 0) pendingSingles--;
        return;
      }
      queued[v] = 1;
      if (after > 0) pendingSingles++;
      heap.push(v);
    };
    split.targets.forEach((target, i) => {
      if (target !== END && !closed(target)) mark(target, i + 1);
    });
    while (pendingSingles > 0 || heap.least() <= lastSingle) {
      const v = heap.pop();
      if (v === undefined) break;
      queued[v] = 0;
      const number = label[v] as number;
      if (number > 0) pendingSingles--;
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
    heap.clear();
    for (const nodes of branches) nodes.sort((a, b) => a - b);
    return branches;
  };
}
