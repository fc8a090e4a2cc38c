/** The tiny graph that the reference model understands: nodes are numbers, node 0 is the entry. */

/** A node's number, or `END`. */
export type Target = number;
export const END = -1;

/**
 * What a node is. `echo` succeeds or throws, `custom` may also signal failure, `branching` signals one of the
 * two, `failure` always fails, `switch` goes to one of its targets, `input` and `human` wait for a person.
 */
export type AgentKind = "echo" | "custom" | "branching" | "failure" | "switch" | "input" | "human";

export type MergeKind = "append" | "last" | "sum";

export interface RefRead {
  readonly field: string;
  readonly optional: boolean;
}

export interface RefNode {
  readonly agent: AgentKind;
  /** Lists of distinct targets; empty for an empty cell. */
  readonly next: readonly Target[];
  readonly onSuccess: readonly Target[];
  readonly onFailure: readonly Target[];
  readonly maxVisits: number | null;
  /** Where the visit after the last one goes; without meaning when `maxVisits` is null. */
  readonly onLimit: Target;
  readonly reads: readonly RefRead[];
  readonly writes: readonly string[];
  readonly merge: { readonly [field: string]: MergeKind };
}

export interface RefGraph {
  readonly nodes: readonly RefNode[];
}

/** The columns that hold targets; `limit` stands for the setting `on_limit`. */
export type Column = "next" | "success" | "failure" | "limit";

export interface Edge {
  readonly from: number;
  readonly to: Target;
  readonly column: Column;
}

/** A node with nothing but what is given. */
export function node(parts: Partial<RefNode> = {}): RefNode {
  return {
    agent: "echo",
    next: [],
    onSuccess: [],
    onFailure: [],
    maxVisits: null,
    onLimit: END,
    reads: [],
    writes: [],
    merge: {},
    ...parts,
  };
}

export function nodeAt(graph: RefGraph, index: number): RefNode {
  return graph.nodes[index] ?? noNode(index);
}

function noNode(index: number): never {
  throw new RangeError(`no node ${index}`);
}

/** The targets that stand in a column, as written. */
export function columnOf(from: RefNode, column: Column): readonly Target[] {
  if (column === "next") return from.next;
  if (column === "success") return from.onSuccess;
  if (column === "failure") return from.onFailure;
  return from.maxVisits === null ? [] : [from.onLimit];
}

/** The column that an outcome takes, or null when the outcome has no target. */
export function columnFor(from: RefNode, outcome: "success" | "failure" | "thrown"): Column | null {
  if (outcome === "success" && from.onSuccess.length > 0) return "success";
  if (outcome !== "success" && from.onFailure.length > 0) return "failure";
  if (outcome !== "thrown" && from.next.length > 0) return "next";
  return null;
}

/** It goes to one of its targets instead of all: it never splits. */
export const chooses = (from: RefNode): boolean => from.agent === "switch";

/** Its signalled failures are failures: those of `branching` and `human` are decisions. */
export const fails = (from: RefNode): boolean => from.agent === "failure" || from.agent === "custom";

/** It asks a person. A value that was given at the start is an answer to the first of them. */
export const asks = (from: RefNode): boolean => from.agent === "input" || from.agent === "human";

/** An unset input is empty text to it. */
export const isText = (from: RefNode): boolean => ["echo", "input", "human", "failure"].includes(from.agent);

/** A graph never changes: what is worked out of it is worked out once. */
export function once<T>(work: (graph: RefGraph) => T): (graph: RefGraph) => T {
  const known = new WeakMap<RefGraph, { readonly found: T }>();
  return (graph) => {
    const { found } = known.get(graph) ?? { found: work(graph) };
    known.set(graph, { found });
    return found;
  };
}

const COLUMNS = ["next", "success", "failure", "limit"] as const;

const edgesOf = once((graph) =>
  graph.nodes.map((source, from) =>
    COLUMNS.flatMap((column) => columnOf(source, column).map((to) => ({ from, to, column }))),
  ),
);

/** Every edge that the sheet writes, also those that are never taken, in the order of the columns. */
export function writtenEdges(graph: RefGraph, from: number): readonly Edge[] {
  return edgesOf(graph)[from] ?? noNode(from);
}

const successorsOf = once((graph) =>
  graph.nodes.map((source, from) => {
    const found = new Set(writtenEdges(graph, from).map((edge) => edge.to));
    if (columnFor(source, "success") === null || columnFor(source, "failure") === null) found.add(END);
    return [...found];
  }),
);

/**
 * Where a node leads, END included: written edges, and END for a success or a signalled failure without
 * target. Both outcomes are taken literally for every agent; an unrouted throw is no way to END.
 */
export function successors(graph: RefGraph, from: number): readonly Target[] {
  return successorsOf(graph)[from] ?? noNode(from);
}

/** What can be reached from a target (itself included) when some places are taken out of the graph. */
export function reach(graph: RefGraph, from: Target, without: ReadonlySet<Target> = new Set()): Set<Target> {
  const found = new Set<Target>();
  const waiting = without.has(from) ? [] : [from];
  while (waiting.length > 0) {
    const at = waiting.pop() ?? END;
    if (found.has(at)) continue;
    found.add(at);
    if (at === END) continue;
    for (const to of successors(graph, at)) if (!without.has(to)) waiting.push(to);
  }
  return found;
}

/** All node numbers. */
export const indices = (graph: RefGraph): readonly number[] => graph.nodes.map((_, index) => index);

/**
 * The rank of each node: reverse postorder from the entry. A node's children are its targets in the order
 * next, onSuccess, onFailure, onLimit, each at its first place; they are walked last to first, so that the
 * targets of a list rank in the order of the list when nothing else orders them. Unreached nodes: Infinity.
 */
export function ranks(graph: RefGraph): readonly number[] {
  const finished: number[] = [];
  const seen = new Set<number>();
  const walk = (at: number): void => {
    seen.add(at);
    const children = [...new Set(writtenEdges(graph, at).map((edge) => edge.to))];
    for (const child of children.reverse()) if (child !== END && !seen.has(child)) walk(child);
    finished.push(at);
  };
  if (graph.nodes.length > 0) walk(0);
  const order = finished.reverse();
  return indices(graph).map((index) => (seen.has(index) ? order.indexOf(index) : Number.POSITIVE_INFINITY));
}
