import {
  createDigraph,
  type Digraph,
  reachableFrom,
  reversed,
} from "../../compiler/2-analyze/flow/digraph.js";
import { findDominators } from "../../compiler/2-analyze/flow/dominators.js";
import { END, type GraphIR, type NodeIR, type Target } from "../../compiler/ir.js";
import { choosesNext, type Edge, listEdges, silentEnds } from "../../runtime/draw/edges.js";
import { rankNodes } from "../../runtime/graph/link/routing.js";

type Edges = readonly (readonly Edge[])[];

/** Ways as two parallel lists. */
type Ways = { readonly from: readonly number[]; readonly to: readonly number[] };

function findFlow(graph: GraphIR) {
  const size = graph.nodes.length;
  const edges = listEdges(graph);
  // The next node of a run without failures; null where it splits, chooses or ends.
  const main = graph.nodes.map(mainTarget);
  const ways = allWays(graph, edges, main);
  // The entry, then what begins each part that the entry does not lead to; one root above all leads to them.
  const roots = findRoots(createDigraph(size + 1, ways), ways);
  const top = size + 1;
  const joined = { from: [...ways.from, ...roots.map(() => top)], to: [...ways.to, ...roots] };
  const whole = createDigraph(size + 2, joined);
  // The immediate dominator of each node: the last node that every way to it passes.
  const { parent: above, dominates } = findDominators(whole, top);
  // 1 for a node that is entered from elsewhere than its immediate dominator and the nodes that it dominates.
  const shared = new Uint8Array(size + 1);
  ways.from.forEach((from, i) => {
    const to = ways.to[i] as number;
    if (from !== above[to] && !dominates(to, from)) shared[to] = 1;
  });
  // The next node that every way from a node to the end passes; -1 where no way leads to the end.
  const meet = findDominators(reversed(whole), size).parent;
  // Reverse postorder: it grows along every edge that does not lead back.
  const rank = rankNodes(top, successors(whole));
  return { edges, main, above, meet, shared, rank };
}

function mainTarget(node: NodeIR): Target | null {
  const targets = node.onSuccess.length > 0 ? node.onSuccess : node.next;
  return targets.length === 1 && !choosesNext(node) ? (targets[0] as Target) : null;
}

/** The main edge is first. The end has the number after the last node. Edges from dead parts to live nodes are left out. */
function allWays(graph: GraphIR, edges: Edges, main: readonly (Target | null)[]): Ways {
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
    reachableFrom(graph, [v], seen);
  }
  return roots;
}

const successors = ({ size, start, to }: Digraph): readonly (readonly number[])[] =>
  Array.from({ length: size }, (_, v) => [...to.subarray(start[v], start[v + 1])]);

/** The nodes under each node: beside the line that goes on, or further along it. */
export interface Children {
  readonly edges: Edges;
  readonly side: readonly (readonly number[])[];
  readonly onward: readonly (readonly number[])[];
  /** Nodes without a parent: the entry and the first nodes of dead parts. */
  readonly tops: readonly number[];
}

/** Puts each node under its immediate dominator, in running order. O(nodes · log nodes + edges). */
export function sortChildren(graph: GraphIR): Children {
  const flow = findFlow(graph);
  const side = graph.nodes.map((): number[] => []);
  const onward = graph.nodes.map((): number[] => []);
  const tops: number[] = [];
  const rankOf = (v: number): number => flow.rank[v] as number;
  const ranked = graph.nodes.map((_, v) => v).sort((a, b) => rankOf(a) - rankOf(b));
  for (const v of ranked) {
    const parent = flow.above[v] as number;
    if (parent >= graph.nodes.length) tops.push(v);
    else if (!goesOn(flow, parent, v)) side[parent]?.push(v);
    else onward[parent]?.push(v);
  }
  flow.edges.forEach((edges, v) => {
    sortByEdges(side[v] as number[], edges);
  });
  return { edges: flow.edges, side, onward, tops: tops.sort((a, b) => Number(b === 0) - Number(a === 0)) };
}

function sortByEdges(nodes: number[], edges: readonly Edge[]): void {
  if (nodes.length < 2) return;
  const place = new Map<number, number>();
  edges.forEach(({ to }, i) => {
    if (!place.has(to)) place.set(to, i);
  });
  nodes.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
}

type Flow = ReturnType<typeof findFlow>;

/** True when the drawing goes straight on from a node to one that it dominates. */
function goesOn({ edges, main, meet, shared }: Flow, from: number, to: number): boolean {
  if (main[from] === to) return true;
  const direct = edges[from]?.some((edge) => edge.to === to) ?? false;
  return !direct || (shared[to] === 1 && meet[from] === to);
}
