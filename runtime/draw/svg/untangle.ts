import type { Item, Placement } from "./placement.js";

const ROUNDS = 12;

interface Neighbours {
  readonly above: Item[];
  readonly below: Item[];
}

/** Exchanges neighbours in a rank as long as that takes away crossings. O(rounds · items · links of an item). */
export function untangle({ ranks, chains }: Placement): void {
  const neighbours = findNeighbours(ranks, chains);
  const place = new Map<Item, number>();
  const put = (rank: Item[], i: number, item: Item): void => {
    rank[i] = item;
    place.set(item, i);
  };
  for (const rank of ranks) for (const [i, item] of rank.entries()) put(rank, i, item);
  const placeOf = (item: Item): number => place.get(item) ?? 0;
  const crossings = (left: Item, right: Item): number => {
    const [a, b] = [neighbours.get(left), neighbours.get(right)];
    if (a === undefined || b === undefined) return 0;
    return countCrossings(a.above, b.above, placeOf) + countCrossings(a.below, b.below, placeOf);
  };
  const improve = (rank: Item[]): boolean => {
    let changed = false;
    for (let i = 0; i + 1 < rank.length; i++) {
      const [left, right] = [rank[i] as Item, rank[i + 1] as Item];
      if (crossings(left, right) <= crossings(right, left)) continue;
      put(rank, i, right);
      put(rank, i + 1, left);
      changed = true;
    }
    return changed;
  };
  for (let round = 0; round < ROUNDS; round++) if (!ranks.map(improve).includes(true)) return;
}

function findNeighbours(
  ranks: Placement["ranks"],
  chains: Placement["chains"],
): ReadonlyMap<Item, Neighbours> {
  const neighbours = new Map<Item, Neighbours>();
  for (const rank of ranks) for (const item of rank) neighbours.set(item, { above: [], below: [] });
  for (const { items } of chains) {
    for (const [i, to] of items.slice(1).entries()) {
      const from = items[i] as Item;
      const [upper, lower] = from.rank < to.rank ? [from, to] : [to, from];
      neighbours.get(upper)?.below.push(lower);
      neighbours.get(lower)?.above.push(upper);
    }
  }
  return neighbours;
}

/** Turns the drawing over when that puts more of the first listed ways of a node to the left of the others. Linear. */
export function preferListOrder({ ranks, chains }: Placement): void {
  const last = new Map<Item, number>();
  let wrong = 0;
  for (const { items } of chains) {
    const [from, next] = items;
    if (from === undefined || next === undefined || next.rank <= from.rank) continue;
    const before = last.get(from);
    if (before !== undefined) wrong += Math.sign(before - next.x);
    last.set(from, next.x);
  }
  if (wrong <= 0) return;
  for (const rank of ranks) {
    rank.reverse();
    for (const item of rank) item.x = -item.x;
  }
}

/** How many ways cross between two items whose neighbours in one rank are given. */
function countCrossings(
  left: readonly Item[],
  right: readonly Item[],
  placeOf: (item: Item) => number,
): number {
  let count = 0;
  for (const a of left) for (const b of right) if (placeOf(a) > placeOf(b)) count++;
  return count;
}
