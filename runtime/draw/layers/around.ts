import type { Point, Step } from "../svg/geometry.js";
import type { Chain, Item } from "../svg/placement.js";
import { type Path, type Ports, passing, type Row, stepsOf } from "../svg/route.js";
import type { Laid } from "./chains.js";
import { GAP } from "./page.js";

/** Above the columns: the room in which ways lead to columns further away. */
export const TOP = 60;
/** Beside the outermost columns. */
const MARGIN = 28;
/** Between lanes, and between a lane and a column. */
const LANE = { apart: 9, beside: 26, most: 10 } as const;
/** How far a way goes on before it turns back. */
const TURN = 32;

/** A stretch between columns in which a way leads up or down. */
export interface Lane {
  readonly top: number;
  readonly bottom: number;
  /** Its number in the space between two columns, then its place. */
  x: number;
}

interface Extent {
  left: number;
  right: number;
}

/** Sets the columns side by side with lanes between them, and answers the lanes of each way. Linear but for sorting. */
export function setColumns({ ranks, columnOf, around }: Laid): {
  readonly lanes: ReadonlyMap<Chain, readonly Lane[]>;
  readonly width: number;
} {
  const extents = extentsOf(ranks, columnOf);
  const spaces = Array.from({ length: extents.length + 1 }, (): Lane[] => []);
  const lanes = new Map<Chain, readonly Lane[]>();
  for (const chain of around) {
    const [from, to] = [chain.items.at(-2) as Item, chain.items.at(-1) as Item];
    const [leaves, arrives] = spacesOf(from, to, columnOf, extents);
    const lane = (space: number, one: number, other: number): Lane => {
      const added = { top: Math.min(one, other), bottom: Math.max(one, other), x: 0 };
      spaces[space]?.push(added);
      return added;
    };
    if (leaves === arrives) lanes.set(chain, [lane(leaves, from.y, to.y)]);
    else lanes.set(chain, [lane(leaves, TOP, from.y), lane(arrives, TOP, to.y)]);
  }
  return { lanes, width: spread(ranks, columnOf, extents, spaces) };
}

function extentsOf(ranks: Laid["ranks"], columnOf: Int32Array): readonly Extent[] {
  const extents: Extent[] = [];
  for (const [rank, items] of ranks.entries()) {
    const column = columnOf[rank] as number;
    extents[column] ??= { left: 0, right: 0 };
    const extent = extents[column];
    for (const { x, left, right } of items) {
      extent.left = Math.min(extent.left, x - left);
      extent.right = Math.max(extent.right, x + right);
    }
  }
  return extents;
}

/** The spaces beside columns in which a way leaves and arrives; the one with a column's number is to its left. */
function spacesOf(
  from: Item,
  to: Item,
  columnOf: Int32Array,
  extents: readonly Extent[],
): readonly [number, number] {
  const [a, b] = [columnOf[from.rank] as number, columnOf[to.rank] as number];
  if (a !== b) return b > a ? [a + 1, b] : [a, b + 1];
  const { left, right } = extents[a] as Extent;
  const space = from.x + to.x >= left + right ? a + 1 : a;
  return [space, space];
}

/** Gives columns and lanes their places. Answers the width of all. */
function spread(
  ranks: Laid["ranks"],
  columnOf: Int32Array,
  extents: readonly Extent[],
  spaces: readonly Lane[][],
): number {
  const shifts: number[] = [];
  let right = 0;
  for (const [i, space] of spaces.entries()) {
    const count = numberLanes(space);
    for (const lane of space) lane.x = right + LANE.beside + lane.x * LANE.apart;
    const isOuter = i === 0 || i === extents.length;
    right += count === 0 ? MARGIN * (isOuter ? 1 : 2) : 2 * LANE.beside + (count - 1) * LANE.apart;
    const extent = extents[i] ?? { left: 0, right: 0 };
    shifts.push(right - extent.left);
    right += extent.right - extent.left;
  }
  for (const [rank, items] of ranks.entries())
    for (const item of items) item.x += shifts[columnOf[rank] as number] as number;
  return right;
}

/** Ways share a lane where they do not meet, or where there are too many of them. Answers the number of lanes. */
function numberLanes(space: readonly Lane[]): number {
  const ends: number[] = [];
  for (const lane of space.toSorted((a, b) => a.top - b.top)) {
    const free = ends.findIndex((end) => end < lane.top);
    if (free >= 0) lane.x = free;
    else if (ends.length < LANE.most) lane.x = ends.length;
    else lane.x = ends.indexOf(Math.min(...ends));
    ends[lane.x] = Math.max(lane.bottom, ends[lane.x] ?? 0);
  }
  return ends.length;
}

/** Leaves a figure, goes along one lane or two, and comes to the other figure. It meets none between them. */
export function goAround({ items }: Chain, lanes: readonly Lane[], port: Ports, rows: readonly Row[]): Path {
  const { start, points, end, heading } = passing(items, port, rows);
  const [out, into] = [points.at(-2) as Point, points.at(-1) as Point];
  const [{ x }, { x: last }] = [lanes[0] as Lane, lanes.at(-1) as Lane];
  const side = heading === "down" ? 1 : -1;
  const middle = lanes.length === 1 ? alongOne(out, into, x, side) : overTop(out, into, [x, last], side);
  const steps = [...stepsOf([start, ...points.slice(0, -1)]), ...middle, ...stepsOf([into, end])];
  return { start, steps, heading };
}

/** `side` is the direction of both ends: 1 for down. */
function alongOne(out: Point, into: Point, x: number, side: number): readonly Step[] {
  const room = side * (into.y - out.y);
  if (room <= 0)
    return [turn(out, { x, y: out.y }, side), straight(x, into.y), turn({ x, y: into.y }, into, -side)];
  const bend = side * Math.min(GAP, room / 2);
  return stepsOf([out, { x, y: out.y + bend }, { x, y: into.y - bend }, into]);
}

/** Up by one lane, over the columns, and down by another one. */
function overTop(
  out: Point,
  into: Point,
  [x, last]: readonly [number, number],
  side: number,
): readonly Step[] {
  const y = TOP - GAP;
  const up = side > 0 ? [turn(out, { x, y: out.y }, 1)] : stepsOf([out, { x, y: out.y - GAP }]);
  const over = [straight(x, y), turn({ x, y }, { x: last, y }, -1)];
  if (side > 0) return [...up, ...over, ...stepsOf([{ x: last, y }, { x: last, y: into.y - GAP }, into])];
  return [...up, ...over, straight(last, into.y), turn({ x: last, y: into.y }, into, 1)];
}

const straight = (x: number, y: number): Step => ({ to: { x, y }, control: null });

/** Goes on upward or downward, and comes back at the same height. */
const turn = (from: Point, to: Point, side: number): Step => {
  const y = from.y + side * TURN;
  return {
    to,
    control: [
      { x: from.x, y },
      { x: to.x, y },
    ],
  };
};
