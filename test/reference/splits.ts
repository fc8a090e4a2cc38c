import {
  type Column,
  chooses,
  columnFor,
  columnOf,
  END,
  indices,
  nodeAt,
  once,
  type RefGraph,
  reach,
  type Target,
  writtenEdges,
} from "./graph.js";

/** A way in which a branch comes to a stop. */
export interface Arrival {
  /** Index of the branch in the split's list. */
  readonly branch: number;
  readonly stop: number;
  /** Over a `next_on_failure` edge. */
  readonly failure: boolean;
}

export interface Conflict {
  readonly field: string;
  readonly first: number;
  readonly second: number;
}

/** All that the rules say of one split. */
export interface Split {
  readonly node: number;
  readonly by: Exclude<Column, "limit">;
  readonly targets: readonly Target[];
  readonly meet: Target;
  /** By node: the numbers of the branches that can come to it. */
  readonly labels: readonly ReadonlySet<number>[];
  /** By branch: the nodes that only it can come to, ascending. */
  readonly branches: readonly (readonly number[])[];
  /** The node of the split, its meeting, and every node that does not belong to exactly one branch. */
  readonly shared: ReadonlySet<number>;
  readonly arrivals: readonly Arrival[];
  /** Pairs of stops that make the meeting ambiguous, lower number first. */
  readonly ambiguous: readonly (readonly [number, number])[];
  readonly conflicts: readonly Conflict[];
}

/** Places that every way from `from` to END passes, by definition: take the place out and see. */
export function postDominators(graph: RefGraph, from: Target): Set<Target> {
  const places = [...indices(graph), END];
  return new Set(places.filter((place) => !reach(graph, from, new Set([place])).has(END)));
}

/**
 * The nearest common post-dominator of the targets. A target that never comes to END has no post-dominators
 * (its sheet has an endless cycle, which is an error of its own): it has no say here.
 */
export function meetingOf(graph: RefGraph, targets: readonly Target[]): Target {
  const ending = targets.filter((target) => reach(graph, target).has(END));
  const behind = ending.map((target) => postDominators(graph, target));
  const common = [...indices(graph), END].filter((place) => behind.every((places) => places.has(place)));
  const isNearest = (place: Target): boolean => {
    const later = postDominators(graph, place);
    return reach(graph, place).has(END) && common.every((other) => later.has(other));
  };
  return ending.length === 0 ? END : (common.find(isNearest) ?? END);
}

function labelsOf(graph: RefGraph, split: { node: number; targets: readonly Target[]; meet: Target }) {
  const borders = new Set([split.node, split.meet]);
  const labels = indices(graph).map(() => new Set<number>());
  split.targets.forEach((target, branch) => {
    for (const at of reach(graph, target, borders)) labels[at]?.add(branch);
  });
  return labels;
}

/** Edges of the branch's own nodes into shared nodes; a target that is shared itself is arrived at at once. */
function arrivalsOf(graph: RefGraph, parts: Omit<Split, "arrivals" | "ambiguous" | "conflicts">): Arrival[] {
  const direct = parts.targets.map((stop, branch) => ({ branch, stop, failure: parts.by === "failure" }));
  const later = parts.branches.flatMap((own, branch) =>
    own
      .flatMap((at) => writtenEdges(graph, at))
      .map((edge) => ({ branch, stop: edge.to, failure: edge.column === "failure" })),
  );
  return [...direct, ...later].filter((arrival) => parts.shared.has(arrival.stop));
}

