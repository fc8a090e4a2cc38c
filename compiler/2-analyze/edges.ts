import { END, type Target } from "../ir.js";
import { createDigraph, type Digraph, type EdgeList } from "./digraph.js";
import { type Draft, type DraftNode, LOST, type Routes } from "./draft.js";

/** The columns that hold targets; a split is one of these lists. */
export type RouteColumn = "next" | "success" | "failure";

/** One way from a node: to another, or to the end. */
export interface Edge {
  readonly from: number;
  readonly to: Target;
  readonly column: RouteColumn | "case" | "limit";
}

/** A way that a run can take, with what it leaves set. */
export interface Flow extends Edge {
  readonly writes: boolean;
  readonly error: boolean;
}

/** The targets of the two outcomes by the precedence of the columns. */
export function outcomeColumns(routes: Routes): {
  readonly success: RouteColumn;
  readonly failure: RouteColumn;
} {
  return {
    success: routes.onSuccess.length > 0 ? "success" : "next",
    failure: routes.onFailure.length > 0 ? "failure" : "next",
  };
}

export function columnTargets(routes: Routes, column: RouteColumn): readonly Target[] {
  if (column === "next") return routes.next;
  return column === "success" ? routes.onSuccess : routes.onFailure;
}

/** Every edge as written, also those never taken, and the ends of outcomes without a target. Linear. */
export function writtenEdges(draft: Draft, routes: readonly Routes[]): readonly Edge[] {
  return draft.nodes.flatMap((node) => writtenFrom(node, routes[node.index] as Routes));
}

function writtenFrom(node: DraftNode, routes: Routes): readonly Edge[] {
  const from = node.index;
  const columns = ["next", "success", "failure"] as const;
  const edges: Edge[] = columns.flatMap((column) =>
    columnTargets(routes, column).map((to) => ({ from, to, column })),
  );
  for (const to of choices(routes)) edges.push({ from, to, column: "case" });
  if (node.maxVisits !== null) edges.push({ from, to: routes.onLimit, column: "limit" });
  const { success, failure } = outcomeColumns(routes);
  const chooses = choices(routes).length > 0;
  const open = (column: RouteColumn): boolean => columnTargets(routes, column).length === 0;
  if ((open(success) && !chooses) || open(failure)) edges.push({ from, to: END, column: "next" });
  return edges.filter(({ to }) => to !== LOST);
}

const choices = ({ cases, otherwise }: Routes): readonly Target[] => [
  ...cases.map(({ target }) => target),
  ...(otherwise === null ? [] : [otherwise]),
];

/** The ways a run can take, each with what it leaves set. Linear. */
export function takenFlows(draft: Draft, routes: readonly Routes[]): readonly Flow[] {
  return draft.nodes.flatMap((node) => takenFrom(node, routes[node.index] as Routes));
}

function takenFrom(node: DraftNode, routes: Routes): readonly Flow[] {
  const from = node.index;
  const outcome = node.facts?.outcome ?? "succeeds";
  const setsError = node.facts?.setsError ?? true;
  const { success, failure } = outcomeColumns(routes);
  const flows: Flow[] = [];
  if (outcome !== "fails") {
    const chosen = choices(routes);
    for (const to of orEnd(columnTargets(routes, success), chosen))
      flows.push({ from, to, column: success, writes: true, error: false });
    for (const to of chosen) flows.push({ from, to, column: "case", writes: true, error: false });
  }
  const fails = outcome !== "succeeds" || routes.onFailure.length > 0;
  // A node that signals failure and has one list for both outcomes leaves the same set either way.
  const same = outcome === "signals" && failure === success;
  if (fails && !same) {
    const writes = outcome !== "succeeds";
    for (const to of orEnd(columnTargets(routes, failure), []))
      flows.push({ from, to, column: failure, writes, error: setsError });
  }
  if (node.maxVisits !== null)
    flows.push({ from, to: routes.onLimit, column: "limit", writes: false, error: false });
  return flows.filter(({ to }) => to !== LOST);
}

const orEnd = (targets: readonly Target[], chosen: readonly Target[]): readonly Target[] =>
  targets.length === 0 && chosen.length === 0 ? [END] : targets;

/** The edges as a graph whose last node stands for the end. */
export function edgeGraph(size: number, edges: readonly Edge[]): Digraph {
  const list: EdgeList = {
    from: edges.map(({ from }) => from),
    to: edges.map(({ to }) => (to === END ? size : to)),
  };
  return createDigraph(size + 1, list);
}
