import { END } from "../ir.js";
import { findComponents } from "./components.js";
import { reachableFrom, reversed } from "./digraph.js";
import { type Draft, type DraftNode, LOST, type Routes, reportAt } from "./draft.js";
import { columnTargets, type Edge, edgeGraph, outcomeColumns } from "./edges.js";

/** Which nodes the entry leads to, over the edges as written; reports those it does not. Linear. */
export function findReachable(draft: Draft, edges: readonly Edge[]): Uint8Array {
  const seen = reachableFrom(edgeGraph(draft.nodes.length, edges), [0]);
  if (draft.incomplete) return seen;
  const entry = (draft.nodes[0] as DraftNode).row.node.name;
  for (const node of draft.nodes) {
    if (seen[node.index] === 1) continue;
    const { name, at } = node.row.node;
    reportAt(draft, node, "unreachable-node", { name, entry }, { span: at, column: "node_name" });
  }
  return seen;
}

interface Ways {
  readonly taken: readonly Edge[];
  readonly reachable: Uint8Array;
}

/** Reports each group of nodes that a run can enter and never leave. Linear. */
export function checkCycles(draft: Draft, routes: readonly Routes[], { taken, reachable }: Ways): void {
  if (draft.incomplete) return;
  const size = draft.nodes.length;
  const flows: readonly Edge[] = [...taken, ...waysOut(draft, routes)];
  const graph = edgeGraph(size, flows);
  const ends = reachableFrom(reversed(graph), [size]);
  const components = findComponents(graph);
  const trapped = new Map<number, number[]>();
  for (let v = 0; v < size; v++) {
    if (reachable[v] === 0 || ends[v] === 1) continue;
    const component = components.of[v] as number;
    const members = trapped.get(component);
    if (members === undefined) trapped.set(component, [v]);
    else members.push(v);
  }
  // A group that leads into another trapped group is not where the run goes round.
  for (const { from, to } of flows) {
    if (to !== END && components.of[from] !== components.of[to])
      trapped.delete(components.of[from] as number);
  }
  for (const members of trapped.values()) reportCycle(draft, members);
}

/** Ways that analysis does not follow: a target that is misspelt, and the failure that a custom agent may signal. */
function waysOut(draft: Draft, routes: readonly Routes[]): readonly Edge[] {
  return draft.nodes.flatMap(({ index, facts }): readonly Edge[] => {
    const route = routes[index] as Routes;
    const { next, onSuccess, onFailure, onLimit, cases, otherwise } = route;
    const all = [
      ...next,
      ...onSuccess,
      ...onFailure,
      onLimit,
      otherwise,
      ...cases.map(({ target }) => target),
    ];
    const lost: readonly number[] = all.includes(LOST) ? [END] : [];
    const failing = facts === null ? columnTargets(route, outcomeColumns(route).failure) : [];
    const signalled = facts === null && failing.length === 0 ? [END] : failing.filter((to) => to !== LOST);
    return [...lost, ...signalled].map((to) => ({ from: index, to, column: "next" }));
  });
}

function reportCycle(draft: Draft, members: readonly number[]): void {
  const first = draft.nodes[members[0] as number] as DraftNode;
  const nodes = members.map((v) => (draft.nodes[v] as DraftNode).row.node.name);
  reportAt(draft, first, "endless-cycle", { nodes }, { span: first.row.node.at, column: "node_name" });
}
