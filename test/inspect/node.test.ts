import { describe, expect, test } from "vitest";
import { drawNode } from "../../cli/inspect/node-text.js";
import { columnsOf } from "../../compiler/diagnostics/layout.js";
import type { GraphIR } from "../../compiler/ir.js";
import { describeNode, type NodeReport } from "../../runtime/draw/describe-node.js";
import { expectGolden } from "../cases/case-folder.js";
import { sketch } from "./graphs.js";
import { shapes } from "./shapes.js";

function reportOf(graph: GraphIR, name: string): NodeReport {
  const report = describeNode(graph, name);
  if (report === null) throw new Error(`there is no node ${name}`);
  return report;
}

describe("one node", () => {
  test.each([
    ["support", "Answer"],
    ["support", "Approve"],
    ["nested", "Staff"],
    ["choice", "Route"],
    ["loop", "Polish"],
  ])("of %s looks as it should: %s", (shape, name) => {
    const text = drawNode(reportOf(shapes[shape] as GraphIR, name));
    expectGolden(`test/inspect/golden/node-${name}.txt`, text);
    const [head = ""] = text.split("\nprompt");
    expect(Math.max(...head.split("\n").map(columnsOf))).toBeLessThanOrEqual(80);
  });

  const graph = sketch(
    [
      { name: "First", next: "Left|Right", reads: ["given"], writes: ["a"] },
      { name: "Left", next: "Last", reads: ["a"], writes: ["b"] },
      { name: "Right", next: "Last", reads: ["a", "b"], writes: ["c"] },
      { name: "Last", success: "END", failure: "Left", reads: ["b", "c"], writes: ["given"] },
      { name: "Dead", next: "Last", writes: ["a"] },
    ],
    { splits: [["First", "next", "Last", [["Left"], ["Right"]]]], inputs: ["given"] },
  );

  test("names who sets what it reads, as far as a way leads from there", () => {
    expect(reportOf(graph, "Left").inputs).toMatchObject([{ field: "a", from: ["First"], caller: null }]);
    // A node after it sets `b` in the round before.
    expect(reportOf(graph, "Right").inputs.map(({ from }) => from)).toEqual([["First"], []]);
    expect(reportOf(graph, "First").inputs).toMatchObject([{ field: "given", from: [], caller: "optional" }]);
  });

  test("names who reads what it writes, as far as a way leads there", () => {
    expect(reportOf(graph, "First").outputs).toMatchObject([{ field: "a", for: ["Left", "Right"] }]);
    expect(reportOf(graph, "Last").outputs).toMatchObject([{ field: "given", for: [] }]);
    expect(reportOf(graph, "Dead").outputs).toMatchObject([{ field: "a", for: ["Left"] }]);
  });

  test("knows its edges, its ends, and the branch it stands in", () => {
    const last = reportOf(graph, "Last");
    expect(last.edges_in.map(({ from }) => from)).toEqual(["Left", "Right", "Dead"]);
    expect(last.edges_out).toEqual([
      { from: "Last", to: "END", on: "success" },
      { from: "Last", to: "Left", on: "failure" },
    ]);
    expect(last.in_branches).toEqual([]);
    expect(reportOf(graph, "Right").in_branches).toEqual([
      { split: "First", on: "next", branch: 2, branches: 2, meet: "Last" },
    ]);
    expect(reportOf(shapes["linear"] as GraphIR, "Log").ends).toEqual(["next"]);
    expect(reportOf(shapes["loop"] as GraphIR, "Give up").ends).toEqual(["failure"]);
  });

  test("says that no way leads to it", () => {
    expect(reportOf(graph, "Dead").reachable).toBe(false);
    expect(drawNode(reportOf(graph, "Dead"))).toContain("No way leads here");
  });

  test("is null where there is no such node", () => {
    expect(describeNode(graph, "Nobody")).toBeNull();
    expect(describeNode(graph, "constructor")).toBeNull();
  });

  test("shows settings, the limit, and where a prompt comes from", () => {
    const node = sketch([
      {
        name: "Ask",
        limit: [3, "Ask"],
        prompt: "Hello\r\nyou",
        rest: {
          settings: { model: "large" },
          retry: { attempts: 2, delayMs: 100, factor: 2, maxDelayMs: 1000 },
          timeoutMs: 5000,
          merge: { notes: "append" },
          promptFrom: "file:ask.md",
        },
      },
    ]);
    const text = drawNode(reportOf(node, "Ask"));
    for (const part of [
      'model: "large"',
      '"attempts":2',
      "timeout_ms: 5000",
      '"notes":"append"',
      "max_visits: 3, then Ask",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain("prompt from file:ask.md\n│ Hello\n│ you\n");
  });
});
