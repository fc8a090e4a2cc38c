import type { Diagram, Figure, Link } from "../svg/diagram.js";
import { type Inscription, inscribeLabel } from "../svg/inscription.js";
import { type Item, LABEL_WIDTH, LOOP_WIDTH } from "../svg/placement.js";
import type { Page } from "./page.js";
import type { Net } from "./ranks.js";

type Inscribe = (label: string | null) => Inscription | null;

export interface Plan {
  readonly diagram: Diagram;
  readonly net: Net;
  readonly isBack: Uint8Array;
  readonly page: Page;
  readonly inscribe: Inscribe;
  /** The widest rank of labels. Further labels are left out. */
  readonly labelsWidth: number;
}

/** A link with both ends, and its label where that is shown. */
export interface Lead {
  readonly link: Link;
  readonly from: Item;
  readonly to: Item;
  readonly label: Inscription | null;
  /** Null for the label of an own loop, which stands beside the figure. */
  readonly labelItem: Item | null;
}

/** Figures beside each other, each rank about the middle. */
export function layFigures({
  diagram: { figures, links },
  net,
  inscribe,
  page: { rows, columnOf: columns },
}: Plan) {
  const columnOf = new Int32Array(2 * rows.length + (columns.at(-1) ?? 0) + 2);
  const ranks = Array.from(columnOf, (): Item[] => []);
  const loops = new Map(
    links.flatMap(({ label }, i) => (net.from[i] === net.to[i] ? [[net.from[i], label]] : [])),
  );
  const items: Item[] = [];
  for (const [i, row] of rows.entries()) {
    const rank = 2 * i + 1 + (columns[i] as number);
    columnOf.fill(columns[i] as number, rank - 1, rank + 2);
    let right = 0;
    for (const v of row) {
      const loop = loops.get(v);
      const beside = loop === undefined ? 0 : LOOP_WIDTH + (inscribe(loop)?.width ?? 0);
      items[v] = put(ranks, figureItem(figures[v] as Figure, rank, beside, right));
      right += items[v].left + items[v].right;
    }
    for (const item of ranks[rank] ?? []) item.x -= right / 2;
  }
  return { ranks, columnOf, items };
}

function figureItem(figure: Figure, rank: number, beside: number, x: number): Item {
  const { width, height } = figure;
  return { x: x + width / 2, y: 0, rank, left: width / 2, right: width / 2 + beside, height, figure };
}

/** Labels stand in the rank that their way comes to first. */
export function layLabels(
  { diagram: { links }, net, isBack, inscribe, labelsWidth }: Plan,
  ranks: readonly Item[][],
  items: readonly Item[],
): readonly Lead[] {
  const widths = new Float64Array(ranks.length);
  return links.map((link, i): Lead => {
    const [from, to] = [items[net.from[i] as number] as Item, items[net.to[i] as number] as Item];
    const label = inscribe(link.label);
    if (label === null || from === to) return { link, from, to, label, labelItem: null };
    const rank = from.rank + (isBack[i] === 1 ? -1 : 1);
    widths[rank]! += label.width;
    if ((widths[rank] as number) > labelsWidth) return { link, from, to, label: null, labelItem: null };
    return { link, from, to, label, labelItem: put(ranks, between(from, to, rank, label)) };
  });
}

/** The same few words stand on most ways. */
export function createInscriber(): Inscribe {
  const known = new Map<string, Inscription>();
  return (label) => {
    if (label === null) return null;
    const found = known.get(label) ?? inscribeLabel(label, "label", LABEL_WIDTH);
    known.set(label, found);
    return found;
  };
}

export function put(ranks: readonly Item[][], item: Item): Item {
  ranks[item.rank]?.push(item);
  return item;
}

/** A point of a way from one figure to another, perhaps with its label. */
export function between(from: Item, to: Item, rank: number, size = { width: 0, height: 0 }): Item {
  const { width, height } = size;
  const x = from.x + ((to.x - from.x) * (rank - from.rank)) / (to.rank - from.rank);
  return { x, y: 0, rank, left: width / 2, right: width / 2, height, figure: null };
}
