import type { Course } from "./diagram.js";
import type { Chain, Item, Placement } from "./placement.js";

/** Items of consecutive ranks that share one `x`: what joins them is a straight line. */
export interface Column {
  x: number;
  readonly items: Item[];
}

/** A line between two items of neighbouring ranks, and how much it wants to be straight. */
export interface Segment {
  readonly upper: Item;
  readonly lower: Item;
  readonly weight: number;
}

/** Below this weight a line stays free, so that equal branches stand around their middle. */
const FREE = 5;

/** The lines of all chains. Linear. */
export function segmentsOf(chains: readonly Chain[]): readonly Segment[] {
  return chains.flatMap((chain) =>
    chain.items.slice(1).map((to, i): Segment => {
      const from = chain.items[i] as Item;
      const [upper, lower] = from.rank < to.rank ? [from, to] : [to, from];
      return { upper, lower, weight: WEIGHTS[roleOf(chain, i)] };
    }),
  );
}

type Role = Exclude<Course, "equal"> | "inner" | "back" | "fan" | "branch";

function roleOf({ link, items }: Chain, i: number): Role {
  const [from, to] = [items[i] as Item, items[i + 1] as Item];
  if (from.figure === null && to.figure === null) return "inner";
  if (link.course === "equal") {
    // Where branches part or join they fan out; the rest of each is straight.
    const fan = link.to.startsWith("j") && !link.from.startsWith("f") ? items.length - 2 : 0;
    return i === fan ? "fan" : "branch";
  }
  return from.rank > to.rank ? "back" : link.course;
}

/** The usual way counts most, then what stays straight over many ranks, then the way of a failure. */
const WEIGHTS: { readonly [R in Role]: number } = {
  sign: 80,
  inner: 60,
  usual: 30,
  ending: 20,
  branch: 10,
  aside: 6,
  back: 5,
  fan: 4,
};

/** Joins items to columns, the heaviest lines first; lines of columns never cross. O(segments² of two ranks) at worst. */
export function makeColumns({ ranks }: Placement, segments: readonly Segment[]): ReadonlyMap<Item, Column> {
  const place = new Map<Item, number>();
  for (const rank of ranks) for (const [i, item] of rank.entries()) place.set(item, i);
  const columns = new Map<Item, Column>();
  for (const rank of ranks) for (const item of rank) columns.set(item, { x: item.x, items: [item] });
  const taken = { below: new Set<Item>(), above: new Set<Item>() };
  const kept = ranks.map((): Segment[] => []);
  for (const segment of [...segments].sort((a, b) => b.weight - a.weight)) {
    const { upper, lower, weight } = segment;
    if (weight < FREE || taken.below.has(upper) || taken.above.has(lower)) continue;
    const beside = kept[upper.rank] ?? [];
    if (beside.some((other) => cross(segment, other, place))) continue;
    beside.push(segment);
    taken.below.add(upper);
    taken.above.add(lower);
    merge(columns, upper, lower);
  }
  return columns;
}

function cross(a: Segment, b: Segment, place: ReadonlyMap<Item, number>): boolean {
  const order = (one: Item, other: Item): number => (place.get(one) ?? 0) - (place.get(other) ?? 0);
  return order(a.upper, b.upper) * order(a.lower, b.lower) < 0;
}

function merge(columns: Map<Item, Column>, upper: Item, lower: Item): void {
  const [one, other] = [columns.get(upper), columns.get(lower)];
  if (one === undefined || other === undefined || one === other) return;
  const [large, small] = one.items.length >= other.items.length ? [one, other] : [other, one];
  for (const item of small.items) {
    large.items.push(item);
    columns.set(item, large);
  }
}
