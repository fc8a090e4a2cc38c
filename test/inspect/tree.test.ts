import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawTree } from "../../cli/inspect/tree.js";
import { shapeTree } from "../../cli/inspect/tree-shape.js";
import { columnsOf } from "../../compiler/diagnostics/layout.js";
import type { GraphIR } from "../../compiler/ir.js";
import { listEdges } from "../../runtime/draw/edges.js";
import { expectGolden } from "../cases/case-folder.js";
import { howMany } from "../how-many.js";
import { type NodeSketch, sketch } from "./graphs.js";
import { flows, randomGraphs } from "./random.js";
import { shapes } from "./shapes.js";

const widest = (text: string): number => Math.max(...text.split("\n").map(columnsOf));

describe("the tree of a graph", () => {
  test.each(Object.entries(shapes))("of %s looks as it should", (name, graph) => {
    expectGolden(`test/inspect/golden/tree-${name}.txt`, drawTree(graph));
  });

  test("shows colours only when it is asked to", () => {
    const plain = drawTree(shapes["support"] as GraphIR);
    const colored = drawTree(shapes["support"] as GraphIR, { color: true });
    expect(plain).not.toContain("\u001b");
    expect(colored).toContain("\u001b[");
    expect(colored.replace(/\u001b\[[0-9;]*m/g, "").replace(/ +$/gm, "")).toBe(plain);
  });

  test("shows every node once and every edge once, in 80 columns at 30 nodes", () => {
    fc.assert(
      fc.property(fc.oneof(randomGraphs(30), flows(30)), (graph) => {
        const { parts, references } = shapeTree(graph, 10);
        const lines = parts.flatMap((part) => part.lines);
        expect(lines.map(({ node }) => node).sort((a, b) => a - b)).toEqual(graph.nodes.map((_, i) => i));
        const drawn = lines.flatMap((line) => [line.by, ...references(line).map(({ edge }) => edge)]);
        expect(new Set(drawn.filter((edge) => edge !== null))).toEqual(new Set(listEdges(graph).flat()));
        expect(drawn.filter((edge) => edge !== null)).toHaveLength(listEdges(graph).flat().length);
        expect(widest(drawTree(graph))).toBeLessThanOrEqual(80);
      }),
      { numRuns: howMany(150, 20) },
    );
  });

  test("a reference points up exactly when its node stands above", () => {
    fc.assert(
      fc.property(randomGraphs(20), (graph) => {
        const { parts, references } = shapeTree(graph, 3);
        const lines = parts.flatMap((part) => part.lines);
        const place = new Map(lines.map(({ node }, i) => [node, i]));
        for (const [i, line] of lines.entries()) {
          for (const { to, place: where } of references(line)) {
            if (to >= 0) expect(where).toBe((place.get(to) as number) <= i ? "above" : "later");
          }
        }
      }),
      { numRuns: howMany(100, 15) },
    );
  });

  test("keeps to a narrow terminal", () => {
    for (const graph of Object.values(shapes))
      expect(widest(drawTree(graph, { width: 50 }))).toBeLessThanOrEqual(50);
  });

  test("continues below what would stand too far to the right", () => {
    const nodes = Array.from(
      { length: 40 },
      (_, i): NodeSketch => ({ name: `N${i}`, next: i < 39 ? `N${i + 1}|L${i}` : "" }),
    );
    const leaves = nodes.map((_, i): NodeSketch => ({ name: `L${i}` }));
    const text = drawTree(sketch([...nodes, ...leaves]));
    expect(text).toContain("↓ N11");
    expect(widest(text)).toBeLessThanOrEqual(80);
  });
});

const NODES = howMany(20_000, 4_000);

describe(`a graph of ${NODES} nodes`, () => {
  const names = Array.from({ length: NODES }, (_, i) => `N${i}`);
  const huge: { readonly [shape: string]: () => readonly NodeSketch[] } = {
    chain: () => names.map((name, i) => ({ name, next: names[i + 1] ?? "" })),
    nest: () =>
      names.map((name, i) => ({
        name,
        success: names[i + 1] ?? "",
        failure: i % 2 === 0 ? (names[i + 2] ?? "") : "N0",
      })),
    star: () =>
      names.map((name, i) =>
        i === 0 ? { name, agent: "switch", next: names.slice(1).join("|") } : { name, next: "N0" },
      ),
    islands: () => names.map((name) => ({ name })),
  };
  test.each(Object.entries(huge))("is drawn without trouble: %s", (_, make) => {
    const graph = sketch(make());
    const start = performance.now();
    const text = drawTree(graph);
    expect(performance.now() - start).toBeLessThan(60_000);
    expect(widest(text)).toBeLessThanOrEqual(80);
    expect(text).toContain(`${names.length} nodes`);
  });
});
