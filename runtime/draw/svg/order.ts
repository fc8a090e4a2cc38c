import { type Item, type Placement, segmentsOf } from "./placement.js";

const ROUNDS = 12;

/** Swaps neighbours in a rank while this removes crossings. O(rounds · items · links of an item). */
export function untangle({ ranks, chains }: Placement): void {
  const [above, below] = [new Map<Item, Item[]>(), new Map<Item, Item[]>()];
  for (const item of ranks.flat()) for (const side of [above, below]) side.set(item, []);
  for (const { upper, lower } of segmentsOf(chains)) {
    below.get(upper)?.push(lower);
    above.get(lower)?.push(upper);
  }
  const place = new Map(ranks.flatMap((rank) => rank.map((item, i) => [item, i] as const)));
  const crossings = (left: Item, right: Item): number => {
    let count = 0;
    for (const side of [above, below])
      for (const a of side.get(left) ?? [])
        for (const b of side.get(right) ?? []) if ((place.get(a) ?? 0) > (place.get(b) ?? 0)) count++;
    return count;
  };
  for (let changed = true, round = 0; changed && round < ROUNDS; round++) {
    changed = false;
    for (const rank of ranks) {
      for (let i = 0; i + 1 < rank.length; i++) {
        const [left, right] = [rank[i] as Item, rank[i + 1] as Item];
        if (crossings(left, right) <= crossings(right, left)) continue;
        [rank[i], rank[i + 1]] = [right, left];
        place.set(right, i).set(left, i + 1);
        changed = true;
      }
    }
  }
}

/** Mirrors the drawing when that puts more of the first listed ways to the left. Linear. */
export function preferListOrder({ ranks, chains }: Placement): void {
  const last = new Map<Item, number>();
  let wrong = 0;
  for (const { items } of chains) {
    const [from, next] = items;
    if (from === undefined || next === undefined || next.rank <= from.rank) continue;
    wrong += Math.sign((last.get(from) ?? next.x) - next.x);
    last.set(from, next.x);
  }
  if (wrong <= 0) return;
  for (const rank of ranks) {
    rank.reverse();
    for (const item of rank) item.x = -item.x;
  }
}

/** What no way joins with the first figure stands to the right of all that is, where most ranks have room. O(n log n). */
export function putIslandsLast({ ranks, chains }: Placement): void {
  const joined = joinedWith(chains[0]?.items[0], chains);
  const islands = ranks.flat().filter((item) => !joined.has(item));
  const right = [...joined].reduce((most, item) => Math.max(most, item.x + item.right), 0);
  const left = islands.reduce((least, item) => Math.min(least, item.x - item.left), 0);
  for (const island of islands) island.x += right - left;
  for (const rank of ranks) rank.sort((a, b) => Number(!joined.has(a)) - Number(!joined.has(b)));
}

function joinedWith(first: Item | undefined, chains: Placement["chains"]): ReadonlySet<Item> {
  const beside = new Map<Item, Item[]>();
  const lead = (one: Item, other: Item): void => {
    const known = beside.get(one);
    if (known === undefined) beside.set(one, [other]);
    else known.push(other);
  };
  for (const { upper, lower } of segmentsOf(chains)) {
    lead(upper, lower);
    lead(lower, upper);
  }
  const joined = new Set(first === undefined ? [] : [first]);
  for (const item of joined) for (const other of beside.get(item) ?? []) joined.add(other);
  return joined;
}
