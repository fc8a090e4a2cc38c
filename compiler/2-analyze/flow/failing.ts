import type { Draft, DraftNode, Routes } from "../draft.js";
import { mayFail } from "../fields/calls.js";
import { createDigraph, reachableFrom, searchDepthFirst } from "./digraph.js";
import { findWays, isOpen } from "./edges.js";

export interface Routed {
  readonly draft: Draft;
  readonly routes: readonly Routes[];
}

/** A graph by its name, and the names of the graphs that its nodes run. */
export interface Caller {
  readonly name: string;
  readonly calls: readonly string[];
}

/**
 * Adds the graphs of which a run may end right after a failure that no edge takes, as `ends` says of each. Graphs may
 * run each other in circles, so this is a least fixpoint. A graph fails only by a failure of its own, or by that of a
 * graph that it runs. Called graphs come first in `ordered`, so only graphs in a circle are looked at again.
 */
export function findFailing<C extends Caller>(
  ordered: readonly C[],
  failing: Set<string>,
  ends: (graph: C) => boolean,
): void {
  const callers = callersOf(ordered);
  const seen = new Set<C>();
  for (const first of ordered) {
    const open = [first];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { name } = next;
      seen.add(next);
      if (failing.has(name) || !ends(next)) continue;
      failing.add(name);
      for (const caller of callers.get(name) ?? []) if (seen.has(caller)) open.push(caller);
    }
  }
}

/** The graphs that run a graph, by its name. */
export function callersOf<C extends Caller>(graphs: readonly C[]): ReadonlyMap<string, ReadonlySet<C>> {
  const callers = new Map<string, Set<C>>();
  for (const caller of graphs)
    for (const name of caller.calls) callers.set(name, (callers.get(name) ?? new Set()).add(caller));
  return callers;
}

/** Depth-first postorder: a graph comes after those that it runs, unless they run each other. Linear. */
export function calledFirst<C extends Caller>(graphs: readonly C[]): readonly C[] {
  const numbers = new Map(graphs.map(({ name }, i) => [name, i]));
  const from: number[] = [];
  const to: number[] = [];
  for (const [i, { calls }] of graphs.entries()) {
    for (const name of calls) {
      const called = numbers.get(name);
      if (called === undefined) continue;
      from.push(i);
      to.push(called);
    }
  }
  const { left } = searchDepthFirst(createDigraph(graphs.length, { from, to }), graphs.keys());
  return left.map((i) => graphs[i] as C);
}

/** True when a run can come to a node whose failure no edge takes. Linear, and seldom more than a look at each node. */
export function endsInFailure({ draft, routes }: Routed): boolean {
  const isEnd = (node: DraftNode): boolean =>
    isOpen(routes[node.index] as Routes) && (node.facts?.outcome === "fails" || mayFail(draft, node));
  const ends = draft.nodes.filter(isEnd);
  if (ends.length === 0) return false;
  const visited = reachableFrom(findWays(draft, routes).taken, [0]);
  return ends.some(({ index }) => visited[index] === 1);
}
