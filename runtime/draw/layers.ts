import { goAround, setColumns, TOP } from "./layers/around.js";
import { layChains } from "./layers/chains.js";
import { createInscriber } from "./layers/items.js";
import { fold, GAP, type Paper, paperFor } from "./layers/page.js";
import { type Net, rankFigures, sortRanks } from "./layers/ranks.js";
import { settle } from "./layers/settle.js";
import type { Diagram } from "./svg/diagram.js";
import type { Drawing } from "./svg/geometry.js";
import type { Item, Placement } from "./svg/placement.js";
import { bend, routeLinks } from "./svg/route.js";

/** For labels in a row, for each figure that a row may hold. */
const LABELS_WIDTH = 200;

/**
 * Gives a large graph its places: figures in rows from the top, rows in columns as lines are on a page. Ways between
 * rows that are far apart go around them. Linear in figures and links but for sorting.
 */
export function layInLayers(diagram: Diagram, given: Paper | null = null): Drawing {
  const { figures } = diagram;
  const net = netOf(diagram);
  const { ranks: order, isBack } = rankFigures(net);
  sortRanks(order, net);
  const paper = given ?? paperFor(figures, order);
  const page = fold(figures, order, paper);
  const labels = { inscribe: createInscriber(), labelsWidth: paper.wide * LABELS_WIDTH };
  const laid = layChains({ diagram, net, isBack, page, ...labels });
  const { ranks, near, around } = laid;
  const chains = [...near, ...around];
  settle(laid);
  const height = stack(ranks, laid.columnOf);
  const { width, lanes } = setColumns(laid);
  const drawn = routeLinks({ ranks, chains }, (chain, port, rows) => {
    const own = lanes.get(chain);
    return own === undefined ? bend(chain, port, rows) : goAround(chain, own, port, rows);
  });
  return { width, height, ...drawn };
}

function netOf({ figures, links }: Diagram): Net {
  const numbers = new Map(figures.map(({ id }, v) => [id, v]));
  const ends = (which: "from" | "to"): Int32Array =>
    Int32Array.from(links, (link) => numbers.get(link[which]) ?? 0);
  return { size: figures.length, from: ends("from"), to: ends("to") };
}

/** Each column begins at the top. Answers the height of all. */
function stack(ranks: Placement["ranks"], columnOf: Int32Array): number {
  const tops: number[] = [];
  for (const [rank, items] of ranks.entries()) {
    if (items.length === 0) continue;
    const column = columnOf[rank] as number;
    const top = tops[column] ?? TOP;
    const height = items.reduce((most: number, item: Item) => Math.max(most, item.height), 0);
    for (const item of items) item.y = top + height / 2;
    tops[column] = top + height + GAP;
  }
  return tops.reduce((most, bottom) => Math.max(most, bottom), 0);
}
