import { createBranches, NO_BRANCH } from "../../../compiler/2-analyze/flow/branches.js";
import { END, type GraphIR, type SplitIR, type Target } from "../../../compiler/ir.js";
import {
  choosesNext,
  type Edge,
  edgeLabel,
  listEdges,
  type SplitLookup,
  silentEnds,
  splitLookup,
} from "../edges.js";
import type { ShapeKind } from "./geometry.js";
import { type Inscription, inscribeLabel, inscribeNodes } from "./inscription.js";

/** A shape before it has a place. */
export interface Figure extends Inscription {
  readonly id: string;
  readonly kind: ShapeKind;
  readonly node: number;
}

/** A way between two figures before it has a place. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly edge: LinkedEdge | null;
  /** The run ends because no column names a next node. */
  readonly silent: boolean;
  /** The text at the way, uncut. */
  readonly label: string | null;
  readonly course: Course;
}

/** The role of a way in the drawing. `sign` connects a node with a sign beside it. */
export type Course = "sign" | "usual" | "equal" | "aside" | "ending";

export type LinkedEdge = Pick<Edge, "from" | "to" | "on">;

export interface Diagram {
  readonly figures: readonly Figure[];
  readonly links: readonly Link[];
}

interface Plan {
  readonly graph: GraphIR;
  readonly edges: readonly (readonly Edge[])[];
  readonly split: SplitLookup;
  readonly joins: ReadonlyMap<Target, ReadonlySet<Edge>>;
}

/** Makes figures and links of a graph. Splits get a fork and a join; a node that ends the run gets an end. */
export function createDiagram(graph: GraphIR): Diagram {
  const edges = listEdges(graph);
  const split = splitLookup(graph);
  const plan = { graph, edges, split, joins: findJoins(graph, edges.flat(), split) };
  const links = [
    ...(graph.nodes.length > 0 ? [plain("start", "n0")] : []),
    ...graph.nodes.flatMap((_, v) => [...linksOf(plan, v), ...silentLinks(graph, v)]),
    ...[...plan.joins.keys()].map((v) => plain(`j${v}`, `n${v}`)),
  ];
  return { figures: figuresOf(graph, links), links };
}

const plain = (from: string, to: string): Link => ({
  from,
  to,
  edge: null,
  silent: false,
  label: null,
  course: "sign",
});

/** The edges by which branches come to where they meet; a join stands only where there are several. */
function findJoins(graph: GraphIR, edges: readonly Edge[], split: SplitLookup): Plan["joins"] {
  const branches = createBranches(graph.nodes.length, graph.splits);
  const meeting = new Map<Target, number[]>();
  graph.splits.forEach(({ meet }, number) => {
    if (meet === END) return;
    const known = meeting.get(meet);
    if (known === undefined) meeting.set(meet, [number]);
    else known.push(number);
  });
  const isInside = ({ from, to }: Edge): boolean =>
    meeting.get(to)?.some((number) => branches.find(number, from) !== NO_BRANCH) === true;
  const joins = new Map<Target, Set<Edge>>();
  for (const edge of edges) {
    if (!isInside(edge) && split(edge)?.meet !== edge.to) continue;
    const known = joins.get(edge.to);
    if (known === undefined) joins.set(edge.to, new Set([edge]));
    else known.add(edge);
  }
  return new Map([...joins].filter(([to, arriving]) => to !== END && arriving.size > 1));
}

function linksOf({ graph, edges, split, joins }: Plan, v: number): readonly Link[] {
  const links: Link[] = [];
  const forks = new Set<SplitIR>();
  for (const edge of edges[v] ?? []) {
    const forked = split(edge);
    const fork = forked === undefined ? null : `f${v}${forked.by}`;
    const label = edgeLabel(graph, edge);
    if (forked !== undefined && fork !== null && !forks.has(forked)) {
      forks.add(forked);
      links.push({ from: `n${v}`, to: fork, edge, silent: false, label, course: "sign" });
    }
    const joined = joins.get(edge.to)?.has(edge) === true;
    const course = joined || fork !== null ? "equal" : courseOf(graph, edge);
    const ends = { from: fork ?? `n${v}`, to: joined ? `j${edge.to}` : figureOf(edge) };
    links.push({ ...ends, edge, silent: false, label: fork === null ? label : null, course });
  }
  return mergeOwnLoops(links);
}

function courseOf({ nodes }: GraphIR, { from, on }: Edge): Course {
  const node = nodes[from];
  if (on === "failure" || on === "limit" || node === undefined) return "aside";
  if (choosesNext(node)) return "equal";
  // With a success column, only failures use the next column.
  return on === "next" && node.onSuccess.length > 0 ? "aside" : "usual";
}

const figureOf = ({ from, to }: LinkedEdge): string => (to === END ? `e${from}` : `n${to}`);

/** A node that returns to itself in several ways gets one way with all their labels. */
function mergeOwnLoops(links: readonly Link[]): readonly Link[] {
  const own = links.filter(({ from, to }) => from === to);
  const [first] = own;
  if (first === undefined || own.length === 1) return links;
  const label = own.map((link) => link.label ?? "next").join(" or ");
  return [...links.filter((link) => !own.includes(link)), { ...first, label }];
}

function silentLinks(graph: GraphIR, v: number): readonly Link[] {
  const node = graph.nodes[v];
  if (node === undefined) return [];
  return silentEnds(node).map((on) => {
    const edge = { from: v, to: END, on };
    return {
      from: `n${v}`,
      to: figureOf(edge),
      edge,
      silent: true,
      label: on === "next" ? null : on,
      course: on === "failure" ? "aside" : "ending",
    };
  });
}

const KINDS: readonly ShapeKind[] = ["start", "end", "fork", "join", "node"];

function figuresOf(graph: GraphIR, links: readonly Link[]): readonly Figure[] {
  const texts = inscribeNodes(graph);
  const degree = new Map<string, number>(graph.nodes.map((_, v) => [`n${v}`, 0]));
  for (const { from, to } of links) for (const id of [from, to]) degree.set(id, (degree.get(id) ?? 0) + 1);
  // dagre starts at the first figure. An edge that closes a cycle from there becomes the way back.
  const ids = [...degree.keys()].sort((a, b) => Number(b === "start") - Number(a === "start"));
  return ids.map((id) => {
    const kind = KINDS.find((one) => one.charAt(0) === id.charAt(0)) ?? "node";
    const node = Number.parseInt(id.slice(1), 10) || 0;
    const inscription = kind === "node" ? texts[node] : undefined;
    return { id, kind, node, ...(inscription ?? signSize(kind, degree.get(id) ?? 0)) };
  });
}

function signSize(kind: ShapeKind, degree: number): Inscription {
  if (kind === "end") return inscribeLabel("END", "end", 80);
  if (kind === "start") return { width: 18, height: 18, lines: [] };
  return { width: Math.min(44 + 22 * (degree - 1), 400), height: 6, lines: [] };
}
