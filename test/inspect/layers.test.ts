import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GraphIR } from "../../compiler/ir.js";
import { listEdges } from "../../runtime/draw/edges.js";
import { layInLayers } from "../../runtime/draw/layers.js";
import { createDiagram } from "../../runtime/draw/svg/diagram.js";
import type { Drawing } from "../../runtime/draw/svg/geometry.js";
import { layOutGraph } from "../../runtime/draw/svg/layout.js";
import { howMany, inCi } from "../how-many.js";
import { processorTime } from "../processor-time.js";
import { type NodeSketch, sketch } from "./graphs.js";
import { flows, randomGraphs } from "./random.js";
import { shapes } from "./shapes.js";
import { expectTidy, overlap } from "./tidy.js";

const RUNS = howMany(80, 10);
/** So small that small graphs are folded, too. */
const PAPERS = [
  { wide: 3, high: 300 },
  { wide: 2, high: 120 },
  { wide: 12, high: 700 },
];

const laid = (graph: GraphIR, paper = PAPERS[0] as (typeof PAPERS)[number]): Drawing =>
  layInLayers(createDiagram(graph), paper);

/** Expects each node once, and each edge as one way or, where it splits or loops, as a part of one. */
function expectWhole(graph: GraphIR, { shapes: all, ways }: Drawing): void {
  const nodes = all.filter(({ kind }) => kind === "node").map(({ node }) => node);
  expect(nodes.toSorted((a, b) => a - b)).toEqual([...graph.nodes.keys()]);
  const nameOf = (edge: { readonly from: number; readonly to: number }): string => `${edge.from} ${edge.to}`;
  const drawn = new Set(ways.flatMap(({ edge }) => (edge === null ? [] : [nameOf(edge)])));
  const edges = listEdges(graph).flat();
  expect(edges.filter((edge) => !drawn.has(nameOf(edge)))).toEqual([]);
}

function expectBoth(graph: GraphIR, drawing: Drawing): void {
  expectTidy(drawing);
  expectWhole(graph, drawing);
}

describe("layers have no overlap, and their ways meet no box:", () => {
  test.each(Object.entries(shapes))("%s", (_, graph) => {
    for (const paper of PAPERS) expectBoth(graph, laid(graph, paper));
  });

  test(`${RUNS} random graphs of any shape`, () => {
    const some = fc.tuple(randomGraphs(20), fc.constantFrom(...PAPERS));
    fc.assert(
      fc.property(some, ([graph, paper]) => expectBoth(graph, laid(graph, paper))),
      { numRuns: RUNS },
    );
  });

  test(`${RUNS} graphs of up to 40 nodes as people write them`, () => {
    const some = fc.tuple(fc.integer({ min: 5, max: 40 }).chain(flows), fc.constantFrom(...PAPERS));
    fc.assert(
      fc.property(some, ([graph, paper]) => expectBoth(graph, laid(graph, paper))),
      { numRuns: RUNS },
    );
  });
});

type Make = (size: number) => GraphIR;

const chain: Make = (size) =>
  sketch(range(size).map((i) => ({ name: `N${i}`, next: i < size - 1 ? `N${i + 1}` : "" })));
/** A hub that chooses, and one node where all come together. */
const star: Make = (size) =>
  sketch([
    {
      name: "Hub",
      agent: "switch",
      cases: Object.fromEntries(range(size).map((i) => [`v${i}`, `N${i}`])),
    },
    ...range(size).map((i): NodeSketch => ({ name: `N${i}`, next: "Last" })),
    { name: "Last" },
  ]);
/** A chain with shortcuts, and one handler of nearly all failures. */
const ladder: Make = (size) =>
  sketch([
    ...range(size).map(
      (i): NodeSketch => ({
        name: `N${i}`,
        agent: "llm",
        success: i < size - 1 ? `N${i + 1}` : "Sorry",
        failure: i % 3 === 0 && i < size - 4 ? `N${i + 4}` : "Sorry",
      }),
    ),
    { name: "Sorry" },
  ]);
const cycles: Make = (size) =>
  sketch(
    range(size).map((i) => ({
      name: `N${i}`,
      agent: "llm",
      success: `N${(i + 1) % size}`,
      failure: `N${(i * 7919) % size}`,
    })),
  );
/** No node leads to another one. */
const islands: Make = (size) => sketch(range(size).map((i) => ({ name: `N${i}` })));

const range = (size: number): readonly number[] => Array.from({ length: size }, (_, i) => i);

/** Their number alone makes nothing else of them. */
const NODES = howMany(10_000, 1_000, "LAYER_NODES");

const ABSURD = Object.entries({ chain, star, ladder, cycles, islands });

/** Boxes are looked for in squares, since there are too many pairs. */
function expectApart({ shapes: all }: Drawing): void {
  const SIDE = 400;
  const squares = new Map<string, (typeof all)[number][]>();
  const overlaps: Drawing["shapes"][number][] = [];
  for (const shape of all) {
    const { x, y, width, height } = shape.box;
    const span = (from: number, to: number): readonly number[] =>
      range(Math.floor(to / SIDE) - Math.floor(from / SIDE) + 1).map((i) => Math.floor(from / SIDE) + i);
    for (const column of span(x - width / 2, x + width / 2)) {
      for (const row of span(y - height / 2, y + height / 2)) {
        const square = squares.get(`${column} ${row}`) ?? [];
        overlaps.push(...square.filter(({ box }) => overlap(box, shape.box)));
        square.push(shape);
        squares.set(`${column} ${row}`, square);
      }
    }
  }
  expect(overlaps).toEqual([]);
}

describe("a graph of any size is drawn whole:", () => {
  test.each(ABSURD)(`${NODES} nodes as a %s`, async (_, make) => {
    const graph = make(NODES);
    const drawing = await layOutGraph(graph);
    expectApart(drawing);
    expectWhole(graph, drawing);
    // So much is kept for a way at most, however long it is.
    expect(Math.max(...drawing.ways.map(({ steps }) => steps.length))).toBeLessThan(24);
    expect(drawing.width / drawing.height).toBeGreaterThan(0.1);
    expect(drawing.width / drawing.height).toBeLessThan(10);
  });

  test.skipIf(!inCi).each(ABSURD)(
    "a %s of eight times the size takes no more than thirty times the time",
    (_, make) => {
      const [small, large] = [createDiagram(make(1_000)), createDiagram(make(8_000))];
      const timeOf = (diagram: typeof small): number => {
        const before = processorTime();
        layInLayers(diagram);
        return processorTime() - before;
      };
      const least = (diagram: typeof small): number => Math.min(...range(4).map(() => timeOf(diagram)));
      timeOf(small);
      // What grows with the square would take sixty-four times as long.
      expect(least(large)).toBeLessThan(30 * Math.max(least(small), 4));
    },
  );

  test("is the same each time", async () => {
    const graph = ladder(500);
    expect(await layOutGraph(graph)).toEqual(await layOutGraph(graph));
  });

  test("a chain is straight but where it comes to the next column", async () => {
    const { ways } = await layOutGraph(chain(300));
    const bent = ways.filter(({ steps }) => steps.some(({ control }) => control !== null));
    expect(bent.length).toBeLessThan(15);
  });
});
