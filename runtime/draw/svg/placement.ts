import type { Diagram, Figure, Link } from "./diagram.js";
import type { Point } from "./geometry.js";
import { type Inscription, inscribeLabel } from "./inscription.js";

/** What stands in a rank: a figure, or a point that a link passes, perhaps with its label. */
export interface Item {
  x: number;
  y: number;
  readonly rank: number;
  /** What it takes on both sides of `x`, and its height. */
  readonly left: number;
  readonly right: number;
  readonly height: number;
  readonly figure: Figure | null;
}

/** A link with the items that it passes, from its beginning to its end. */
export interface Chain {
  readonly link: Link;
  readonly items: readonly Item[];
  readonly label: PlacedLabel | null;
}

export interface PlacedLabel {
  readonly text: Inscription;
  /** The item that the label stands on; null beside a node that returns to itself. */
  readonly item: Item | null;
}

export interface Placement {
  /** The items of each rank from the top, in order from the left. */
  readonly ranks: readonly Item[][];
  readonly chains: readonly Chain[];
}

/** What the layout package works on, as far as it is used here. */
interface LayoutGraph {
  readonly setGraph: (label: { readonly [setting: string]: string | number }) => unknown;
  readonly setNode: (id: string, label: { readonly width: number; readonly height: number }) => unknown;
  readonly setEdge: (
    from: string,
    to: string,
    label: { readonly [setting: string]: string | number },
    name: string,
  ) => unknown;
  readonly node: (id: string) => Point & { readonly rank: number };
  readonly edge: (from: string, to: string, name: string) => { readonly points?: readonly Point[] };
}

const SPACING = { rankdir: "TB", nodesep: 40, edgesep: 20, ranksep: 50 };
const LABEL_WIDTH = 132;
/** Between a node and the label of its way to itself. */
export const LOOP_WIDTH = 30;

/**
 * Puts everything into ranks from the top, and in each rank into an order from the left; places are still rough.
 * The layout package is loaded here, when it is needed.
 */
export async function placeDiagram(diagram: Diagram): Promise<Placement> {
  const { Graph, layout } = await import("@dagrejs/dagre");
  const graph: LayoutGraph = new Graph({ multigraph: true });
  const texts = diagram.links.map(({ label }) =>
    label === null ? null : inscribeLabel(label, "label", LABEL_WIDTH),
  );
  fill(graph, diagram, texts);
  layout(graph as never);
  const items = new Map(
    diagram.figures.map((figure) => {
      const loop = besides(figure, diagram.links, texts);
      return [figure.id, itemOf(figure, graph.node(figure.id), loop)] as const;
    }),
  );
  const chains = diagram.links.map((link, i): Chain => {
    const ends = { from: items.get(link.from) as Item, to: items.get(link.to) as Item };
    const points = link.from === link.to ? [] : (graph.edge(link.from, link.to, `${i}`).points ?? []);
    return chainOf(link, { ...ends, text: texts[i] ?? null, points: points.slice(1, -1) });
  });
  return { ranks: ranksOf(chains, items.values()), chains };
}

/** Describes the diagram to the layout package; what leads from a node to itself is placed without it. */
function fill(graph: LayoutGraph, { figures, links }: Diagram, texts: readonly (Inscription | null)[]): void {
  graph.setGraph(SPACING);
  for (const { id, width, height } of figures) graph.setNode(id, { width, height });
  for (const [i, { from, to, course }] of links.entries()) {
    if (from === to) continue;
    const { width, height } = texts[i] ?? { width: 0, height: 0 };
    graph.setEdge(from, to, { width, height, labelpos: "c", weight: course === "sign" ? 4 : 1 }, `${i}`);
  }
}

interface ChainParts {
  readonly from: Item;
  readonly to: Item;
  readonly text: Inscription | null;
  /** One for each rank between the ends. */
  readonly points: readonly Point[];
}

function chainOf(link: Link, { from, to, text, points }: ChainParts): Chain {
  if (from === to) return { link, items: [from], label: text === null ? null : { text, item: null } };
  const step = Math.sign(to.rank - from.rank);
  // A label stands where its way begins.
  const between = points.map((point, k) => passing(point, from.rank + step * (k + 1), k === 0 ? text : null));
  const label = text === null ? null : { text, item: between[0] ?? null };
  return { link, items: [from, ...between, to], label };
}

function itemOf(figure: Figure, { x, y, rank }: Point & { readonly rank: number }, loop: number): Item {
  return {
    x,
    y,
    rank,
    left: figure.width / 2,
    right: figure.width / 2 + loop,
    height: figure.height,
    figure,
  };
}

const passing = ({ x, y }: Point, rank: number, text: Inscription | null): Item => {
  const { width, height } = text ?? { width: 0, height: 0 };
  return { x, y, rank, left: width / 2, right: width / 2, height, figure: null };
};

/** What a node's way to itself takes beside it. */
function besides({ id }: Figure, links: readonly Link[], texts: readonly (Inscription | null)[]): number {
  const own = links.findIndex(({ from, to }) => from === id && to === id);
  return own === -1 ? 0 : LOOP_WIDTH + (texts[own]?.width ?? 0);
}

function ranksOf(chains: readonly Chain[], figures: Iterable<Item>): readonly Item[][] {
  const ranks: Item[][] = [];
  const all = new Set([...figures, ...chains.flatMap(({ items }) => items)]);
  for (const item of all) {
    for (let r = ranks.length; r <= item.rank; r++) ranks.push([]);
    ranks[item.rank]?.push(item);
  }
  for (const rank of ranks) rank.sort((a, b) => a.x - b.x);
  return ranks;
}
