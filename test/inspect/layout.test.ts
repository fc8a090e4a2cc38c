import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GraphIR } from "../../compiler/ir.js";
import type { Box, Drawing, Shape } from "../../runtime/draw/svg/geometry.js";
import { layOutGraph } from "../../runtime/draw/svg/layout.js";
import { howMany } from "../how-many.js";
import { understandText } from "../world.js";
import { graphOf, hostileNames } from "./hostile.js";
import { flows, randomGraphs } from "./random.js";
import { shapes } from "./shapes.js";
import { expectTidy } from "./tidy.js";

const RUNS = howMany(100, 15);
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

  test("a node that nothing leads to stands where there is room, and makes the picture no wider", async () => {
    const sheet = readFileSync("examples/support.csv", "utf8");
    const widthOf = async (text: string): Promise<number> => {
      const [graph] = understandText(text, {}, "support.csv").graphs;
      return (await layOutGraph(graph as GraphIR)).width;
    };
    expect(await widthOf(`${sheet}Support,Thank,,echo\n`)).toBe(await widthOf(sheet));
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

  test("keeps a node that nothing leads to beside the others", async () => {
    const support = shapes["support"] as GraphIR;
    const [first] = support.nodes;
    const alone = {
      ...(first as GraphIR["nodes"][number]),
      ...{ name: "Alone", next: [], onSuccess: [], onFailure: [], reachable: false },
    };
    const { width } = await layOutGraph(support);
    const wider = await layOutGraph({ ...support, nodes: [...support.nodes, alone] });
    expectTidy(wider);
    expect(wider.width).toBeLessThan(width + 400);
  });
});
