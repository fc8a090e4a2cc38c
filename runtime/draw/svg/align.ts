import { type Column, makeColumns, type Segment, segmentsOf } from "./columns.js";
import type { Item, Placement } from "./placement.js";

/** Around the drawing. */
export const MARGIN = 28;
const SWEEPS = 300;
/** How hard columns push each other apart, beside the pull of a line. */
const PUSH = 600;
const STEPS = 12;
/** Between two boxes, and beside a passing way. */
const GAP = { boxes: 40, ways: 24 } as const;

/** Two columns that stand side by side in some rank, and how far apart they must be. */
interface Distance {
  readonly left: Column;
  readonly right: Column;
  readonly least: number;
}

interface Pull {
  readonly to: Column;
  readonly weight: number;
}

/**
 * Finds `x` for all items: lines pull columns together like springs, columns that are too near push each other
 * apart. Answers the width. O(sweeps · lines).
 */
export function align(placement: Placement): number {
  const segments = segmentsOf(placement.chains);
  const byItem = makeColumns(placement, segments);
  const columns = [...new Set(byItem.values())];
  for (const column of columns) column.x = mean(column.items.map(({ x }) => x));
  const standing = stand(columns, findPulls(segments, byItem), findDistances(placement, byItem));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const each of standing) settle(each);
    for (const each of standing.toReversed()) settle(each);
  }
  keepApart(standing);
  for (const [item, column] of byItem) item.x = Math.round(column.x);
  return moveToMargin([...byItem.keys()]);
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function findPulls(
  segments: readonly Segment[],
  byItem: ReadonlyMap<Item, Column>,
): ReadonlyMap<Column, readonly Pull[]> {
  const pulls = new Map<Column, Pull[]>();
  const add = (from: Column, to: Column, weight: number): void => {
    const known = pulls.get(from);
    if (known === undefined) pulls.set(from, [{ to, weight }]);
    else known.push({ to, weight });
  };
  for (const { upper, lower, weight } of segments) {
    const [a, b] = [byItem.get(upper), byItem.get(lower)];
    if (a === undefined || b === undefined || a === b) continue;
    add(a, b, weight);
    add(b, a, weight);
  }
  return pulls;
}

function findDistances({ ranks }: Placement, byItem: ReadonlyMap<Item, Column>): readonly Distance[] {
  return ranks.flatMap((rank) =>
    rank.slice(1).flatMap((item, i): readonly Distance[] => {
      const before = rank[i] as Item;
      const [left, right] = [byItem.get(before), byItem.get(item)];
      if (left === undefined || right === undefined) return [];
      const gap = before.figure !== null && item.figure !== null ? GAP.boxes : GAP.ways;
      return [{ left, right, least: before.right + gap + item.left }];
    }),
  );
}

/** A column with its pulls and the distances to those on its left and on its right. */
interface Standing {
  readonly column: Column;
  readonly pulls: readonly Pull[];
  readonly before: Distance[];
  readonly after: Distance[];
}

/** The columns in an order in which each comes after all that stand to its left. */
function stand(
  columns: readonly Column[],
  pulls: ReadonlyMap<Column, readonly Pull[]>,
  distances: readonly Distance[],
): readonly Standing[] {
  const standing = new Map<Column, Standing>();
  for (const column of columns)
    standing.set(column, { column, pulls: pulls.get(column) ?? [], before: [], after: [] });
  for (const distance of distances) {
    standing.get(distance.left)?.after.push(distance);
    standing.get(distance.right)?.before.push(distance);
  }
  const waiting = new Map([...standing].map(([column, { before }]) => [column, before.length]));
  const ready = [...standing.values()].filter(({ before }) => before.length === 0);
  // Grows while it is read.
  for (const { after } of ready) {
    for (const { right } of after) {
      const left = (waiting.get(right) ?? 0) - 1;
      waiting.set(right, left);
      const next = standing.get(right);
      if (left === 0 && next !== undefined) ready.push(next);
    }
  }
  return ready;
}

/**
 * Moves one column to where all that pulls and pushes it is in balance. Which neighbours push depends on the
 * place itself, so the balance is found in steps, each between the last places known to be too far left and right.
 */
function settle({ column, pulls, before, after }: Standing): void {
  let [low, high, x] = [-Infinity, Infinity, column.x];
  for (let step = 0; step < STEPS; step++) {
    let force = 0;
    let stiffness = 0;
    for (const { to, weight } of pulls) {
      force += weight * (to.x - x);
      stiffness += weight;
    }
    for (const { left, least } of before) {
      const short = left.x + least - x;
      if (short <= 0) continue;
      force += PUSH * short;
      stiffness += PUSH;
    }
    for (const { right, least } of after) {
      const over = x - (right.x - least);
      if (over <= 0) continue;
      force -= PUSH * over;
      stiffness += PUSH;
    }
    if (Math.abs(force) < 0.01 * stiffness || stiffness === 0) break;
    if (force > 0) low = x;
    else high = x;
    const next = x + force / stiffness;
    x = next > low && next < high ? next : (low + high) / 2;
  }
  column.x = x;
}

/** Ends what springs left undone: half by pushing to the right, half by pushing to the left. */
function keepApart(order: readonly Standing[]): void {
  const pushed = new Map<Column, number>();
  for (const { column, before } of order) {
    pushed.set(
      column,
      before.reduce((x, { left, least }) => Math.max(x, (pushed.get(left) ?? 0) + least), column.x),
    );
  }
  const pulled = new Map<Column, number>();
  for (const { column, after } of order.toReversed()) {
    pulled.set(
      column,
      after.reduce((x, { right, least }) => Math.min(x, (pulled.get(right) ?? 0) - least), column.x),
    );
  }
  for (const { column } of order) column.x = ((pushed.get(column) ?? 0) + (pulled.get(column) ?? 0)) / 2;
}

function moveToMargin(items: readonly Item[]): number {
  const least = items.reduce((left, item) => Math.min(left, item.x - item.left), Infinity);
  let right = 0;
  for (const item of items) {
    item.x += MARGIN - least;
    right = Math.max(right, item.x + item.right);
  }
  return right + MARGIN;
}
