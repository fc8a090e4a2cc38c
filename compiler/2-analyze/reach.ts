import { END, type Target } from "../ir.js";
import { findComponents } from "./components.js";
import { type Digraph, reachableFrom, reversed } from "./digraph.js";
import { type Draft, type DraftNode, LOST, type Routes, reportAt } from "./draft.js";
import { columnTargets, type Edge, edgeGraph, outcomeColumns, type Ways } from "./edges.js";

/** Which nodes the entry leads to, over the edges as written; reports those it does not. Linear. */
export function findReachable(draft: Draft, graph: Digraph): Uint8Array {
  const seen = reachableFrom(graph, [0]);
  if (draft.incomplete) return seen;
  const entry = (draft.nodes[0] as DraftNode).row.node.name;
  for (const node of draft.nodes) {
    if (seen[node.index] === 1) continue;
    const { name, at } = node.row.node;
    reportAt(draft, node, "unreachable-node", { name, entry }, { span: at, column: "node_name" });
  }
  return seen;
}

/** What the search for cycles without an exit works with. */
interface CycleSearch {
  readonly routes: readonly Routes[];
  readonly ways: Ways;
  readonly reachable: Uint8Array;
}

/** Reports each group of nodes that a run can enter and never leave. Linear. */
export function checkCycles(draft: Draft, { routes, ways, reachable }: CycleSearch): void {
  if (draft.incomplete) return;
  const size = draft.nodes.length;
  const others = waysOut(draft, routes);
  const flows: readonly Edge[] = others.length === 0 ? ways.flows : [...ways.flows, ...others];
  const graph = others.length === 0 ? ways.taken : edgeGraph(size, flows);
  const ends = reachableFrom(reversed(graph), [size]);
  const stuck: number[] = [];
  for (let v = 0; v < size; v++) if (reachable[v] === 1 && ends[v] === 0) stuck.push(v);
  if (stuck.length === 0) return;
  const components = findComponents(graph);
  const trapped = new Map<number, number[]>();
  for (const v of stuck) {
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
  const ways: Edge[] = [];
  for (const { index, facts } of draft.nodes) {
    const route = routes[index] as Routes;
    const add = (to: Target): void => {
      if (to !== LOST) ways.push({ from: index, to, column: "next" });
    };
    if (losesWay(route)) add(END);
    if (facts !== null) continue;
    const failing = columnTargets(route, outcomeColumns(route).failure);
    if (failing.length === 0) add(END);
    else failing.forEach(add);
  }
  return ways;
}

/** Some target of the node names nothing. */
const losesWay = ({ next, onSuccess, onFailure, onLimit, cases, otherwise }: Routes): boolean =>
  onLimit === LOST ||
  otherwise === LOST ||
  next.includes(LOST) ||
  onSuccess.includes(LOST) ||
  onFailure.includes(LOST) ||
  cases.some(({ target }) => target === LOST);

function reportCycle(draft: Draft, members: readonly number[]): void {
  const first = draft.nodes[members[0] as number] as DraftNode;
  const nodes = members.map((v) => (draft.nodes[v] as DraftNode).row.node.name);
  reportAt(draft, first, "endless-cycle", { nodes }, { span: first.row.node.at, column: "node_name" });
}
