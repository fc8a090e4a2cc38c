import { MARGIN } from "./align.js";
import type { Placement } from "./placement.js";

/** Least room between two ranks, and what is added where ways lead far to the side. */
const GAP = { least: 24, more: 14, each: 30 } as const;

/** Finds `y` for all items, once `x` is known: rank below rank. Answers the height. Linear. */
export function stackRanks({ ranks, chains }: Placement): number {
  const sideways = ranks.map(() => 0);
  for (const { items } of chains) {
    items.slice(1).forEach((to, i) => {
      const from = items[i];
      if (from === undefined) return;
      const upper = Math.min(from.rank, to.rank);
      sideways[upper] = Math.max(sideways[upper] ?? 0, Math.abs(from.x - to.x));
    });
  }
  let top = MARGIN;
  ranks.forEach((rank, r) => {
    const height = rank.reduce((most, item) => Math.max(most, item.height), 0);
    for (const item of rank) item.y = top + height / 2;
    const last = r === ranks.length - 1;
    top += height + (last ? MARGIN : GAP.least + Math.min(GAP.more, (sideways[r] ?? 0) / GAP.each));
  });
  return top;
}
