import { END, type Target } from "../../ir.js";
import { createDigraph, type Digraph, reachableFrom } from "./digraph.js";
import { findDominators } from "./dominators.js";
import { type Edge, outcomeKey } from "./edges.js";
import type { SplitShape } from "./regions.js";

/** The end of an edge that leads out of a branch's own nodes. */
export interface Exit {
  readonly node: number;
  /** Over a `next_on_failure` edge. */
  readonly failure: boolean;
}

/** The nodes that one branch surely runs alone, known before its ways are followed. */
export interface Owned {
  /** The nodes that the branch's first edge dominates, less those of branches of splits within it; ascending. */
  readonly own: readonly number[];
  readonly exits: readonly Exit[];
  /** The branch's target is one of its nodes. */
  readonly isEntered: boolean;
}

/**
 * A branch owns all nodes that its first edge dominates. Such a node can have no other branch's number. The first
 * edges of all branches are nodes of one dominator tree, so nested splits cost no more than others. O(edges · log
 * nodes), and the exits of all branches.
 */
export function findOwned(
  size: number,
  edges: readonly Edge[],
  splits: readonly SplitShape[],
): readonly (readonly Owned[])[] {
  const places = new Places(size, splits);
  const graph = places.graph(edges);
  const { parent } = findDominators(graph, graph.size - 1);
  const tree = new BranchTree(places, parent);
  return tree.owned(edges);
}

/** The graph with a place for the first edge of each branch, and a root that leads to all. */
class Places {
  readonly size: number;
  readonly splits: readonly SplitShape[];
  /** The number of each split's first branch in the graph of places. */
  readonly base: number[] = [];
  readonly count: number;
  readonly #byEdge = new Map<number, number>();

  constructor(size: number, splits: readonly SplitShape[]) {
    this.size = size;
    this.splits = splits;
    let next = size + 1;
    for (const { node, by, targets } of splits) {
      this.base.push(next);
      for (const to of targets) this.#byEdge.set(this.#edgeKey({ from: node, to, column: by }), next++);
    }
    this.count = next;
  }

  #edgeKey({ from, to, column }: Edge): number {
    return outcomeKey(from, column) * (this.size + 1) + to + 1;
  }

  /** The place that stands in an edge, or -1. */
  of(edge: Edge): number {
    return this.#byEdge.get(this.#edgeKey(edge)) ?? -1;
  }

  graph(edges: readonly Edge[]): Digraph {
    const from: number[] = [];
    const to: number[] = [];
    const add = (a: number, b: Target): void => {
      from.push(a);
      to.push(b === END ? this.size : b);
    };
    for (const edge of edges) {
      const place = this.of(edge);
      if (place === -1) add(edge.from, edge.to);
      else {
        add(edge.from, place);
        add(place, edge.to);
      }
    }
    const root = this.count;
    const inner = createDigraph(root + 1, { from, to });
    for (const v of rootsOf(inner, this.size)) add(root, v);
    return createDigraph(root + 1, { from, to });
  }
}

/** The entry, and nodes from which all others are come to that it does not lead to. */
function rootsOf(graph: Digraph, size: number): readonly number[] {
  const seen = reachableFrom(graph, [0]);
  const roots = [0];
  for (let v = 0; v < size; v++) {
    if (seen[v] === 1) continue;
    roots.push(v);
    const pending = [v];
    seen[v] = 1;
    for (let u = pending.pop(); u !== undefined; u = pending.pop()) {
      for (let i = graph.start[u] as number; i < (graph.start[u + 1] as number); i++) {
        const w = graph.to[i] as number;
        if (seen[w] === 1) continue;
        seen[w] = 1;
        pending.push(w);
      }
    }
  }
  return roots;
}

/** The tree of nested branches. */
class BranchTree {
  readonly #places: Places;
  /** The innermost place that must be passed on the way to a node or to another place; -1 without one. */
  readonly #inmost: Int32Array;
  readonly #depth: Int32Array;

