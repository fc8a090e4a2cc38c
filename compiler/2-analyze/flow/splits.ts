import { type ColumnName, END, type SplitIR, type Target } from "../../ir.js";
import { type Draft, type DraftNode, LOST, type Routes, reportAt, wholeCell } from "../draft.js";
import { groupBy } from "../group-by.js";
import { type Components, findComponents, reversed } from "./digraph.js";
import { type Dominators, findDominators } from "./dominators.js";
import { COLUMNS, type Edge, edgeGraph, outcomeColumns, type RouteColumn, type Ways } from "./edges.js";
import { once } from "./once.js";
import { findOwned, type Owned } from "./owners.js";
import { createLabeller, type SplitShape } from "./regions.js";

const COLUMN: { readonly [column in RouteColumn]: ColumnName } = {
  next: "next_node",
  success: "next_on_success",
  failure: "next_on_failure",
};

/** A node where a branch stops: others come there too. */
interface Stop {
  readonly node: number;
  readonly branch: number;
  /** Arrived at over a `next_on_failure` edge. */
  readonly failure: boolean;
}

/** So many edges are looked at for splits whose branches may meet in a loop: as many as 1,000 of them in 2,000 edges have. */
const MOST_EDGES = 2_000_000;

/**
 * Finds every split, the node where its branches meet, and the nodes of each branch. Dominators both ways are found
 * once. Then each split costs what is not plainly its own, so nesting costs nothing.
 */
export function findSplits(draft: Draft, routes: readonly Routes[], ways: Ways): readonly SplitIR[] {
  const found = draft.nodes.flatMap((node) => splitColumns(node, routes[node.index] as Routes));
  if (found.length === 0) return [];
  const size = draft.nodes.length;
  const graph = ways.written;
  const after = findDominators(reversed(graph), size);
  const shapes = found.map((split) => ({ ...split, meet: meeting(after, size, split.targets) }));
  const owned = findOwned(size, ways.edges, shapes);
  const components = once(() => findComponents(graph));
  const label = createLabeller(graph, ways.dominators);
  const outgoing = once(() => groupBy(ways.edges, ({ from }) => from));
  let left = Math.floor(MOST_EDGES / Math.max(1, ways.edges.length));
  const loops: Loops = {
    all: components,
    without: (isOutside) => {
      if (left-- <= 0) return components();
      const inner = ways.edges.filter(({ from, to }) => isOutside(from) && isOutside(to));
      return findComponents(edgeGraph(size, inner));
    },
  };
  return shapes.map((shape, i): SplitIR => {
    const own = owned[i] as readonly Owned[];
    const others = label(shape, own);
    const stops = findStops(shape, own, others, outgoing);
    checkMeeting(draft, loops, shape, stops.flat());
    return {
      ...shape,
      branches: shape.targets.map((_, branch) => ({
        own: (own[branch] as Owned).own,
        others: others[branch] ?? [],
        stops: [...new Set((stops[branch] ?? []).map(({ node }) => node))].sort((a, b) => a - b),
      })),
      merge: (draft.nodes[shape.node] as DraftNode).merge,
    };
  });
}

interface FoundSplit {
  readonly node: number;
  readonly by: RouteColumn;
  readonly targets: readonly Target[];
}

function splitColumns(node: DraftNode, routes: Routes): readonly FoundSplit[] {
  const most = Math.max(routes.next.length, routes.success.length, routes.failure.length);
  if (most < 2 || node.facts?.chooses === true) return [];
  const { success, failure } = outcomeColumns(routes);
  const taken = COLUMNS.filter((by) => by === success || by === failure);
  return taken.flatMap((by) => {
    const targets = routes[by].filter((target) => target !== LOST);
    return targets.length < 2 ? [] : [{ node: node.index, by, targets }];
  });
}

/**
 * The nearest common post-dominator of the targets; a target may be the meeting itself.
 * A target that never comes to the end has no say: its sheet has an endless cycle.
 */
