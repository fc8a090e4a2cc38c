import type { Chain, Item } from "./placement.js";

/** Where a link leaves one figure and comes to another: both ends by `x`, on the upper or lower side. */
export interface Ports {
  readonly from: number;
  readonly to: number;
}

interface End {
  readonly chain: number;
  readonly which: "from" | "to";
  /** Where the way goes next, and after that: neighbours keep this order, so ways do not cross at a box. */
  readonly toward: number;
  readonly after: number;
}

/** Closest that two ways meet one side of a box. */
const APART = 22;

/** Gives each end of each link a place on its box, as near as may be to where the way goes. O(links · log links). */
export function assignPorts(chains: readonly Chain[]): readonly Ports[] {
  const ports = chains.map(() => ({ from: 0, to: 0 }));
  for (const [item, sides] of collectEnds(chains)) {
    for (const ends of [sides.upper, sides.lower]) {
      ends.sort((a, b) => a.toward - b.toward || a.after - b.after || a.chain - b.chain);
      const wishes = ends.map(({ toward }) => toward);
      const places = spread(wishes, item);
      for (const [i, { chain, which }] of ends.entries()) {
        const port = ports[chain];
        if (port !== undefined) port[which] = places[i] ?? item.x;
      }
    }
  }
  return ports;
}

interface Sides {
  readonly upper: End[];
  readonly lower: End[];
}

function collectEnds(chains: readonly Chain[]): ReadonlyMap<Item, Sides> {
  const sides = new Map<Item, Sides>();
  const add = (item: Item, side: keyof Sides, end: End): void => {
    const known = sides.get(item) ?? { upper: [], lower: [] };
    known[side].push(end);
    sides.set(item, known);
  };
  for (const [chain, { items }] of chains.entries()) {
    const [from, to] = [items[0], items.at(-1)];
    if (from === undefined || to === undefined || from === to) continue;
    const down = from.rank < to.rank;
    add(from, down ? "lower" : "upper", endOf(items, { chain, which: "from" }));
    add(to, down ? "upper" : "lower", endOf(items.toReversed(), { chain, which: "to" }));
  }
  return sides;
}

function endOf(items: readonly Item[], end: Pick<End, "chain" | "which">): End {
  const toward = items[1]?.x ?? 0;
  return { ...end, toward, after: items[2]?.x ?? toward };
}

/** Places wishes in their order on a side, apart from each other and off the corners. */
function spread(wishes: readonly number[], item: Item): readonly number[] {
  if (wishes.length < 2) return [item.x];
  const reach = item.left - marginOf(item);
  const [low, high] = [item.x - reach, item.x + reach];
  const apart = Math.min(APART, (high - low) / (wishes.length - 1));
  const places: number[] = [];
  wishes.forEach((wish, i) => {
    places.push(Math.max(wish, low, (places[i - 1] ?? -Infinity) + apart));
  });
  let most = high;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i] ?? most, most);
    most = (places[i] ?? most) - apart;
  }
  return places;
}

function marginOf({ figure, left }: Item): number {
  if (figure?.kind === "start") return left;
  return figure?.kind === "fork" || figure?.kind === "join" ? 5 : 16;
}
