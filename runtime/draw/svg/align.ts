import type { Course } from "./diagram.js";
import { type Item, type Placement, type Segment, segmentsOf } from "./placement.js";

/** The space around the drawing, in pixels. */
const MARGIN = 28;
const SWEEPS = 400;
/** The least distances between two boxes, beside a passing line, and between two ranks. */
const GAP = { boxes: 40, ways: 24, ranks: 32 } as const;

/** Items of consecutive ranks that share one `x`: what joins them is a straight line. */
interface Column {
  x: number;
  readonly items: Item[];
  /** The other ends of its lines, with the weight of each line. */
  readonly pulls: { readonly to: Column; readonly weight: number }[];
  /** Its neighbours to the left in any rank, with the least distance. */
  readonly lefts: { readonly column: Column; readonly least: number }[];
}

/** Columns move where their lines pull them, as far as others leave room. */
export function align(placement: Placement): { readonly width: number; readonly height: number } {
  const columns = columnsOf(placement);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const column of columns) {
      const weight = column.pulls.reduce((sum, pull) => sum + pull.weight, 0);
      const wish = column.pulls.reduce((sum, pull) => sum + pull.weight * pull.to.x, 0) / weight;
      if (weight > 0) column.x = (column.x + wish) / 2;
    }
    keepApart(columns);
  }
  bringNear(columns);
  for (const { x, items } of columns) for (const item of items) item.x = Math.round(x);
  return { width: moveToMargin(placement.ranks.flat()), height: stack(placement.ranks) };
}

/** Heavier lines become straight first: the usual way must be straight, that of a failure may bend. */
const WEIGHTS: { readonly [C in Course]: number } = { sign: 80, usual: 30, ending: 20, equal: 10, aside: 6 };
const INNER = 60;
const BACK = 5;
/** The weight of a line that may bend, so that equal branches are centred. */
const FREE = 4;

export function weightOf({ chain: { link, items }, index }: Segment): number {
  const [from, to] = [items[index] as Item, items[index + 1] as Item];
  if (from.figure === null && to.figure === null) return INNER;
  // Where branches part or join they fan out; the rest of each is straight.
  const fan = link.to.startsWith("j") && !link.from.startsWith("f") ? items.length - 2 : 0;
  if (link.course === "equal") return index === fan ? FREE : WEIGHTS.equal;
  return from.rank > to.rank ? BACK : WEIGHTS[link.course];
}

/** The least distance between two neighbours of a rank. */
export const distance = (left: Item, right: Item): number =>
  left.right + (left.figure !== null && right.figure !== null ? GAP.boxes : GAP.ways) + right.left;

/** Joins items to columns, the heaviest lines first. Each column comes after those to its left. */
function columnsOf({ ranks, chains }: Placement): readonly Column[] {
  const lines = segmentsOf(chains).map((line) => ({ ...line, weight: weightOf(line) }));
  const byItem = new Map<Item, Column>();
  for (const item of ranks.flat()) byItem.set(item, { x: item.x, items: [item], pulls: [], lefts: [] });
  const columnOf = (item: Item): Column => byItem.get(item) as Column;
  for (const { upper, lower } of straight(ranks, lines)) {
    const column = columnOf(upper);
    for (const item of columnOf(lower).items) {
      column.items.push(item);
      byItem.set(item, column);
    }
  }
  for (const { upper, lower, weight } of lines) {
    const [a, b] = [columnOf(upper), columnOf(lower)];
    if (a === b) continue;
    a.pulls.push({ to: b, weight });
    b.pulls.push({ to: a, weight });
  }
  for (const rank of ranks) {
    for (const [i, item] of rank.slice(1).entries()) {
      const left = rank[i] as Item;
      columnOf(item).lefts.push({ column: columnOf(left), least: distance(left, item) });
    }
  }
  return fromTheLeft(new Set(byItem.values()));
}

/** The lines that become straight: none of them crosses another, and an item has one in each direction at most. */
function* straight<L extends Segment & { readonly weight: number }>(
  ranks: Placement["ranks"],
  lines: readonly L[],
): Iterable<L> {
  const place = new Map(ranks.flatMap((rank) => rank.map((item, i) => [item, i] as const)));
  const order = (one: Item, other: Item): number => (place.get(one) ?? 0) - (place.get(other) ?? 0);
  const kept = ranks.map((): L[] => []);
  for (const line of lines.toSorted((a, b) => b.weight - a.weight)) {
    const { upper, lower, weight } = line;
    const beside = kept[upper.rank] ?? [];
    const isFree = beside.every((other) => order(upper, other.upper) * order(lower, other.lower) > 0);
    if (weight <= FREE || !isFree) continue;
    beside.push(line);
    yield line;
  }
}

function fromTheLeft(columns: Iterable<Column>): readonly Column[] {
  const sorted = new Set<Column>();
  const add = (column: Column): void => {
    for (const { column: left } of column.lefts) if (!sorted.has(left)) add(left);
    sorted.add(column);
  };
  for (const column of columns) add(column);
  return [...sorted];
}

/** Pushes half to the right and half to the left, so that the drawing does not drift. */
function keepApart(columns: readonly Column[]): void {
  const wishes = columns.map(({ x }) => x);
  for (const column of columns)
    for (const { column: left, least } of column.lefts) column.x = Math.max(column.x, left.x + least);
  const pushed = columns.map(({ x }) => x);
  for (const [i, column] of columns.entries()) column.x = wishes[i] ?? 0;
  for (const { x, lefts } of columns.toReversed())
    for (const { column: left, least } of lefts) left.x = Math.min(left.x, x - least);
  for (const [i, column] of columns.entries()) column.x = (column.x + (pushed[i] ?? 0)) / 2;
}

/** Parts that no line joins have drifted apart: each moves to the left as far as there is room. */
function bringNear(columns: readonly Column[]): void {
  const parts = partsOf(columns);
  const leftmost = (part: Iterable<Column>): number =>
    [...part].reduce((least, { x }) => Math.min(least, x), Infinity);
  const [first, ...others] = parts.toSorted((a, b) => leftmost(a) - leftmost(b));
  for (const part of others) {
    const rooms = [...part].flatMap(({ x, lefts }) =>
      lefts.filter(({ column }) => !part.has(column)).map(({ column, least }) => x - column.x - least),
    );
    const room = rooms.length === 0 ? leftmost(part) - leftmost(first ?? part) : Math.min(...rooms);
    for (const column of part) column.x -= room;
  }
}

function partsOf(columns: readonly Column[]): readonly ReadonlySet<Column>[] {
  const parts: Set<Column>[] = [];
  const seen = new Set<Column>();
  for (const column of columns) {
    if (seen.has(column)) continue;
    const part = new Set([column]);
    for (const { pulls } of part) for (const { to } of pulls) part.add(to);
    for (const one of part) seen.add(one);
    parts.push(part);
  }
  return parts;
}

/** Returns the width. */
function moveToMargin(items: readonly Item[]): number {
  const least = items.reduce((left, item) => Math.min(left, item.x - item.left), Infinity);
  let right = 0;
  for (const item of items) {
    item.x += MARGIN - least;
    right = Math.max(right, item.x + item.right);
  }
  return right + MARGIN;
}

/** Returns the height. */
function stack(ranks: Placement["ranks"]): number {
  let top = MARGIN;
  for (const rank of ranks) {
    const height = rank.reduce((most, item) => Math.max(most, item.height), 0);
    for (const item of rank) item.y = top + height / 2;
    top += height + GAP.ranks;
  }
  return top - GAP.ranks + MARGIN;
}
