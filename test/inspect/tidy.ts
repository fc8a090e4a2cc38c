import { expect } from "vitest";
import type { Box, Drawing, Point, TextLine, Way } from "../../runtime/draw/svg/geometry.js";
import { referenceWidth } from "./reference-width.js";

const SIZES = { name: 14, agent: 12, description: 12, label: 11, end: 11 } as const;

interface Edges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const edgesOf = ({ x, y, width, height }: Box): Edges => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});

export function overlap(one: Box, other: Box): boolean {
  const [a, b] = [edgesOf(one), edgesOf(other)];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function isInside(point: Point, box: Box, inset = 0.5): boolean {
  const { left, right, top, bottom } = edgesOf(box);
  return (
    point.x > left + inset && point.x < right - inset && point.y > top + inset && point.y < bottom - inset
  );
}

function textBox({ text, role, x, y, centred }: TextLine): Box {
  const size = SIZES[role];
  const width = referenceWidth(text, size, role === "name" || role === "end");
  return { x: centred ? x : x + width / 2, y: y - size * 0.3, width, height: size };
}

function expectWithin(inner: Box, outer: Box): void {
  const [a, b] = [edgesOf(inner), edgesOf(outer)];
  expect(a.left).toBeGreaterThanOrEqual(b.left);
  expect(a.right).toBeLessThanOrEqual(b.right);
  expect(a.top).toBeGreaterThanOrEqual(b.top);
  expect(a.bottom).toBeLessThanOrEqual(b.bottom);
}

/** Points along a way, ends left out. */
function pointsOf({ start, steps }: Way): readonly Point[] {
  const points: Point[] = [];
  let from = start;
  for (const { to, control } of steps) {
    const [c, d] = control ?? [from, to];
    for (let i = 1; i < 40; i++) {
      const [t, u] = [i / 40, 1 - i / 40];
      const at = (k: "x" | "y"): number =>
        u ** 3 * from[k] + 3 * u * u * t * c[k] + 3 * u * t * t * d[k] + t ** 3 * to[k];
      points.push({ x: at("x"), y: at("y") });
    }
    from = to;
  }
  return points;
}

/** Expects that nothing overlaps, that texts fit, and that no way meets what it does not join. */
export function expectTidy({ width, height, shapes: all, ways }: Drawing): void {
  const labels = ways.flatMap(({ label }) => (label === null ? [] : [label]));
  const page: Box = { x: width / 2, y: height / 2, width, height };
  for (const { box, lines } of all) {
    expectWithin(box, page);
    for (const line of lines) expectWithin(textBox(line), box);
  }
  for (const { box, line } of labels) {
    expectWithin(box, page);
    expectWithin(textBox(line), box);
  }
  const boxes = [...all.map(({ box }) => box), ...labels.map(({ box }) => box)];
  boxes.forEach((box, i) => {
    for (const other of boxes.slice(i + 1))
      expect(overlap(box, other), `${JSON.stringify([box, other])}`).toBe(false);
  });
  for (const way of ways) {
    const others = [
      ...all.filter((_, i) => i !== way.from && i !== way.to).map(({ box }) => box),
      ...labels.filter((label) => label !== way.label).map(({ box }) => box),
    ];
    const strays = pointsOf(way).filter((point) => others.some((box) => isInside(point, box)));
    expect(strays).toEqual([]);
  }
}
