import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createNearby } from "../../compiler/2-analyze/fields/nearby.js";
import {
  createDigraph,
  type Digraph,
  findComponents,
  reachableFrom,
} from "../../compiler/2-analyze/flow/digraph.js";
import { findDominators } from "../../compiler/2-analyze/flow/dominators.js";
import { oneEdit as isOneEdit } from "../../compiler/diagnostics/suggest.js";

const digraphs = fc.integer({ min: 1, max: 12 }).chain((size) => {
  const node = fc.integer({ min: 0, max: size - 1 });
  const edges = fc.array(fc.tuple(node, node), { maxLength: 3 * size });
  return edges.map((list) => createDigraph(size, { from: list.map(([a]) => a), to: list.map(([, b]) => b) }));
});

function without(graph: Digraph, gone: number): Digraph {
  const from: number[] = [];
  const to: number[] = [];
  for (let v = 0; v < graph.size; v++) {
    for (let i = graph.start[v] ?? 0; i < (graph.start[v + 1] ?? 0); i++) {
      const w = graph.to[i] ?? 0;
      if (v === gone || w === gone) continue;
      from.push(v);
      to.push(w);
    }
  }
  return createDigraph(graph.size, { from, to });
}

const reaches = (graph: Digraph, v: number, w: number): boolean => reachableFrom(graph, [v])[w] === 1;

describe("dominators", () => {
  test("are those nodes without which the other is out of reach", () => {
    fc.assert(
      fc.property(digraphs, (graph) => {
        const { dominates } = findDominators(graph, 0);
        for (let u = 0; u < graph.size; u++) {
          for (let v = 0; v < graph.size; v++) {
            const naive =
              reaches(graph, 0, u) &&
              reaches(graph, 0, v) &&
              (u === v || u === 0 || !reaches(without(graph, u), 0, v));
            expect(dominates(u, v)).toBe(naive);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("have a nearest common one", () => {
    fc.assert(
      fc.property(digraphs, fc.nat(), fc.nat(), (graph, a, b) => {
        const { dominates, common, parent } = findDominators(graph, 0);
        const [u, v] = [a % graph.size, b % graph.size];
        if (parent[u] === -1 || parent[v] === -1) return;
        const both = Array.from({ length: graph.size }, (_, w) => w).filter(
          (w) => dominates(w, u) && dominates(w, v),
        );
        const nearest = both.find((w) => both.every((other) => dominates(other, w)));
        expect(common(u, v)).toBe(nearest);
      }),
      { numRuns: 1000 },
    );
  });

  test("of a long chain with one handler take no longer than the chain", () => {
    const size = 100_001;
    const chain = Array.from({ length: size - 2 }, (_, v) => v);
    const from = [...chain, ...chain];
    const to = [...chain.map((v) => v + 1), ...chain.map(() => size - 1)];
    const { parent } = findDominators(createDigraph(size, { from, to }), 0);
    expect(parent[size - 1]).toBe(0);
    expect(parent[size - 2]).toBe(size - 3);
  });
});

describe("components", () => {
  test("hold what leads to each other, and are numbered along the edges", () => {
    fc.assert(
      fc.property(digraphs, (graph) => {
        const { of } = findComponents(graph);
        for (let v = 0; v < graph.size; v++) {
          for (let w = 0; w < graph.size; w++) {
            const forth = reaches(graph, v, w);
            expect(of[v] === of[w]).toBe(v === w || (forth && reaches(graph, w, v)));
            if (forth) expect(of[w] as number).toBeGreaterThanOrEqual(of[v] as number);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("one edit", () => {
  test.each([
    ["name", "nmae", true],
    ["name", "names", true],
    ["name", "nam", true],
    ["name", "game", true],
    ["name", "name", false],
    ["name", "nema", false],
    ["name", "nameed", false],
    ["", "a", true],
    ["ab", "ba", true],
  ])("%s and %s: %s", (a, b, expected) => {
    expect(isOneEdit(a, b)).toBe(expected);
    expect(isOneEdit(b, a)).toBe(expected);
  });

  test("is found in a list, but not between short names or numbered ones", () => {
    const nearby = createNearby(["answer", "order1", "abc", "name"]);
    expect(nearby("anwser")).toBe("answer");
    expect(nearby("answer")).toBe(null);
    expect(nearby("order2")).toBe(null);
    expect(nearby("abd")).toBe(null);
    expect(nearby("nam")).toBe(null);
    expect(nearby("names")).toBe("name");
  });

  test("the look-up finds exactly what comparing all finds", () => {
    const names = fc.string({ minLength: 3, maxLength: 6, unit: fc.constantFrom("a", "b", "c", "1") });
    fc.assert(
      fc.property(fc.uniqueArray(names, { maxLength: 8 }), names, (list, name) => {
        const withoutDigits = (text: string): string => text.replace(/\d/g, "");
        const slips = list.filter(
          (other) =>
            name.length > 3 &&
            other.length > 3 &&
            isOneEdit(name, other) &&
            withoutDigits(name) !== withoutDigits(other),
        );
        const found = createNearby(list)(name);
        expect(found === null ? slips.length === 0 : slips.includes(found)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
