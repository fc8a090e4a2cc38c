import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { howMany } from "../how-many.js";
import { graphs, runs } from "../property/generators/graphs.js";
import { drawing } from "./drawing.js";
import { END, indices, nodeAt, type RefGraph, ranks, reach, writtenEdges } from "./graph.js";
import { type RunResult, simulate } from "./run.js";
import type { Script } from "./script.js";
import { endlessNodes, meetingOf, postDominators, splitsOf } from "./splits.js";
import { unsetOf } from "./unset.js";

const SIZE = howMany(200, 25);

/** The last result of a run, with the graph in words when a check of it fails. */
function checked(
  graph: RefGraph,
  script: Script,
  check: (last: RunResult, all: readonly RunResult[]) => void,
): void {
  const all = simulate(graph, script);
  const last = all[all.length - 1];
  if (last === undefined) throw new Error("no result");
  try {
    check(last, all);
  } catch (error) {
    throw new Error(`${drawing(graph)}\npath ${last.path.join(" ")}\n${String(error)}`);
  }
}

describe("the reference on random graphs", () => {
  it("never visits a node twice where there is no cycle", () => {
    fc.assert(
      fc.property(runs({ acyclic: true, clean: true, maxNodes: 12 }), ({ graph, script }) => {
        checked(graph, script, (last) => expect(new Set(last.path).size).toBe(last.path.length));
      }),
      { numRuns: SIZE },
    );
  });

  it("calls no acyclic graph ambiguous", () => {
    fc.assert(
      fc.property(graphs({ acyclic: true, maxNodes: 12 }), (graph) => {
        expect(splitsOf(graph).flatMap((split) => split.ambiguous)).toEqual([]);
      }),
      { numRuns: SIZE },
    );
  });

  it("never completes a run through a node that it calls endless", () => {
    const endless = runs({ maxSteps: 60, maxNodes: 6 }).filter(
      ({ graph }) =>
        endlessNodes(graph).length > 0 && indices(graph).every((at) => reach(graph, at).has(END)),
    );
    fc.assert(
      fc.property(endless, ({ graph, script }) => {
        const nodes = endlessNodes(graph);
        checked(graph, script, (last) => {
          if (last.status === "completed") expect(last.path.filter((at) => nodes.includes(at))).toEqual([]);
        });
      }),
      { numRuns: SIZE },
    );
  });

  it("finds every run's unset reads and fields", () => {
    // The throws of these three are left out of account by the rules.
    const calm = ["branching", "human", "failure"] as const;
    fc.assert(
      fc.property(runs({ clean: true, calm, maxSteps: 60 }), ({ graph, script }) => {
        const unset = unsetOf(graph, { customSignals: true });
        const given = Object.fromEntries(unset.required.map((field) => [field, "given"]));
        const initial = { ...script.initial, ...given };
        checked(graph, { ...script, initial }, (last) => {
          if (last.heldUp) return;
          const sure = (fields: readonly string[]) => fields.filter((field) => field !== "error");
          for (const { node, unset: missing } of last.visits)
            expect([...(unset.before[node] ?? [])]).toEqual(expect.arrayContaining(sure(missing)));
          if (last.status === "completed")
            expect(Object.keys(last.state)).toEqual(expect.arrayContaining(sure(unset.setAtEnd)));
        });
      }),
      { numRuns: SIZE },
    );
  });

  it("ends every run, with visits that the graph allows", () => {
    fc.assert(
      fc.property(runs({ clean: true, maxSteps: 60 }), ({ graph, script }) =>
        checked(graph, script, (last, all) => {
          expect(last.status).not.toBe("suspended");
          expect(all.slice(0, -1).every((result) => result.status === "suspended")).toBe(true);
          expect(last.path[0]).toBe(0);
          for (const at of indices(graph)) {
            const { maxVisits } = nodeAt(graph, at);
            expect(last.path.filter((visited) => visited === at).length).toBeLessThanOrEqual(maxVisits ?? 60);
          }
        }),
      ),
      { numRuns: SIZE },
    );
  });

  it("takes up a run again where it stood", () => {
    fc.assert(
      fc.property(runs({ clean: true, maxSteps: 60, waits: 20 }), ({ graph, script }) =>
        checked(graph, script, (_, all) => {
          all.slice(1).forEach((result, index) => {
            // How far the other branches are followed once one has failed says nothing.
            if (result.status === "failed") return;
            const before = [...(all[index]?.path ?? [])];
            // Whatever was visited is visited still; a resume only adds.
            for (const at of result.path) if (before.includes(at)) before.splice(before.indexOf(at), 1);
            expect(before).toEqual([]);
          });
        }),
      ),
      { numRuns: SIZE },
    );
  });

  it("gives each branch its own nodes and nothing else", () => {
    fc.assert(
      fc.property(graphs({ maxNodes: 12 }), (graph) => {
        for (const split of splitsOf(graph)) {
          const owned = split.branches.flat();
          expect(new Set(owned).size).toBe(owned.length);
          expect(owned.some((at) => split.shared.has(at))).toBe(false);
          const stays = (at: number, branch: number): boolean =>
            split.branches[branch]?.includes(at) || split.shared.has(at);
          split.branches.forEach((own, branch) => {
            for (const at of own)
              for (const edge of writtenEdges(graph, at))
                expect(edge.to === END || stays(edge.to, branch)).toBe(true);
          });
        }
      }),
      { numRuns: SIZE },
    );
  });

  it("finds a meeting that every target passes, and none before it", () => {
    fc.assert(
      fc.property(graphs({ maxNodes: 12 }), (graph) => {
        for (const { targets, meet } of splitsOf(graph)) {
          const ending = targets.filter((target) => reach(graph, target).has(END));
          if (ending.length === 0) continue;
          for (const target of ending) expect(postDominators(graph, target).has(meet)).toBe(true);
          expect(meetingOf(graph, [...targets].reverse())).toBe(meet);
          const between = ending.flatMap((target) => [...reach(graph, target, new Set([meet]))]);
          const common = between.filter((at) =>
            ending.every((target) => postDominators(graph, target).has(at)),
          );
          expect(common).toEqual([]);
        }
      }),
      { numRuns: SIZE },
    );
  });

  it("ranks a node before what it leads to, cycles apart", () => {
    fc.assert(
      fc.property(graphs({ acyclic: true, maxNodes: 12 }), (graph) => {
        const rank = ranks(graph);
        for (const at of reach(graph, 0))
          if (at !== END)
            for (const { to } of writtenEdges(graph, at))
              if (to !== END) expect(rank[at]).toBeLessThan(rank[to] ?? -1);
      }),
      { numRuns: SIZE },
    );
  });
});

describe("the generator", () => {
  it("makes graphs worth a run", () => {
    const sample = fc.sample(graphs({ maxNodes: 12 }), { numRuns: 500, seed: 1 });
    const share = (test: (graph: RefGraph) => boolean): number => sample.filter(test).length / sample.length;
    expect(share((graph) => splitsOf(graph).length > 0)).toBeGreaterThan(0.5);
    expect(share((graph) => splitsOf(graph).length > 1)).toBeGreaterThan(0.25);
    expect(share((graph) => splitsOf(graph).some((split) => split.ambiguous.length > 0))).toBeGreaterThan(
      0.02,
    );
    expect(share((graph) => splitsOf(graph).some((split) => split.conflicts.length > 0))).toBeGreaterThan(
      0.02,
    );
    expect(share((graph) => unsetOf(graph).maybeUnset.length > 0)).toBeGreaterThan(0.2);
  });
});
