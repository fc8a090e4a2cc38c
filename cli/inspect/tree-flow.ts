import {
  createDigraph,
  type Digraph,
  reachableFrom,
  reversed,
} from "../../compiler/2-analyze/flow/digraph.js";
import { findDominators } from "../../compiler/2-analyze/flow/dominators.js";
import { END, type GraphIR, type NodeIR, type Target } from "../../compiler/ir.js";
import { choosesNext, type Edge, listEdges, silentEnds } from "../../runtime/draw/edges.js";

/** What the tree of a graph rests on. */
export interface Flow {
  /** The edges as written, by node. */
  readonly edges: readonly (readonly Edge[])[];
  /** Where an undisturbed run goes from a node; null where it splits, chooses or ends. */
  readonly main: readonly (Target | null)[];
  /** The entry, then what begins each part that the entry does not lead to. */
  readonly roots: readonly number[];
  /** The immediate dominator of each node: the last node that every way to it passes. */
  readonly above: Int32Array;
  /** The next node that every way from a node to the end passes; -1 where no way leads to the end. */
  readonly meet: Int32Array;
  /** 1 where some way to a node comes neither straight from `above` nor from behind the node itself. */
  readonly shared: Uint8Array;
  /** Numbers that grow along every edge that is no way back. */
  readonly rank: Int32Array;
}

/** Ways as two parallel lists. */
interface Ways {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Works out the flow of a graph. O(edges · log nodes). */
export function findFlow(graph: GraphIR): Flow {
  const size = graph.nodes.length;
  const edges = listEdges(graph);
  const main = graph.nodes.map(mainTarget);
  const ways = allWays(graph, edges, main);
  const roots = findRoots(createDigraph(size + 1, ways), ways);
  // One root above all begins the dead parts as well.
  const top = size + 1;
  const joined = { from: [...ways.from, ...roots.map(() => top)], to: [...ways.to, ...roots] };
  const whole = createDigraph(size + 2, joined);
  const { parent, dominates } = findDominators(whole, top);
  const shared = new Uint8Array(size + 1);
  ways.from.forEach((from, i) => {
    const to = ways.to[i] as number;
    if (from !== parent[to] && !dominates(to, from)) shared[to] = 1;
  });
  const meet = findDominators(reversed(whole), size).parent;
  return { edges, main, roots, above: parent, meet, shared, rank: rankNodes(whole, top) };
}

function mainTarget(node: NodeIR): Target | null {
  const targets = node.onSuccess.length > 0 ? node.onSuccess : node.next;
  return targets.length === 1 && !choosesNext(node) ? (targets[0] as Target) : null;
}

/** All ways, the main one first; the node past the last is the end. Ways out of dead parts say nothing of the live one. */
function allWays(graph: GraphIR, edges: Flow["edges"], main: Flow["main"]): Ways {
  const end = graph.nodes.length;
  const from: number[] = [];
  const to: number[] = [];
  graph.nodes.forEach((node, v) => {
    const written = (edges[v] ?? []).map((edge) => edge.to);
    const first = main[v];
    const ordered = first === null || first === undefined ? written : [first, ...written];
    for (const target of new Set(silentEnds(node).length > 0 ? [...ordered, END] : ordered)) {
      const other = graph.nodes[target];
      if (other?.reachable === true && !node.reachable) continue;
      from.push(v);
      to.push(target === END ? end : target);
    }
  });
  return { from, to };
}

function findRoots(graph: Digraph, { from, to }: Ways): readonly number[] {
  const size = graph.size - 1;
  if (size === 0) return [];
  const entered = new Uint8Array(size + 1);
  to.forEach((w, i) => {
    if (from[i] !== w) entered[w] = 1;
  });
  const live = reachableFrom(graph, [0]);
  const nodes = Array.from({ length: size }, (_, v) => v);
  const roots = [0, ...nodes.filter((v) => live[v] === 0 && entered[v] === 0)];
  const seen = reachableFrom(graph, roots);
  for (const v of nodes) {
    if (seen[v] === 1) continue;
    roots.push(v);
    spread(graph, seen, v);
  }
  return roots;
}

function spread({ start, to }: Digraph, seen: Uint8Array, root: number): void {
  const pending = [root];
  seen[root] = 1;
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    for (let i = start[v] as number; i < (start[v + 1] as number); i++) {
      const w = to[i] as number;
      if (seen[w] === 0) pending.push(w);
      seen[w] = 1;
    }
  }
}

/** Reverse postorder; a node's first successor comes before its others where no edge forbids it. Linear. */
function rankNodes({ size, start, to }: Digraph, root: number): Int32Array {
  const rank = new Int32Array(size).fill(-1);
  const seen = new Uint8Array(size);
  const edge = start.slice(1, size + 1);
  const path = [root];
  seen[root] = 1;
  let next = size;
  while (path.length > 0) {
    const v = path[path.length - 1] as number;
    const i = (edge[v] as number) - 1;
    if (i < (start[v] as number)) {
      next--;
      rank[v] = next;
      path.pop();
      continue;
    }
    edge[v] = i;
    const w = to[i] as number;
    if (seen[w] === 1) continue;
    seen[w] = 1;
    path.push(w);
  }
  return rank;
}
