import { END, type GraphIR, type NodeIR } from "../../compiler/ir.js";
import { choosesNext, type Edge, silentEnds, splitLookup } from "../../runtime/draw/edges.js";
import { type Children, sortChildren } from "./tree-flow.js";

/** The way to a node: `join` comes from several nodes, `below` from a part that is drawn above. */
export type Mark =
  | "entry"
  | "dead"
  | "join"
  | "below"
  | "split"
  | "choice"
  | "next"
  | "success"
  | "failure"
  | "limit";

export interface TreeLine {
  readonly node: number;
  readonly mark: Mark;
  /** The edge that the line's place stands for. */
  readonly by: Edge | null;
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
  readonly kind: "live" | "below" | "dead";
  readonly lines: readonly TreeLine[];
}

export interface Tree {
  readonly parts: readonly TreePart[];
  readonly references: (line: TreeLine) => readonly Reference[];
}

/** Lays a graph out as lines; side branches deeper than `depth` become parts of their own. O(edges · log nodes). */
export function shapeTree(graph: GraphIR, depth: number): Tree {
  const children = sortChildren(graph);
  const { edges } = children;
  const mark = createMarker(graph);
  const parts: TreePart[] = [];
  const later: Start[] = [];
  const put = (nodes: readonly number[], kind: Start["kind"]): void => {
    for (const node of nodes.toReversed()) later.push({ node, kind: node === 0 ? "live" : kind });
  };
  put(children.tops, "dead");
  for (let start = later.pop(); start !== undefined; start = later.pop()) {
    const { lines, cut } = shapePart(start, { children, mark, depth });
    parts.push({ kind: start.kind, lines });
    put(cut, "below");
  }
  return { parts, references: createReferences(graph, { parts, edges, mark }) };
}

interface Start {
  readonly node: number;
  readonly kind: TreePart["kind"];
}

interface Shaping {
  readonly children: Children;
  readonly mark: (edge: Edge) => Mark;
  readonly depth: number;
}

/** A node and all that goes on from it, one below the other. */
interface Column extends Arrival {
  readonly node: number;
  /** The prefix before the first node, and before all that follow. */
  readonly lead: string;
  readonly prefix: string;
  readonly depth: number;
}

interface Shaped {
  readonly lines: readonly TreeLine[];
  /** Nodes whose columns would stand too deep. */
  readonly cut: readonly number[];
}

const FIRST = { live: "entry", below: "below", dead: "dead" } as const;

function shapePart({ node, kind }: Start, shaping: Shaping): Shaped {
  const lines: TreeLine[] = [];
  const cut: number[] = [];
  const pending: (Column | TreeLine)[] = [
    { node, mark: FIRST[kind], by: null, lead: "", prefix: "", depth: 0 },
  ];
  for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
    if ("prefix" in task) for (const item of openColumn(task, shaping, cut).toReversed()) pending.push(item);
    else lines.push(task);
  }
  return { lines, cut };
}

/** The lines of a column, each followed by the columns of its side branches. */
function openColumn(column: Column, shaping: Shaping, cut: number[]): readonly (Column | TreeLine)[] {
  const { prefix, depth } = column;
  const nodes = straightOn(column.node, shaping.children);
  const deep = depth === shaping.depth;
  let arrival: Arrival = column;
  return nodes.flatMap((node, i): readonly (Column | TreeLine)[] => {
    const last = i === nodes.length - 1;
    const side = shaping.children.side[node] ?? [];
    if (deep) for (const child of side) cut.push(child);
    const hung = deep ? [] : side;
    const rest = `${prefix}${last && hung.length === 0 ? " " : "│"}`;
    const line = { node, mark: arrival.mark, by: arrival.by, lead: i === 0 ? column.lead : prefix, rest };
    const arrive = arrivals(shaping, node);
    const columns = hung.map((child, k): Column => {
      const corner = last && k === hung.length - 1;
      const branch = {
        lead: `${prefix}${corner ? "└─ " : "├─ "}`,
        prefix: `${prefix}${corner ? "   " : "│  "}`,
      };
      return { node: child, ...arrive(child), ...branch, depth: depth + 1 };
    });
    if (!last) arrival = goOn(arrive(nodes[i + 1] as number));
    return [line, ...columns];
  });
}

/** A node, then all that goes on from it, in running order. */
function straightOn(head: number, { onward }: Children): readonly number[] {
  const nodes: number[] = [];
  const pending = [head];
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    nodes.push(v);
    for (const w of (onward[v] ?? []).toReversed()) pending.push(w);
  }
  return nodes;
}

interface Arrival {
  readonly mark: Mark;
  readonly by: Edge | null;
}

/** A node with several ways to it is not marked as a failure: a straight line means the usual way. */
const goOn = (arrival: Arrival): Arrival =>
  arrival.mark === "failure" || arrival.mark === "limit" ? { mark: "join", by: null } : arrival;

/** The marks of the lines after a node. */
function arrivals({ children: { edges }, mark }: Shaping, from: number): (to: number) => Arrival {
  const first = new Map<number, Edge>();
  for (const edge of edges[from] ?? []) if (!first.has(edge.to)) first.set(edge.to, edge);
  return (to) => {
    const by = first.get(to) ?? null;
    return { mark: by === null ? "join" : mark(by), by };
  };
}

function createMarker(graph: GraphIR): (edge: Edge) => Mark {
  const split = splitLookup(graph);
  return (edge) => {
    const node = graph.nodes[edge.from];
    if (edge.on === "case" || edge.on === "otherwise") return "choice";
    if (edge.on === "next" && node !== undefined && choosesNext(node)) return "choice";
    return split(edge) === undefined ? edge.on : "split";
  };
}

interface Drawn {
  readonly parts: readonly TreePart[];
  readonly edges: readonly (readonly Edge[])[];
  readonly mark: (edge: Edge) => Mark;
}

/** Finds the edges of a line that the drawing does not show by its shape. */
function createReferences(graph: GraphIR, { parts, edges, mark }: Drawn): Tree["references"] {
  const lines = parts.flatMap((part) => part.lines);
  const place = new Map(lines.map(({ node }, i) => [node, i]));
  const shown = new Set(lines.map(({ by }) => by));
  return ({ node }) => {
    const here = place.get(node) ?? 0;
    const written = (edges[node] ?? []).filter((edge) => !shown.has(edge));
    const silent = silentEnds(graph.nodes[node] as NodeIR);
    return [
      ...written.map((edge): Reference => {
        const above = (place.get(edge.to) ?? 0) <= here;
        return {
          mark: mark(edge),
          to: edge.to,
          place: edge.to === END ? "end" : above ? "above" : "later",
          edge,
        };
      }),
      ...silent.map((on): Reference => ({ mark: on, to: END, place: "silent end", edge: null })),
    ];
  };
}
