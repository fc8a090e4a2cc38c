import type { Figure } from "./diagram.js";
import type { Box, Label, Point, Shape, Step, Way } from "./geometry.js";
import type { Inscription } from "./inscription.js";
import { type Chain, type Item, LOOP_WIDTH, type Placement } from "./placement.js";
import { assignPorts, type Ports } from "./ports.js";

/** The height that a rank takes, and what a way must pass there. */
interface Row {
  readonly top: number;
  readonly bottom: number;
  readonly figures: boolean;
  readonly labels: readonly Item[];
}

export interface Routed {
  readonly shapes: readonly Shape[];
  readonly ways: readonly Way[];
}

/** Draws every link as a way that bends only between ranks, so that it passes no box. Linear but for sorting. */
export function routeLinks({ ranks, chains }: Placement): Routed {
  const figures = ranks.flat().filter(({ figure }) => figure !== null);
  const order = new Map(figures.map((item, i) => [item, i]));
  const rows = ranks.map(rowOf);
  const ports = assignPorts(chains);
  const ways = chains.map((chain, i): Way => {
    const { link, items } = chain;
    const [from, to] = [items[0] as Item, items.at(-1) as Item];
    const path = from === to ? ownLoop(from) : bend(items, ports[i] ?? { from: from.x, to: to.x }, rows);
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

function labelOf({ link, items, label }: Chain): Label | null {
  const line = label?.text.lines[0];
  const end = items[0];
  if (label === null || line === undefined || end === undefined) return null;
  const { width, height } = label.text;
  const { x, y } = label.item ?? { x: end.x + end.left + LOOP_WIDTH + width / 2, y: end.y };
  const box = { x, y, width, height };
  return { box, line: inside(box, [line])[0] ?? line, full: link.label ?? "" };
}

const inside = ({ x, y, width, height }: Box, lines: Inscription["lines"]): Shape["lines"] =>
  lines.map((line) => ({ ...line, x: line.x + x - width / 2, y: line.y + y - height / 2 }));

function rowOf(rank: readonly Item[]): Row {
  const top = rank.reduce((least, { y, height }) => Math.min(least, y - height / 2), Infinity);
  const bottom = rank.reduce((most, { y, height }) => Math.max(most, y + height / 2), -Infinity);
  const labels = rank.filter(({ figure, height }) => figure === null && height > 0);
  return { top, bottom, figures: rank.some(({ figure }) => figure !== null), labels };
}

type Path = Pick<Way, "start" | "steps" | "heading">;

/** Straight through the ranks, curved between them. */
function bend(items: readonly Item[], port: Ports, rows: readonly Row[]): Path {
  const [from, to] = [items[0] as Item, items.at(-1) as Item];
  const down = from.rank < to.rank;
  const step = down ? 1 : -1;
  const start = { x: port.from, y: from.y + (step * from.height) / 2 };
  const end = { x: port.to, y: to.y - (step * to.height) / 2 };
  const edges = ({ rank, y }: Item): readonly [number, number] => {
    const { top, bottom } = rows[rank] ?? { top: y, bottom: y };
    return down ? [top, bottom] : [bottom, top];
  };
  const path = createPath(start);
  path.go({ x: start.x, y: edges(from)[1] });
  const goal = { x: end.x, y: edges(to)[0] };
  for (const [i, item] of items.slice(1, -1).entries()) {
    const [near, far] = edges(item);
    const after = items[i + 2] as Item;
    const next = after === to ? goal : { x: after.x, y: edges(after)[0] };
    if (isFree(path.at(), next, { item, row: rows[item.rank] })) continue;
    path.go({ x: item.x, y: near });
    path.go({ x: item.x, y: far });
  }
  path.go(goal);
  path.go(end);
  return { start, steps: path.steps, heading: down ? "down" : "up" };
}

/** True when a way may pass a rank of labels in one curve, instead of going through its own place there. */
function isFree(from: Point, to: Point, { item, row }: { item: Item; row: Row | undefined }): boolean {
  if (row === undefined || row.figures || item.height > 0) return false;
  return row.labels.every((label) => !isNear(from, to, label));
}

/** True when a curve comes near a label. It never turns back, so only its piece beside the label counts. */
function isNear(from: Point, to: Point, { x, y, left, right, height }: Item): boolean {
  const [low, high] = [x - left - 6, x + right + 6];
  if (Math.max(from.x, to.x) <= low || Math.min(from.x, to.x) >= high) return false;
  const [one, other] = [heightAt(from, to, low), heightAt(from, to, high)];
  return Math.min(one, other) < y + height / 2 + 3 && Math.max(one, other) > y - height / 2 - 3;
}

/** The `y` at which an upright curve comes to an `x`, or to its end that is nearest to it. */
function heightAt(from: Point, to: Point, x: number): number {
  const share = Math.min(1, Math.max(0, (x - from.x) / (to.x - from.x)));
  // The inverse of 3t² - 2t³, by which such a curve goes to the side.
  const t = 0.5 - Math.sin(Math.asin(1 - 2 * share) / 3);
  return from.y + (to.y - from.y) * (1.5 * (1 - t) * t + t ** 3);
}

function createPath(start: Point): {
  readonly steps: readonly Step[];
  readonly at: () => Point;
  readonly go: (to: Point) => void;
} {
  const steps: Step[] = [];
  let at = start;
  return {
    steps,
    at: () => at,
    go: (to) => {
      if (to.x === at.x && to.y === at.y) return;
      steps.push({ to, control: to.x === at.x ? null : upright(at, to) });
      at = to;
    },
  };
}

/** Control points of a curve that begins and ends upright. */
function upright(from: Point, to: Point): readonly [Point, Point] {
  const middle = (from.y + to.y) / 2;
  return [
    { x: from.x, y: middle },
    { x: to.x, y: middle },
  ];
}

/** Out of the right side and back into it. */
function ownLoop({ x, y, left }: Item): Path {
  const side = x + left;
  const control: readonly [Point, Point] = [
    { x: side + 34, y: y - 16 },
    { x: side + 34, y: y + 16 },
  ];
  return { start: { x: side, y: y - 10 }, steps: [{ to: { x: side, y: y + 10 }, control }], heading: "left" };
}
