import fc from "fast-check";
import { expect, test } from "vitest";
import { howMany } from "../how-many.js";
import { simulate } from "../reference/run.js";
import { actualOf, expectedOf, type Played, playScript } from "../runtime/play.js";
import type { Pace } from "../runtime/reference-graph.js";
import { runs } from "./generators/graphs.js";

/** Graphs in all: three of four show what a run does, one what its visits see. The environment may ask for others. */
const RUNS = howMany(10_000, 200);
/** They take half a minute; a machine with other work may need long for that. */
const PATIENCE_MS = 600_000;

const paces = fc.array(fc.constantFrom<Pace>("sync", "promise", "thenable", "later"), {
  minLength: 1,
  maxLength: 4,
});
const bySize = (a: object, b: object): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** The sum of what an inner split appended is no number: the driver refuses, the reference does not care. */
const sumsLists = (played: readonly Played[]): boolean =>
  played.some(({ result }) => result.error?.code === "bad_value");

test(
  "the driver does what the reference does, with splits, loops, failures, waits and resumes",
  async () => {
    const plays = runs({ clean: true, maxSteps: 100 });
    await fc.assert(
      fc.asyncProperty(plays, paces, async ({ graph, script }, pace) => {
        const expected = expectedOf(graph, script);
        const played = await playScript(graph, script, pace);
        fc.pre(!sumsLists(played));
        expect(actualOf(played, expected)).toEqual(expected);
      }),
      { numRuns: Math.ceil(RUNS * 0.75) },
    );
  },
  PATIENCE_MS,
);

test(
  "every visit sees exactly what was set when its branch came there",
  async () => {
    const plays = runs({ clean: true, maxSteps: 100, throws: 0 });
    await fc.assert(
      fc.asyncProperty(plays, paces, async ({ graph, script }, pace) => {
        const results = simulate(graph, script);
        const last = results.at(-1);
        fc.pre(last !== undefined && last.status === "completed");
        const played = await playScript(graph, script, pace);
        fc.pre(!sumsLists(played));
        const seen = played.flatMap((leg) => leg.seen);
        expect([...seen].sort(bySize)).toEqual([...(last?.visits ?? [])].sort(bySize));
      }),
      { numRuns: Math.ceil(RUNS * 0.25) },
    );
  },
  PATIENCE_MS,
);
