import { END, type Target } from "../../ir.js";
import { createDigraph, type Digraph, reachableFrom } from "./digraph.js";
import { type Dominators, findDominators } from "./dominators.js";
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
  const places = numberPlaces(size, splits);
  const tree = nestPlaces(places, findDominators(placesGraph(places, edges), places.count));
  const own: number[][] = Array.from({ length: places.count - size - 1 }, () => []);
  for (let v = 0; v < size; v++) own[(tree.inmost[v] as number) - size - 1]?.push(v);
  const exits = findExits(places, tree, edges);
  return splits.map(({ targets }, split) =>
    targets.map((target, branch): Owned => {
      const place = (places.base[split] as number) + branch;
      const at = place - size - 1;
      const isEntered = target !== END && tree.inmost[target] === place;
      return { own: own[at] as number[], exits: exits[at] as Exit[], isEntered };
    }),
  );
}

/** The first edge of each branch has a place in the graph, with a number behind the nodes' and the end's. */
interface Places {
  readonly size: number;
  readonly splits: readonly SplitShape[];
  /** The place of each split's first branch. */
  readonly base: readonly number[];
  /** The first number behind all places. */
  readonly count: number;
  /** The place that stands in an edge, or -1. */
  readonly of: (edge: Edge) => number;
}

function numberPlaces(size: number, splits: readonly SplitShape[]): Places {
  const keyOf = ({ from, to, column }: Edge): number => outcomeKey(from, column) * (size + 1) + to + 1;
  const byEdge = new Map<number, number>();
  const base: number[] = [];
  let count = size + 1;
  for (const { node, by, targets } of splits) {
    base.push(count);
    for (const to of targets) byEdge.set(keyOf({ from: node, to, column: by }), count++);
  }
  return { size, splits, base, count, of: (edge) => byEdge.get(keyOf(edge)) ?? -1 };
}

/** The last node is a root that leads to the entry, and to nodes from which all others are come to. */
function placesGraph({ size, count, of }: Places, edges: readonly Edge[]): Digraph {
  const from: number[] = [];
  const to: number[] = [];
  const add = (a: number, b: Target): void => {
    from.push(a);
    to.push(b === END ? size : b);
  };
  for (const edge of edges) {
    const place = of(edge);
    if (place !== -1) add(edge.from, place);
    add(place === -1 ? edge.from : place, edge.to);
  }
  const inner = createDigraph(count + 1, { from, to });
  const seen = new Uint8Array(count + 1);
  for (let v = 0; v < size; v++) {
    if (seen[v] === 1) continue;
    add(count, v);
    reachableFrom(inner, [v], seen);
  }
  return createDigraph(count + 1, { from, to });
}

/** The tree of nested branches. */
interface PlaceTree {
  /** The innermost place that must be passed on the way to a node or to another place; -1 without one. */
  readonly inmost: Int32Array;
  readonly depth: Int32Array;
}

function nestPlaces({ size, splits, base, count }: Places, { parent, order }: Dominators): PlaceTree {
  const inmost = new Int32Array(count).fill(-1);
  const depth = new Int32Array(count);
  for (const v of order) {
    const above = parent[v] as number;
    if (above >= count) continue;
    inmost[v] = above > size ? above : (inmost[above] as number);
    depth[v] = (depth[above] as number) + 1;
  }
  // A branch whose target is the meeting itself is empty: what is beyond would look like its own.
  const dropped = new Set<number>();
  splits.forEach(({ meet, targets }, split) => {
    const at = meet === END ? -1 : targets.indexOf(meet);
    if (at !== -1) dropped.add((base[split] as number) + at);
  });
  if (dropped.size > 0)
    for (let v = 0; v < count; v++)
      while (dropped.has(inmost[v] as number)) inmost[v] = inmost[inmost[v] as number] as number;
  return { inmost, depth };
}

/** Each edge leaves the branches around its node until one that owns its target, too. */
function findExits(
  { size, count, of }: Places,
  { inmost, depth }: PlaceTree,
  edges: readonly Edge[],
): readonly (readonly Exit[])[] {
  const exits: Exit[][] = Array.from({ length: count - size - 1 }, () => []);
  const leaving = edges.flatMap((edge) => {
    const own = of(edge);
    const place = own === -1 ? (inmost[edge.from] as number) : own;
    return edge.to === END || place === -1
      ? []
      : [{ node: edge.to, place, failure: edge.column === "failure" }];
  });
  leaving.sort((a, b) => a.node - b.node || Number(a.failure) - Number(b.failure));
  // The last exit that was noted for a branch. Once it is noted, it is noted for the branches around it, too.
  const left = new Int32Array(count).fill(-1);
  for (const { node, place, failure } of leaving) {
    const mark = 2 * node + (failure ? 1 : 0);
    const inside = inmost[node] as number;
    const least = inside === -1 ? -1 : (depth[inside] as number);
    for (let around = place; around !== -1; around = inmost[around] as number) {
      if (left[around] === mark || (depth[around] as number) <= least) break;
      left[around] = mark;
      exits[around - size - 1]?.push({ node, failure });
    }
  }
  return exits;
}