function meeting(after: Dominators, end: number, targets: readonly Target[]): Target {
  const nodes = targets
    .map((target) => (target === END ? end : target))
    .filter((v) => after.parent[v] !== -1);
  const meet = nodes.length === 0 ? end : nodes.reduce((a, b) => after.common(a, b));
  return meet === end ? END : meet;
}

/** The nodes at which the branches leave their own nodes; each is noted once for a branch and kind. */
function findStops(
  { targets, by }: FoundSplit,
  owned: readonly Owned[],
  others: readonly (readonly number[])[],
  outgoing: () => ReadonlyMap<number, readonly Edge[]>,
): readonly (readonly Stop[])[] {
  return targets.map((target, branch) => {
    const { exits, isEntered } = owned[branch] as Owned;
    const rest = new Set(others[branch]);
    const seen = new Map<number, Stop>();
    const arrive = (to: Target, failure: boolean): void => {
      if (to !== END && !rest.has(to)) seen.set(2 * to + (failure ? 1 : 0), { node: to, branch, failure });
    };
    if (!isEntered) arrive(target, by === "failure");
    for (const { node, failure } of exits) arrive(node, failure);
    for (const v of rest)
      for (const edge of outgoing().get(v) ?? []) arrive(edge.to, edge.column === "failure");
    return [...seen.values()];
  });
}

interface Loops {
  readonly all: () => Components;
  /** Those of some nodes alone; of all nodes when that was asked too often. Then a meeting that is clear may be refused. */
  readonly without: (isOutside: (v: Target) => boolean) => Components;
}

/**
 * Two stops of different branches, of one kind, must not lead to each other: which comes first would be a guess.
 * Components without the splitting and the meeting node are worked out only when two stops share one with them.
 */
function checkMeeting(draft: Draft, loops: Loops, split: SplitShape, stops: readonly Stop[]): void {
  const isOutside = (v: Target): boolean => v !== split.node && v !== split.meet;
  for (const failure of [false, true]) {
    const kind = stops.filter((stop) => stop.failure === failure && isOutside(stop.node));
    // Most branches stop at one handler for all.
    if (kind.every(({ node }) => node === kind[0]?.node)) continue;
    if (clashIn(kind, loops.all()) === null) continue;
    const clash = clashIn(kind, loops.without(isOutside));
    if (clash === null) continue;
    reportMeeting(draft, split, clash);
    return;
  }
}

/** Two different stops in one component, which two different branches come to. Linear in the stops. */
function clashIn(stops: readonly Stop[], { of }: Components): readonly [Stop, Stop] | null {
  for (const group of groupBy(stops, ({ node }) => of[node]).values()) {
    const clash = clashOf(group);
    if (clash !== null) return clash;
  }
  return null;
}

/** In a group, only one node or only one branch means no clash; else some pair differs in both. */
function clashOf(group: readonly Stop[]): readonly [Stop, Stop] | null {
  const [first] = group;
  if (first === undefined) return null;
  const other = group.find((stop) => stop.node !== first.node && stop.branch !== first.branch);
  if (other !== undefined) return [first, other];
  const sameBranch = group.find((stop) => stop.node !== first.node);
  const sameNode = group.find((stop) => stop.branch !== first.branch);
  // Every stop shares a node or a branch with the first, so these two differ in both.
  return sameBranch === undefined || sameNode === undefined ? null : [sameBranch, sameNode];
}

function reportMeeting(draft: Draft, split: FoundSplit, [a, b]: readonly [Stop, Stop]): void {
  const node = draft.nodes[split.node] as DraftNode;
  const name = (v: number): string => (draft.nodes[v] as DraftNode).row.node.name;
  const { next, onSuccess, onFailure, node: named } = node.row;
  const span = wholeCell({ next, success: onSuccess, failure: onFailure }[split.by], named.at);
  const params = { node: named.name, first: name(a.node), second: name(b.node) };
  reportAt(draft, node, "ambiguous-meeting", params, { span, column: COLUMN[split.by] });
}