/** Two stops that lead to each other without the split's node and its meeting: neither comes first. */
function ambiguousPairs(graph: RefGraph, split: Pick<Split, "node" | "meet" | "arrivals">) {
  const borders = new Set([split.node, split.meet]);
  const leads = (from: number, to: number): boolean => reach(graph, from, borders).has(to);
  const pairs = new Map<string, readonly [number, number]>();
  for (const one of split.arrivals)
    for (const other of split.arrivals) {
      const apart = one.branch !== other.branch && one.stop < other.stop && one.failure === other.failure;
      if (apart && leads(one.stop, other.stop) && leads(other.stop, one.stop))
        pairs.set(`${one.stop} ${other.stop}`, [one.stop, other.stop]);
    }
  return [...pairs.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function conflictsOf(graph: RefGraph, split: Pick<Split, "node" | "branches">): Conflict[] {
  const merges = nodeAt(graph, split.node).merge;
  const writers = split.branches.flatMap((own, branch) =>
    own.flatMap((at) => nodeAt(graph, at).writes.map((field) => ({ branch, at, field }))),
  );
  return writers.flatMap((one) =>
    writers
      .filter((other) => other.branch > one.branch && other.field === one.field)
      .filter(() => one.field !== "error" && !Object.hasOwn(merges, one.field))
      .map((other) => ({ field: one.field, first: one.at, second: other.at })),
  );
}

/** Works out one column of a node with two or more targets. */
export function splitAt(graph: RefGraph, at: number, by: Split["by"]): Split {
  const targets = columnOf(nodeAt(graph, at), by);
  const meet = meetingOf(graph, targets);
  const labels = labelsOf(graph, { node: at, targets, meet });
  const belongs = (index: number, branch: number): boolean => {
    const own = labels[index];
    return own !== undefined && own.size === 1 && own.has(branch);
  };
  const branches = targets.map((_, branch) => indices(graph).filter((index) => belongs(index, branch)));
  const owned = new Set(branches.flat());
  const shared = new Set(indices(graph).filter((index) => !owned.has(index)));
  const parts = { node: at, by, targets, meet, labels, branches, shared };
  const arrivals = arrivalsOf(graph, parts);
  return {
    ...parts,
    arrivals,
    ambiguous: ambiguousPairs(graph, { ...parts, arrivals }),
    conflicts: conflictsOf(graph, parts),
  };
}

/**
 * All splits, by node and then by column. A column that no outcome takes (a `next` beside both others) is no
 * outcome and so no split. Splits of nodes that the entry never comes to are among them.
 */
export const splitsOf = once((graph): readonly Split[] =>
  indices(graph).flatMap((at) => {
    const from = nodeAt(graph, at);
    if (chooses(from)) return [];
    const taken = new Set([
      columnFor(from, "success"),
      columnFor(from, "failure"),
      columnFor(from, "thrown"),
    ]);
    const columns = (["next", "success", "failure"] as const).filter((column) => taken.has(column));
    return columns
      .filter((column) => columnOf(from, column).length > 1)
      .map((column) => splitAt(graph, at, column));
  }),
);

/**
 * Nodes on a way from the entry that can never come to END, over the outcomes that their agents can have. Of a split
 * all targets must come there, unless a failure edge may lead out of a branch: a failure decides for all.
 */
export function endlessNodes(graph: RefGraph): readonly number[] {
  const splits = splitsOf(graph);
  const canEnd = new Set<Target>([END]);
  const mayEnd = (at: number, { column, targets }: Way): boolean => {
    const split = splits.find(({ node, by }) => node === at && by === column);
    const escapes =
      column === "failure" || split?.branches.flat().some((own) => nodeAt(graph, own).onFailure.length > 0);
    return split === undefined || escapes
      ? targets.some((to) => canEnd.has(to))
      : targets.every((to) => canEnd.has(to));
  };
  for (let before = -1; before !== canEnd.size; ) {
    before = canEnd.size;
    for (const at of indices(graph)) if (waysFrom(graph, at).some((way) => mayEnd(at, way))) canEnd.add(at);
  }
  return [...reach(graph, 0)].filter((at) => !canEnd.has(at)).sort((a, b) => a - b);
}

interface Way {
  readonly column: Column | null;
  readonly targets: readonly Target[];
}

function waysFrom(graph: RefGraph, at: number): readonly Way[] {
  const from = nodeAt(graph, at);
  const outcomes = {
    echo: ["success", "thrown"],
    custom: ["success", "failure", "thrown"],
    branching: ["success", "failure", "thrown"],
    human: ["success", "failure", "thrown"],
    failure: ["failure", "thrown"],
    switch: ["success", "thrown"],
    input: ["success", "thrown"],
  } as const;
  const ways = outcomes[from.agent].flatMap((outcome): readonly Way[] => {
    const column = columnFor(from, outcome);
    if (column === null) return outcome === "thrown" ? [] : [{ column, targets: [END] }];
    return [{ column, targets: columnOf(from, column) }];
  });
  return [...ways, { column: "limit", targets: columnOf(from, "limit") }];
}

/** A graph that the product accepts: every place can end, no ambiguous meeting, no write conflict. */
export function isClean(graph: RefGraph): boolean {
  const live = reach(graph, 0);
  const splits = splitsOf(graph).filter((split) => live.has(split.node));
  return (
    endlessNodes(graph).length === 0 &&
    indices(graph).every((at) => reach(graph, at).has(END)) &&
    splits.every((split) => split.ambiguous.length === 0 && split.conflicts.length === 0)
  );
}
