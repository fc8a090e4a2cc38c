import { END, type GraphIR, type NodeIR } from "../../compiler/ir.js";
import { choosesNext, type Edge, silentEnds, splitLookup } from "../../runtime/draw/edges.js";
import { type Children, sortChildren } from "./tree-flow.js";

/** The way to a node: `join` comes from several nodes, `below` from a part that is drawn above. */
export type Mark =
  | ("entry" | "dead" | "join" | "below" | "split" | "choice")
  | Exclude<Edge["on"], "case" | "otherwise">;

interface Arrival {
  readonly mark: Mark;
  /** The edge that the line's place stands for. */
  readonly by: Edge | null;
}

export interface TreeLine extends Arrival {
  readonly node: number;
  /** The prefix before the mark, and before further lines of the same node. */
  readonly lead: string;
  readonly rest: string;
}

/** An edge that the shape of the tree does not show. */
export interface Reference {
  readonly mark: Mark;
  readonly to: number;
  readonly place: "above" | "later" | "end" | "silent end";
  readonly edge: Edge | null;
}

/** A stretch of the tree: from the entry, cut off for its depth, or one that the entry does not lead to. */
interface TreePart {
  readonly isDead: boolean;
  readonly lines: readonly TreeLine[];
}

export interface Tree {
  readonly parts: readonly TreePart[];
  readonly references: (line: TreeLine) => readonly Reference[];
}

/** A node and all that goes on from it, one below the other. */
interface Column extends Arrival {
  readonly node: number;
  /** The prefix before the first node, and before all that follow. */
  readonly lead: string;
  readonly prefix: string;
  readonly depth: number;
}

function topColumn(node: number, mark: Mark): Column {
  return { node, mark, by: null, lead: "", prefix: "", depth: 0 };
}

/** Lays a graph out as lines; side branches deeper than `depth` become parts of their own. O(edges · log nodes). */
export function shapeTree(graph: GraphIR, depth: number): Tree {
  const children = sortChildren(graph);
  const mark = createMarker(graph);
  const parts: TreePart[] = [];
  const later = children.tops.map((node) => topColumn(node, node === 0 ? "entry" : "dead")).reverse();
  for (let start = later.pop(); start !== undefined; start = later.pop()) {
    const lines: TreeLine[] = [];
    const cut: number[] = [];
    const pending: (Column | TreeLine)[] = [start];
    for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
      if ("rest" in task) lines.push(task);
      else
        for (const item of openColumn(task, children, mark, task.depth === depth ? cut : null).toReversed())
          pending.push(item);
    }
    parts.push({ isDead: start.mark === "dead", lines });
    for (const node of cut.toReversed()) later.push(topColumn(node, "below"));
  }
  return { parts, references: createReferences(graph, children.edges, parts, mark) };
}

/** The lines of a column, each followed by the columns of its side branches, which `cut` takes when it is too deep. */
function openColumn(
  column: Column,
  { edges, side, onward }: Children,
  mark: (edge: Edge) => Mark,
  cut: number[] | null,
): readonly (Column | TreeLine)[] {
  const { prefix, depth } = column;
  const nodes = straightOn(column.node, onward);
  let arrival: Arrival = column;
  return nodes.flatMap((node, i): readonly (Column | TreeLine)[] => {
    const last = i === nodes.length - 1;
    const branches = side[node] ?? [];
    for (const child of branches) cut?.push(child);
    const hung = cut === null ? branches : [];
    const rest = `${prefix}${last && hung.length === 0 ? " " : "│"}`;
    const line = { node, mark: arrival.mark, by: arrival.by, lead: i === 0 ? column.lead : prefix, rest };
    const arrive = arrivals(edges[node] ?? [], mark);
    const columns = hung.map((child, k): Column => {
      const corner = last && k === hung.length - 1;
      const lead = `${prefix}${corner ? "└─ " : "├─ "}`;
      return {
        node: child,
        ...arrive(child),
        lead,
        prefix: `${prefix}${corner ? "   " : "│  "}`,
        depth: depth + 1,
      };
    });
    if (!last) arrival = goOn(arrive(nodes[i + 1] as number));
    return [line, ...columns];
  });
}

/** A node, then all that goes on from it, in running order. */
function straightOn(head: number, onward: Children["onward"]): readonly number[] {
  const nodes: number[] = [];
  const pending = [head];
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    nodes.push(v);
    for (const w of (onward[v] ?? []).toReversed()) pending.push(w);
  }
  return nodes;
}

/** A node with several ways to it is not marked as a failure: a straight line means the usual way. */
const goOn = (arrival: Arrival): Arrival =>
  arrival.mark === "failure" || arrival.mark === "limit" ? { mark: "join", by: null } : arrival;

/** The marks of the lines after a node. */
function arrivals(edges: readonly Edge[], mark: (edge: Edge) => Mark): (to: number) => Arrival {
  const first = new Map<number, Edge>();
  for (const edge of edges) if (!first.has(edge.to)) first.set(edge.to, edge);
  return (to) => {
    const by = first.get(to) ?? null;
    return { mark: by === null ? "join" : mark(by), by };
  };
}

function createMarker(graph: GraphIR): (edge: Edge) => Mark {
  const split = splitLookup(graph);
  return (edge) => {
    const { from, on } = edge;
    const node = graph.nodes[from];
    if (on === "case" || on === "otherwise") return "choice";
    if (on === "next" && node !== undefined && choosesNext(node)) return "choice";
    return split(edge) === undefined ? on : "split";
  };
}

/** Finds the edges of a line that the drawing does not show by its shape. */
function createReferences(
  graph: GraphIR,
  edges: Children["edges"],
  parts: readonly TreePart[],
  mark: (edge: Edge) => Mark,
): Tree["references"] {
  const lines = parts.flatMap((part) => part.lines);
  const place = new Map(lines.map(({ node }, i) => [node, i]));
  const shown = new Set(lines.map(({ by }) => by));
  return ({ node }) => {
    const here = place.get(node) ?? 0;
    const written = (edges[node] ?? []).filter((edge) => !shown.has(edge));
    return [
      ...written.map((edge): Reference => {
        const side = (place.get(edge.to) ?? 0) <= here ? "above" : "later";
        return { mark: mark(edge), to: edge.to, place: edge.to === END ? "end" : side, edge };
      }),
      ...silentEnds(graph.nodes[node] as NodeIR).map(
        (on): Reference => ({ mark: on, to: END, place: "silent end", edge: null }),
      ),
    ];
  };
}
