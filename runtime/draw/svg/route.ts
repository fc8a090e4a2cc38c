import type { Figure } from "./diagram.js";
import type { Box, Label, Point, Shape, Step, Way } from "./geometry.js";
import type { Inscription } from "./inscription.js";
import { type Chain, type Item, LOOP_WIDTH, type Placement } from "./placement.js";

/** The least distance between two ways at one side of a box. */
const APART = 22;

export type Bend = (chain: Chain, port: Ports, rows: readonly Row[]) => Path;

/** Draws every link as a way that bends only between ranks, so that it passes no box. Linear but for sorting. */
export function routeLinks(
  { ranks, chains }: Placement,
  bendChain: Bend = bend,
): {
  readonly shapes: readonly Shape[];
  readonly ways: readonly Way[];
} {
  const figures = ranks.flat().filter(({ figure }) => figure !== null);
  const order = new Map(figures.map((item, i) => [item, i]));
  const rows = ranks.map(rowOf);
  const ports = portsOf(chains);
  const ways = chains.map((chain): Way => {
    const { link, items } = chain;
    const [from, to] = [items[0] as Item, items.at(-1) as Item];
    const path = from === to ? ownLoop(from) : bendChain(chain, ports.get(chain) as Ports, rows);
    const toBar = to.figure?.kind === "fork" || to.figure?.kind === "join";
    const ends = { from: order.get(from) ?? 0, to: order.get(to) ?? 0, toBar };
    return { ...path, ...ends, edge: link.edge, silent: link.silent, label: labelOf(chain) };
  });
  return { shapes: figures.map(shapeOf), ways };
}

function shapeOf(item: Item): Shape {
  const { kind, node, width, height, lines } = item.figure as Figure;
  const box = { x: item.x, y: item.y, width, height };
  return { kind, node, box, lines: inside(box, lines) };
}

function labelOf({ link, items: [from, second], label }: Chain): Label | null {
  if (label === null || from === undefined) return null;
  const { width, height } = label;
  const { x, y } = second ?? { x: from.x + from.left + LOOP_WIDTH + width / 2, y: from.y };
  const box = { x, y, width, height };
  const [line] = inside(box, label.lines);
  return line === undefined ? null : { box, line, full: link.label ?? "" };
}

const inside = ({ x, y, width, height }: Box, lines: Inscription["lines"]): Shape["lines"] =>
  lines.map((line) => ({ ...line, x: line.x + x - width / 2, y: line.y + y - height / 2 }));

/** The `x` of both ends of a way. */
export interface Ports {
  from: number;
  to: number;
}

interface End {
  readonly ports: Ports;
  readonly which: keyof Ports;
  /** The `x` of the next two points of the way. */
  readonly toward: number;
  readonly after: number;
}

/** Ends of ways are sorted by their direction, so that none cross at the box. */
function portsOf(chains: readonly Chain[]): ReadonlyMap<Chain, Ports> {
  const found = new Map(chains.map((chain) => [chain, { from: 0, to: 0 }]));
  const sides = { upper: new Map<Item, End[]>(), lower: new Map<Item, End[]>() };
  const add = (ports: Ports, which: keyof Ports, [box, next, after = next]: readonly Item[]): void => {
    if (box === undefined || next === undefined || after === undefined) return;
    const side = next.rank > box.rank ? sides.lower : sides.upper;
    const ends = side.get(box) ?? [];
    side.set(box, ends);
    ends.push({ ports, which, toward: next.x, after: after.x });
  };
  for (const [{ items }, ports] of found) {
    add(ports, "from", items);
    add(ports, "to", items.toReversed());
  }
  for (const [box, ends] of [...sides.upper, ...sides.lower]) {
    ends.sort((a, b) => a.toward - b.toward || a.after - b.after);
    const wishes = ends.map(({ toward }) => toward);
    for (const [i, x] of spread(wishes, box).entries()) {
      const { ports, which } = ends[i] as End;
      ports[which] = x;
    }
  }
  return found;
}

/** Keeps the wished places in order, apart from each other and away from the corners. */
function spread(wishes: readonly number[], { x, left, figure }: Item): readonly number[] {
  if (wishes.length < 2) return [x];
  const reach = left - (figure?.kind === "node" ? 16 : 5);
  const apart = Math.min(APART, (2 * reach) / (wishes.length - 1));
  const places: number[] = [];
  for (const [i, wish] of wishes.entries())
    places.push(Math.max(wish, x - reach, (places[i - 1] ?? -Infinity) + apart));
  for (let i = places.length - 1; i >= 0; i--)
    places[i] = Math.min(places[i] ?? 0, x + reach, (places[i + 1] ?? Infinity) - apart);
  return places;
}

export interface Row {
  readonly top: number;
  readonly bottom: number;
}

const rowOf = (rank: readonly Item[]): Row => ({
  top: Math.min(...rank.map(({ y, height }) => y - height / 2)),
  bottom: Math.max(...rank.map(({ y, height }) => y + height / 2)),
});

export type Path = Pick<Way, "start" | "steps" | "heading">;

/** Vertical through the ranks, curved between them. */
export function bend({ items }: Chain, port: Ports, rows: readonly Row[]): Path {
  const { start, points, end, heading } = passing(items, port, rows);
  return { start, steps: stepsOf([start, ...points, end]), heading };
}

/** The ends of a way, and the points between them at which it comes to a rank and leaves it. */
export function passing(items: readonly Item[], port: Ports, rows: readonly Row[]) {
  const [from, to] = [items[0] as Item, items.at(-1) as Item];
  const isDown = from.rank < to.rank;
  const side = isDown ? 0.5 : -0.5;
  const start = { x: port.from, y: from.y + side * from.height };
  const end = { x: port.to, y: to.y - side * to.height };
  const points = items.flatMap(({ x, rank }, i): readonly Point[] => {
    const { top, bottom } = rows[rank] as Row;
    // The row has no height, so a curve meets nothing in it.
    if (top === bottom) return [];
    const [near, far] = isDown ? [top, bottom] : [bottom, top];
    if (i === 0) return [{ x: port.from, y: far }];
    if (i === items.length - 1) return [{ x: port.to, y: near }];
    return [near, far].map((y) => ({ x, y }));
  });
  const heading: Way["heading"] = isDown ? "down" : "up";
  return { start, points, end, heading };
}

/** Straight between points with the same `x`, else a curve that begins and ends vertically. */
export const stepsOf = (points: readonly Point[]): readonly Step[] =>
  points.slice(1).flatMap((to, i): readonly Step[] => {
    const { x, y } = points[i] as Point;
    if (x === to.x) return y === to.y ? [] : [{ to, control: null }];
    const middle = (y + to.y) / 2;
    const control: Step["control"] = [
      { x, y: middle },
      { ...to, y: middle },
    ];
    return [{ to, control }];
  });

/** Out of the right side and back into it. */
function ownLoop({ x, y, left }: Item): Path {
  const side = x + left;
  const control: readonly [Point, Point] = [
    { x: side + 34, y: y - 16 },
    { x: side + 34, y: y + 16 },
  ];
  return { start: { x: side, y: y - 10 }, steps: [{ to: { x: side, y: y + 10 }, control }], heading: "left" };
}
