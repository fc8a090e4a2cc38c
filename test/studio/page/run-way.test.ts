import { describe, expect, test } from "vitest";
import { listEdges } from "../../../runtime/draw/edges.js";
import { layOutGraph } from "../../../runtime/draw/svg/layout.js";
import type { GraphOfSheet } from "../../../runtime/studio/page/engine/messages.js";
import { notesOf } from "../../../runtime/studio/page/picture/notes.js";
import { takenEdges, takenWays, type Visit } from "../../../runtime/studio/page/picture/run-way.js";
import { sceneOf } from "../../../runtime/studio/page/picture/scene.js";
import type { Run } from "../../../runtime/studio/page/run/run-state.js";
import { shapes } from "../../inspect/shapes.js";

const page = (name: string): GraphOfSheet => {
  const graph = shapes[name];
  if (graph === undefined) throw new Error(`there is no graph ${name}`);
  return {
    name: graph.name,
    nodes: graph.nodes.map(({ name, row, agent, reachable }) => ({
      ...{ name, record: row - 1, agent: agent.type, family: "plain", isReachable: reachable },
    })),
    edges: listEdges(graph).flatMap((edges) => edges.map(({ from, to, on }) => ({ from, to, on }))),
  };
};

const visits = (text: string): readonly Visit[] =>
  text.split(" ").map((word) => {
    const [node = "", outcome = "success"] = word.split(":");
    return { node, outcome: outcome === "runs" ? null : outcome };
  });

function taken(name: string, text: string, isOver = false): readonly string[] {
  const { nodes } = page(name);
  const nameOf = (v: string | undefined): string => nodes[Number(v)]?.name ?? "END";
  return [...takenEdges(page(name), visits(text), isOver)].map((edge) => {
    const [from, to, on] = edge.split(" ");
    return `${nameOf(from)} ${nameOf(to)} ${on}`;
  });
}

describe("the way of a run", () => {
  test("follows the outcome of each visit", () => {
    expect(taken("support", "Ask Classify Answer:failure Apologize:runs")).toEqual([
      "Ask Classify next",
      "Classify Answer success",
      "Answer Apologize failure",
    ]);
  });

  test("ends where the run waits", () => {
    expect(taken("support", "Ask Classify Answer Approve:waiting")).toEqual([
      "Ask Classify next",
      "Classify Answer success",
      "Answer Approve success",
    ]);
  });

  test("goes all ways of a split, and back from a loop", () => {
    expect(
      taken("support", "Ask Classify Answer Approve:failure Answer Approve Send Record Thank Close"),
    ).toEqual([
      "Ask Classify next",
      "Classify Answer success",
      "Answer Approve success",
      "Approve Answer failure",
      "Approve Send success",
      "Send Record next",
      "Send Thank next",
      "Record Close next",
      "Thank Close next",
    ]);
  });

  test("comes to the end when the run is over, and not before", () => {
    expect(taken("diamond", "Check Accept Close", true)).toContain("Close END next");
    expect(taken("diamond", "Check Accept Close", true)).not.toContain("Check END failure");
    expect(taken("diamond", "Check Accept Close")).toEqual(["Check Accept success", "Accept Close next"]);
  });

  test("passes the signs of a split in the drawing", async () => {
    const [graph, graphOfPage] = [shapes["support"], page("support")];
    if (graph === undefined) throw new Error("no graph");
    const { ways, shapes: all } = await layOutGraph(graph);
    const nodes = new Map(graphOfPage.nodes.map(({ name }, v) => [name, v]));
    const steps = visits("Ask Classify Answer Approve Send Record:runs");
    const visited = new Set(steps.map(({ node }) => nodes.get(node) ?? -1));
    const shown = takenWays(ways, all, takenEdges(graphOfPage, steps, false), visited);
    const kinds = [...shown].map(({ from, to }) => `${all[from]?.kind} ${all[to]?.kind}`);
    expect(kinds.filter((kind) => kind.includes("fork"))).toEqual(["node fork", "fork node"]);
    expect(kinds).toContain("start node");
    expect(kinds.filter((kind) => kind.includes("join"))).toEqual([]);
  });

  test.each([
    ["completed", "success", true],
    ["failed", "failure", false],
  ] as const)("a run that %s has come to the end of the drawing: %s, %s", async (status, outcome, comes) => {
    const graph = shapes["diamond"];
    if (graph === undefined) throw new Error("no graph");
    const scene = sceneOf(await layOutGraph(graph), page("diamond"));
    const untold = {
      visit: 1,
      attempts: 1,
      atMs: 0,
      ms: 1,
      error: null,
      inputs: {},
      prompt: null,
      writes: {},
    };
    const steps = visits(`Check Accept Close:${outcome}`).map((visit) => {
      return { ...untold, ...visit, key: visit.node, answered: null };
    });
    const run: Run = {
      ...{ sheet: "order.csv", graph: "Order", id: "1", status, steps, questions: [], errors: [] },
      durationMs: 1,
    };
    const missed = { nodes: new Set<number>(), edges: new Set<string>() };
    const { taken } = notesOf(scene, run, new Map(), missed);
    const ends = [...taken].filter(({ to }) => scene.drawing.shapes[to]?.kind === "end");
    expect(ends.length > 0).toBe(comes);
  });
});
