import type { Diagram, Figure, Link } from "./diagram.js";
import type { Point } from "./geometry.js";
import { type Inscription, inscribeLabel } from "./inscription.js";

/** An item of a rank: a figure, or a point of a link, perhaps with its label. */
export interface Item {
  x: number;
  y: number;
  readonly rank: number;
  /** Its extent on both sides of `x`, and its height. */
  readonly left: number;
  readonly right: number;
  readonly height: number;
  readonly figure: Figure | null;
}

/** A link with the items that it passes, from its beginning to its end. */
export interface Chain {
  readonly link: Link;
  /** One item when a node returns to itself. A label stands on the second item, or beside the only one. */
  readonly items: readonly Item[];
  readonly label: Inscription | null;
}

export interface Placement {
  /** The items of each rank from the top, in order from the left. */
  readonly ranks: readonly Item[][];
  readonly chains: readonly Chain[];
}

const SPACING = { rankdir: "TB", nodesep: 40, edgesep: 20, ranksep: 50 } as const;
export const LABEL_WIDTH = 132;
/** The distance between a node and the label of its own loop. */
export const LOOP_WIDTH = 30;
const NO_SIZE = { width: 0, height: 0 };

/** Assigns ranks and an order inside of each; exact places come later. Loads dagre on demand. */
export async function placeDiagram({ figures, links }: Diagram): Promise<Placement> {
  const { Graph, layout } = await import("@dagrejs/dagre");
  const graph = new Graph({ multigraph: true });
  const labels = links.map(({ label }) =>
    label === null ? null : inscribeLabel(label, "label", LABEL_WIDTH),
  );
  graph.setGraph(SPACING);
  for (const { id, width, height } of figures) graph.setNode(id, { width, height });
  for (const [i, { from, to, course }] of links.entries()) {
    const weight = course === "sign" ? 4 : 1;
    // dagre would lead a node's own loop through the ranks.
    if (from !== to) graph.setEdge(from, to, { ...(labels[i] ?? NO_SIZE), labelpos: "c", weight }, `${i}`);
  }
  layout(graph);
  const items = new Map<string, Item>();
  for (const figure of figures) {
    const loop = links.findIndex(({ from, to }) => from === figure.id && to === figure.id);
    const beside = loop === -1 ? 0 : LOOP_WIDTH + (labels[loop]?.width ?? 0);
    const { width, height } = figure;
    const { x = 0, y = 0, rank = 0 } = graph.node(figure.id);
    items.set(figure.id, { x, y, rank, left: width / 2, right: width / 2 + beside, height, figure });
  }
  const chains = links.map((link, i): Chain => {
    const [from, to] = [items.get(link.from) as Item, items.get(link.to) as Item];
    const label = labels[i] ?? null;
    if (from === to) return { link, items: [from], label };
    const points = graph.edge(link.from, link.to, `${i}`).points ?? [];
    return { link, items: [from, ...passed(from, to, points.slice(1, -1), label), to], label };
  });
  return { ranks: ranksOf(chains, items.values()), chains };
}

/** One item for each rank between the ends of a link; the label stands on the first. */
function passed(from: Item, to: Item, points: readonly Point[], label: Inscription | null): readonly Item[] {
  const step = Math.sign(to.rank - from.rank);
  return points.map(({ x, y }, k): Item => {
    const { width, height } = (k === 0 ? label : null) ?? NO_SIZE;
    const rank = from.rank + step * (k + 1);
    return { x, y, rank, left: width / 2, right: width / 2, height, figure: null };
  });
}

function ranksOf(chains: readonly Chain[], figures: Iterable<Item>): readonly Item[][] {
  const all = new Set([...figures, ...chains.flatMap(({ items }) => items)]);
  const ranks: Item[][] = [];
  for (const item of all) {
    while (ranks.length <= item.rank) ranks.push([]);
    ranks[item.rank]?.push(item);
  }
  for (const rank of ranks) rank.sort((a, b) => a.x - b.x);
  return ranks;
}

/** A line between two items of neighbouring ranks. */
export interface Segment {
  readonly upper: Item;
  readonly lower: Item;
  readonly chain: Chain;
  /** Its number in the chain. */
  readonly index: number;
}

export function segmentsOf(chains: readonly Chain[]): readonly Segment[] {
  return chains.flatMap((chain) =>
    chain.items.slice(1).map((to, index): Segment => {
      const from = chain.items[index] as Item;
      const [upper, lower] = from.rank < to.rank ? [from, to] : [to, from];
      return { upper, lower, chain, index };
    }),
  );
}
