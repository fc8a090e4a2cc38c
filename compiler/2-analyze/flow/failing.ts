import type { Draft, DraftNode, Routes } from "../draft.js";
import { calledBy, mayFail } from "../fields/calls.js";
import { createDigraph, reachableFrom, searchDepthFirst } from "./digraph.js";
import { findWays, isOpen } from "./edges.js";

export interface Routed {
  readonly draft: Draft;
  readonly routes: readonly Routes[];
}

/**
 * Adds the graphs of which a run may end right after a failure that no edge takes. Graphs may run each other in
 * circles, so this is a least fixpoint. A graph fails only by a failure of its own, or by that of a graph that it
 * runs. Called graphs come first in `ordered`, so only graphs in a circle are looked at again.
 */
export function findFailing(ordered: readonly Routed[], failing: Set<string>): void {
  const callers = callersOf(ordered);
  const seen = new Set<Routed>();
  for (const first of ordered) {
    const open = [first];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { name } = next.draft;
      seen.add(next);
      if (failing.has(name) || !endsInFailure(next)) continue;
      failing.add(name);
      for (const caller of callers.get(name) ?? []) if (seen.has(caller)) open.push(caller);
    }
  }
}

function callersOf(ordered: readonly Routed[]): ReadonlyMap<string, ReadonlySet<Routed>> {
  const callers = new Map<string, Set<Routed>>();
  for (const caller of ordered)
    for (const name of caller.draft.nodes.map(calledBy))
      if (name !== null) callers.set(name, (callers.get(name) ?? new Set()).add(caller));
  return callers;
}

/** Depth-first postorder: a graph comes after those that it runs, unless they run each other. Linear. */
export function calledFirst(drafts: readonly Draft[]): readonly Draft[] {
  const numbers = new Map(drafts.map(({ name }, i) => [name, i]));
  const from: number[] = [];
  const to: number[] = [];
  for (const [i, { nodes }] of drafts.entries()) {
    for (const node of nodes) {
      const called = numbers.get(calledBy(node) ?? "");
      if (called === undefined) continue;
      from.push(i);
      to.push(called);
    }
  }
  const { left } = searchDepthFirst(createDigraph(drafts.length, { from, to }), drafts.keys());
  return left.map((i) => drafts[i] as Draft);
}

/** True when a run can come to a node whose failure no edge takes. Linear, and seldom more than a look at each node. */
function endsInFailure({ draft, routes }: Routed): boolean {
  const isEnd = (node: DraftNode): boolean =>
    isOpen(routes[node.index] as Routes) && (node.facts?.outcome === "fails" || mayFail(draft, node));
  const ends = draft.nodes.filter(isEnd);
  if (ends.length === 0) return false;
  const visited = reachableFrom(findWays(draft, routes).taken, [0]);
  return ends.some(({ index }) => visited[index] === 1);
}
