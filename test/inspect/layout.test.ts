import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GraphIR } from "../../compiler/ir.js";
import type { Box, Drawing, Point, Shape, TextLine, Way } from "../../runtime/draw/svg/geometry.js";
import { layOutGraph } from "../../runtime/draw/svg/layout.js";
import { howMany } from "../how-many.js";
import { understandText } from "../world.js";
import { sketch } from "./graphs.js";
import { graphOf, hostileNames } from "./hostile.js";
import { flows, randomGraphs } from "./random.js";
import { referenceWidth } from "./reference-width.js";
import { shapes } from "./shapes.js";

const RUNS = howMany(500, 30);
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

function overlap(one: Box, other: Box): boolean {
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

function expectTidy({ width, height, shapes: all, ways }: Drawing): void {
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

const examples: readonly (readonly [string, GraphIR])[] = readdirSync("examples")
  .filter((file) => file.endsWith(".csv"))
  .flatMap((file) =>
    understandText(readFileSync(`examples/${file}`, "utf8"), {}, file).graphs.map(
      (graph) => [file, graph] as const,
    ),
  );

describe("a laid out graph has no overlap, and no text outside its box:", () => {
  test.each(examples)("%s", async (_, graph) => {
    expectTidy(await layOutGraph(graph));
  });

  test.each(Object.entries(shapes))("%s", async (_, graph) => {
    expectTidy(await layOutGraph(graph));
  });

  test.each(hostileNames)("%s as a name", async (_, name) => {
    expectTidy(await layOutGraph(graphOf(name)));
  });

  // Of each seed the last graph has a wide curve above a short label, which it would meet between two of a few samples.
  test.each([
    [11, 29],
    [28, 19],
    [31, 36],
    [33, 8],
  ])("random graphs of any shape, from %i", async (seed, numRuns) => {
    await fc.assert(
      fc.asyncProperty(randomGraphs(20), async (graph) => expectTidy(await layOutGraph(graph))),
      { numRuns, seed },
    );
  });

  test(`${RUNS} random graphs of any shape`, async () => {
    await fc.assert(
      fc.asyncProperty(randomGraphs(20), async (graph) => expectTidy(await layOutGraph(graph))),
      { numRuns: RUNS },
    );
  });

  test(`${RUNS} graphs of up to 30 nodes as people write them`, async () => {
    const some = fc.integer({ min: 5, max: 30 }).chain(flows);
    await fc.assert(
      fc.asyncProperty(some, async (graph) => expectTidy(await layOutGraph(graph))),
      { numRuns: RUNS },
    );
  });
});

describe("a layout", () => {
  const boxOf = ({ shapes: all }: Drawing, kind: Shape["kind"], node: number): Box => {
    const found = all.find((shape) => shape.kind === kind && shape.node === node);
    if (found === undefined) throw new Error(`there is no ${kind} ${node}`);
    return found.box;
  };

  test("is the same each time", async () => {
    const graph = shapes["support"] as GraphIR;
    expect(await layOutGraph(graph)).toEqual(await layOutGraph(graph));
  });

  test("puts the usual way on one straight line", async () => {
    const drawing = await layOutGraph(shapes["support"] as GraphIR);
    const xs = [0, 1, 2, 3, 4].map((node) => boxOf(drawing, "node", node).x);
    expect(new Set(xs).size).toBe(1);
    expect(boxOf(drawing, "start", 0).x).toBe(xs[0]);
  });

  test("has a fork where a run splits, a join where it meets, and an end for each node that ends it", async () => {
    const { shapes: all } = await layOutGraph(shapes["nested"] as GraphIR);
    const nodesOf = (kind: Shape["kind"]): readonly number[] =>
      all.filter((shape) => shape.kind === kind).map(({ node }) => node);
    expect(nodesOf("fork").toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(nodesOf("join").toSorted((a, b) => a - b)).toEqual([6, 9]);
    expect(nodesOf("end").toSorted((a, b) => a - b)).toEqual([8, 9]);
    expect(nodesOf("start")).toEqual([0]);
  });

  test("leads up only where the run goes back", async () => {
    const { ways } = await layOutGraph(shapes["loop"] as GraphIR);
    const back = ways.filter(({ heading }) => heading === "up").map(({ edge }) => edge);
    expect(back).toMatchObject([{ from: 1, to: 0, on: "failure" }]);
    expect(ways.filter(({ heading }) => heading === "left").map(({ edge }) => edge?.from)).toEqual([2]);
  });

  test("shows a part of a graph that is too large, in bounded time", async () => {
    const nodes = Array.from({ length: 20_000 }, (_, i) => ({
      name: `N${i}`,
      next: i < 19_999 ? `N${i + 1}` : "",
    }));
    const start = performance.now();
    const drawing = await layOutGraph(sketch(nodes));
    expect(performance.now() - start).toBeLessThan(30_000);
    expect(drawing.shapes.filter(({ kind }) => kind === "node")).toHaveLength(200);
    expect(drawing.left).toBe(19_800);
  });
});
