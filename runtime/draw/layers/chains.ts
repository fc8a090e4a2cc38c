import type { Chain, Item } from "../svg/placement.js";
import { between, layFigures, layLabels, type Plan, put } from "./items.js";

/** A way that would pass more rows than this goes around them. */
const MOST_PASSED = 3;
/** No more ways than this are led through one rank. */
const MOST_THROUGH = 12;

/** Items in ranks: rows of figures, with ranks for labels above and below each. */
export interface Laid {
  readonly ranks: readonly Item[][];
  /** The column of each rank. */
  readonly columnOf: Int32Array;
  /** Ways that pass between the figures. */
  readonly near: readonly Chain[];
  /** Ways that go around them, as yet without the items of that. */
  readonly around: readonly Chain[];
}

/** Makes the items of figures and labels, and of ways where they pass others. Linear but for sorting. */
export function layChains(plan: Plan): Laid {
  const { ranks, columnOf, items } = layFigures(plan);
  const leads = layLabels(plan, ranks, items);
  const isKept = ranks.map((rank) => rank.length > 0);
  const through = new Int32Array(ranks.length);
  const [near, around]: [Chain[], Chain[]] = [[], []];
  for (const { link, from, to, label, labelItem } of leads) {
    const start = labelItem === null ? [from] : [from, labelItem];
    const isBeside = Math.abs(to.rank - from.rank) <= 2 * (MOST_PASSED + 1);
    const passed = isBeside ? ranksBetween(start.at(-1) as Item, to).filter((rank) => isKept[rank]) : [];
    const isFree = passed.every((rank) => (through[rank] as number) < MOST_THROUGH);
    if (from === to) near.push({ link, items: [from], label });
    else if (columnOf[from.rank] !== columnOf[to.rank] || !isBeside || !isFree)
      around.push({ link, items: [...start, to], label });
    else {
      for (const rank of passed) through[rank]! += 1;
      const points = passed.map((rank) => put(ranks, between(from, to, rank)));
      near.push({ link, items: [...start, ...points, to], label });
    }
  }
  for (const rank of ranks) rank.sort((a, b) => a.x - b.x);
  return { ranks, columnOf, near, around };
}

function ranksBetween(from: Item, to: Item): readonly number[] {
  const step = Math.sign(to.rank - from.rank);
  const count = Math.max(0, Math.abs(to.rank - from.rank) - 1);
  return Array.from({ length: count }, (_, i) => from.rank + step * (i + 1));
}