  constructor(places: Places, parent: Int32Array) {
    this.#places = places;
    this.#inmost = new Int32Array(places.count).fill(-1);
    this.#depth = new Int32Array(places.count);
    const { size } = places;
    for (const v of topDown(parent, places.count)) {
      const above = parent[v] as number;
      if (above >= places.count) continue;
      this.#inmost[v] = above > size ? above : (this.#inmost[above] as number);
      this.#depth[v] = (this.#depth[above] as number) + 1;
    }
    this.#dropMeetings();
  }

  /** A branch whose target is the meeting itself is empty: what is beyond would look like its own. */
  #dropMeetings(): void {
    const { splits, base, count } = this.#places;
    const dropped = new Set<number>();
    splits.forEach(({ meet, targets }, split) => {
      const at = meet === END ? -1 : targets.indexOf(meet);
      if (at !== -1) dropped.add((base[split] as number) + at);
    });
    if (dropped.size === 0) return;
    for (let v = 0; v < count; v++)
      while (dropped.has(this.#inmost[v] as number))
        this.#inmost[v] = this.#inmost[this.#inmost[v] as number] as number;
  }

  owned(edges: readonly Edge[]): readonly (readonly Owned[])[] {
    const { size, splits, base, count } = this.#places;
    const own: number[][] = Array.from({ length: count - size - 1 }, () => []);
    for (let v = 0; v < size; v++) {
      const place = this.#inmost[v] as number;
      if (place !== -1) own[place - size - 1]?.push(v);
    }
    const exits = this.#exits(edges);
    return splits.map(({ targets }, split) =>
      targets.map((target, branch): Owned => {
        const place = (base[split] as number) + branch;
        const at = place - size - 1;
        return {
          own: own[at] as number[],
          exits: exits[at] as Exit[],
          isEntered: target !== END && this.#inmost[target] === place,
        };
      }),
    );
  }

  /** Each edge leaves the branches around its node until one that owns its target, too. */
  #exits(edges: readonly Edge[]): readonly Exit[][] {
    const { size, count } = this.#places;
    const exits: Exit[][] = Array.from({ length: count - size - 1 }, () => []);
    /** The last exit that was noted for a branch. Once it is noted, it is noted for the branches around it, too. */
    const left = new Int32Array(count).fill(-1);
    for (const { to, place, failure } of this.#byTarget(edges)) {
      const mark = 2 * to + (failure ? 1 : 0);
      const inside = this.#inmost[to] as number;
      const depth = inside === -1 ? -1 : (this.#depth[inside] as number);
      for (let around = place; around !== -1; around = this.#inmost[around] as number) {
        if (left[around] === mark || (this.#depth[around] as number) <= depth) break;
        left[around] = mark;
        exits[around - size - 1]?.push({ node: to, failure });
      }
    }
    return exits;
  }

  #byTarget(
    edges: readonly Edge[],
  ): readonly { readonly to: number; readonly place: number; readonly failure: boolean }[] {
    const ways = edges.flatMap((edge) => {
      if (edge.to === END) return [];
      const own = this.#places.of(edge);
      const place = own === -1 ? (this.#inmost[edge.from] as number) : own;
      return place === -1 ? [] : [{ to: edge.to, place, failure: edge.column === "failure" }];
    });
    return ways.sort((a, b) => a.to - b.to || Number(a.failure) - Number(b.failure));
  }
}

/** Each node after its parent. */
function topDown(parent: Int32Array, root: number): readonly number[] {
  const inner = new Int32Array(parent.length).fill(-1);
  const next = new Int32Array(parent.length).fill(-1);
  for (let v = parent.length - 1; v >= 0; v--) {
    const above = parent[v] as number;
    if (v === root || above === -1) continue;
    next[v] = inner[above] as number;
    inner[above] = v;
  }
  const order = [root];
  for (let i = 0; i < order.length; i++)
    for (let v = inner[order[i] as number] as number; v !== -1; v = next[v] as number) order.push(v);
  return order;
}
