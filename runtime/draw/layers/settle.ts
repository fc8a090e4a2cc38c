import { distance, weightOf } from "../svg/align.js";
import { type Chain, type Item, segmentsOf } from "../svg/placement.js";
import type { Laid } from "./chains.js";

/** An item that another one is joined with, and how strongly. */
interface Pull {
  readonly to: Item;
  readonly weight: number;
}

/**
 * Moves items below and above those that they are joined with, as far as others leave room. No rank leaves the stretch
 * that the widest one of its column needs. O(items + ways).
 */
export function settle({ ranks, columnOf, near, around }: Laid): void {
  const [above, below] = pullsOf([...near, ...around]);
  const halves: number[] = [];
  for (const [rank, items] of ranks.entries()) {
    const column = columnOf[rank] as number;
    halves[column] = Math.max(halves[column] ?? 0, widthOf(items) / 2);
  }
  const upward = [...ranks.keys()].toReversed();
  for (const pulls of [null, above, below, above, below, above]) {
    for (const rank of pulls === below ? upward : ranks.keys()) {
      const items = ranks[rank] as Item[];
      for (const item of items) item.x = wishOf(pulls?.get(item)) ?? item.x;
      keepApart(items, halves[columnOf[rank] as number] as number);
    }
  }
}

type Pulls = ReadonlyMap<Item, readonly Pull[]>;

/** Of the items above each, and of those below. */
function pullsOf(chains: readonly Chain[]): readonly [Pulls, Pulls] {
  const [above, below] = [new Map<Item, Pull[]>(), new Map<Item, Pull[]>()];
  const add = (pulls: Map<Item, Pull[]>, item: Item, pull: Pull): void => {
    const known = pulls.get(item);
    if (known === undefined) pulls.set(item, [pull]);
    else known.push(pull);
  };
  for (const segment of segmentsOf(chains)) {
    const { upper, lower } = segment;
    // What goes around has no point between its ends.
    if (lower.rank > upper.rank + 2) continue;
    const weight = weightOf(segment);
    add(below, upper, { to: lower, weight });
    add(above, lower, { to: upper, weight });
  }
  return [above, below];
}

/** The middle of the ends of the heaviest ways: the usual way is to be straight. */
function wishOf(pulls: readonly Pull[] | undefined): number | null {
  if (pulls === undefined) return null;
  const heaviest = pulls.reduce((most, { weight }) => Math.max(most, weight), 0);
  const ends = pulls.filter(({ weight }) => weight === heaviest);
  return ends.reduce((sum, { to }) => sum + to.x, 0) / ends.length;
}

const widthOf = (items: readonly Item[]): number =>
  items.reduce((sum, item, i) => {
    const left = items[i - 1];
    return sum + (left === undefined ? item.left : distance(left, item));
  }, items.at(-1)?.right ?? 0);

/** Between what pushing to the right first gives and what pushing to the left first gives, in the order of the rank. */
function keepApart(items: readonly Item[], half: number): void {
  const [one, other] = [items.map(({ x }) => x), items.map(({ x }) => x)];
  pushRight(items, one, half);
  pushLeft(items, one, half);
  pushLeft(items, other, half);
  pushRight(items, other, half);
  for (const [i, item] of items.entries())
    item.x = Math.round(((one[i] as number) + (other[i] as number)) / 2);
}

function pushRight(items: readonly Item[], places: number[], half: number): void {
  let least = -half + (items[0]?.left ?? 0);
  for (const [i, item] of items.entries()) {
    places[i] = Math.max(places[i] as number, least);
    const next = items[i + 1];
    if (next !== undefined) least = places[i] + distance(item, next);
  }
}

function pushLeft(items: readonly Item[], places: number[], half: number): void {
  let most = half - (items.at(-1)?.right ?? 0);
  for (let i = items.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i] as number, most);
    const next = items[i - 1];
    if (next !== undefined) most = (places[i] as number) - distance(next, items[i] as Item);
  }
}
