import { END, type Target } from "../../ir.js";
import { type Draft, type DraftNode, LOST, type Routes } from "../draft.js";
import { keepsOutputs, mayFail } from "../fields/calls.js";
import { createDigraph, type Digraph } from "./digraph.js";
import { type Dominators, findDominators } from "./dominators.js";
import { once } from "./once.js";

/** The columns that hold targets; a split is one of these lists. */
export type RouteColumn = "next" | "success" | "failure";

/** One way from a node: to another, or to the end. */
export interface Edge {
  readonly from: number;
  readonly to: Target;
  readonly column: RouteColumn | "case" | "limit";
}

const EDGE_COLUMNS: readonly Edge["column"][] = ["next", "success", "failure", "case", "limit"];

/** One outcome of one node as a number. */
export const outcomeKey = (node: number, column: Edge["column"]): number =>
  node * EDGE_COLUMNS.length + EDGE_COLUMNS.indexOf(column);

/** An edge that a run can take, and the fields that are set behind it. */
export interface Flow extends Edge {
  readonly writes: boolean;
  readonly error: boolean;
  /** The run ends here, since no edge takes the failure: a graph that runs this one fails of it. */
  readonly unhandled: boolean;
}

/** The targets of the two outcomes by the precedence of the columns. */
export function outcomeColumns(routes: Routes): {
  readonly success: RouteColumn;
  readonly failure: RouteColumn;
} {
  return {
    success: routes.success.length > 0 ? "success" : "next",
    failure: routes.failure.length > 0 ? "failure" : "next",
  };
}

/** No edge takes a failure: the run ends there. */
export const isOpen = (routes: Routes): boolean => routes[outcomeColumns(routes).failure].length === 0;

export const COLUMNS = ["next", "success", "failure"] as const satisfies readonly RouteColumn[];

/** Every edge as written, also those never taken, and the ends of outcomes without a target. */
function addWritten(edges: Edge[], node: DraftNode, routes: Routes): void {
  const from = node.index;
  const add = (to: Target, column: Edge["column"]): void => {
    if (to !== LOST) edges.push({ from, to, column });
  };
  for (const column of COLUMNS) for (const to of routes[column]) add(to, column);
  const chosen = choices(routes);
  for (const to of chosen) add(to, "case");
  if (node.maxVisits !== null) add(routes.onLimit, "limit");
  const { success } = outcomeColumns(routes);
  if ((routes[success].length === 0 && chosen.length === 0) || isOpen(routes)) add(END, "next");
}

function choices({ cases, otherwise }: Routes): readonly Target[] {
  if (cases.length === 0 && otherwise === null) return [];
  return [...cases.map(({ target }) => target), ...(otherwise === null ? [] : [otherwise])];
}

/** A node as far as its ways out of it depend on it. */
export type Leaving = Pick<DraftNode, "index" | "facts" | "maxVisits">;

/** What the agent or the graph of a node may do. */
export interface Doings<N extends Leaving> {
  readonly mayFail: (node: N) => boolean;
  readonly keepsOutputs: (node: N) => boolean;
}

/** The edges that a run can take. */
export function addTaken<N extends Leaving>(
  flows: Flow[],
  node: N,
  routes: Routes,
  { mayFail, keepsOutputs }: Doings<N>,
): void {
  const from = node.index;
  const add = (
    to: Target,
    column: Flow["column"],
    writes: boolean,
    error = false,
    unhandled = false,
  ): void => {
    if (to !== LOST) flows.push({ from, to, column, writes, error, unhandled });
  };
  const outcome = node.facts?.outcome ?? "succeeds";
  const setsError = node.facts?.setsError ?? true;
  const { success, failure } = outcomeColumns(routes);
  if (outcome !== "fails") {
    const chosen = choices(routes);
    for (const to of orEnd(routes[success], chosen)) add(to, success, true);
    for (const to of chosen) add(to, "case", true);
  }
  const signals = outcome === "fails" || mayFail(node);
  const fails = outcome === "signals" || signals || routes.failure.length > 0;
  // A node that signals failure and has one list for both outcomes leaves the same set either way.
  const same = outcome === "signals" && failure === success;
  if (fails && !same) {
    const writes = outcome !== "succeeds" || (node.facts?.type === "graph" && keepsOutputs(node));
    const targets = routes[failure];
    const unhandled = signals && targets.length === 0;
    for (const to of orEnd(targets, [])) add(to, failure, writes, setsError, unhandled);
  }
  if (node.maxVisits !== null) add(routes.onLimit, "limit", false);
}

const orEnd = (targets: readonly Target[], chosen: readonly Target[]): readonly Target[] =>
  targets.length === 0 && chosen.length === 0 ? [END] : targets;

/** All ways through a graph; each result is worked out at most once. */
export interface Ways {
  /** As written. */
  readonly edges: readonly Edge[];
  readonly written: Digraph;
  /** As a run can take them. */
  readonly flows: readonly Flow[];
  readonly taken: Digraph;
  /** Dominators from the entry, over the edges as written. */
  readonly dominators: () => Dominators;
}

export function findWays(draft: Draft, routes: readonly Routes[]): Ways {
  const size = draft.nodes.length;
  const edges: Edge[] = [];
  const flows: Flow[] = [];
  const doings: Doings<DraftNode> = {
    mayFail: (node) => mayFail(draft, node),
    keepsOutputs: (node) => keepsOutputs(draft, node),
  };
  for (const node of draft.nodes) {
    addWritten(edges, node, routes[node.index] as Routes);
    addTaken(flows, node, routes[node.index] as Routes, doings);
  }
  const written = edgeGraph(size, edges);
  const dominators = once(() => findDominators(written, 0));
  return { edges, written, flows, taken: edgeGraph(size, flows), dominators };
}

/** The edges as a graph whose last node stands for the end. */
export function edgeGraph(size: number, edges: readonly Edge[]): Digraph {
  const from = new Int32Array(edges.length);
  const to = new Int32Array(edges.length);
  for (let i = 0; i < edges.length; i++) {
    const edge = edges[i] as Edge;
    from[i] = edge.from;
    to[i] = edge.to === END ? size : edge.to;
  }
  return createDigraph(size + 1, { from, to });
}
