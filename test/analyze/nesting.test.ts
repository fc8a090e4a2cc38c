import { expect, test } from "vitest";
import { createBranches } from "../../compiler/2-analyze/flow/branches.js";
import { nestedSplits } from "../bench/sheets.js";
import { processorTime } from "../processor-time.js";
import { understandText } from "../world.js";

const DEPTH = 300;

test("nested splits: all lists of branches together are no longer than the graph", () => {
  const { graphs, diagnostics } = understandText(nestedSplits(DEPTH));
  expect(diagnostics).toEqual([]);
  const { nodes, splits } = graphs[0]!;
  const listed = splits.flatMap(({ branches }) => branches.flatMap(({ own, others }) => [...own, ...others]));
  expect([splits.length, new Set(listed).size]).toEqual([DEPTH, listed.length]);
  expect(listed.length).toBeLessThan(nodes.length);
});

test("each of them owns what the splits within it own", () => {
  const { nodes, splits } = understandText(nestedSplits(DEPTH)).graphs[0]!;
  const index = new Map(nodes.map(({ name }, v) => [name, v]));
  const branches = createBranches(nodes.length, splits);
  const inmost = index.get("Inmost")!;
  splits.forEach(({ branches: lists }, split) => {
    expect(branches.nodes(branches.at(split, 0))).toEqual([index.get(`A${split}`)]);
    expect(branches.find(split, inmost)).toBe(branches.at(split, 1));
    expect(branches.nodes(branches.at(split, 1))).toHaveLength(3 * (DEPTH - split - 1) + 1);
    expect(lists[0]?.stops.map((v) => nodes[v]?.name)).toEqual([`J${split}`, "Oops"].sort());
  });
});

test("a write conflict of many nested branches is told once for each later writer", () => {
  const sheet = nestedSplits(40)
    .replace(/,a(\d+),\{s/g, ",same,{s")
    .replace(/,a\d+,j/g, ",same,j")
    .replace(/\{a\d+\}/g, "{same}");
  const conflicts = understandText(sheet).diagnostics.filter(({ code }) => code === "write-conflict");
  expect(conflicts.map(({ node }) => node)).toEqual(Array.from({ length: 39 }, (_, i) => `A${i + 1}`));
  expect(conflicts[0]?.message).toBe(
    '"A0" and "A1" both write "same", in branches that run at the same time',
  );
});

test("a node that very many branches come to costs no more for each of them", () => {
  const count = 40_000;
  const branch = { own: [], others: [1], stops: [] };
  const split = { node: 0, by: "next", targets: [], meet: 1, branches: [branch], merge: {} } as const;
  const before = processorTime();
  const branches = createBranches(
    2,
    Array.from({ length: count }, () => split),
  );
  expect(branches.others(1).length).toBe(count);
  // A list that is copied for each branch takes minutes.
  expect(processorTime() - before).toBeLessThan(10_000);
});
