import fc from "fast-check";
import { expect, test } from "vitest";
import { fitOf, type Recorded } from "../../runtime/durable/edits/fits.js";
import type { Json, StateData } from "../../runtime/graph/contract/contract.js";
import { howMany } from "../how-many.js";
import { answer, type Kept, nothingKept, openLeg } from "../runtime/memory-ops.js";
import { answersFor } from "../runtime/play.js";
import { buildGraph, type Pace } from "../runtime/reference-graph.js";
import { runs } from "./generators/graphs.js";

const RUNS = howMany(200, 30);
const PATIENCE_MS = 600_000;
const paces = fc.array(fc.constantFrom<Pace>("sync", "promise", "later"), { minLength: 1, maxLength: 4 });

/** What is kept of a run, as a store would give it. */
function recordedOf(given: StateData, kept: Kept): Recorded {
  const steps = kept.steps.map(({ key: _, ...step }, index) => ({
    ...step,
    seen: step.seen as unknown as Json,
    seq: index + 1,
    worked: 0,
  }));
  const row = {
    seq: 0,
    spec: {},
    about: null,
    opened: 0,
    remindAt: null,
    escalateAt: null,
    answeredBy: null,
  };
  const waiting = (node: string) => ({ node, prompt: "", field: null, options: null, type: null });
  const ended = [...kept.ends].map(([id, ending]) => ({
    ...{ ...row, id, waiting: waiting(id.split("|", 1)[0]!), until: null, endedAt: 1 },
    ending: ending.kind === "answer" ? { kind: "answer", answer: ending.answer } : { kind: "over" },
  }));
  const open = [...kept.open].map(([id, { node, until }]) => ({
    ...{ ...row, id, waiting: waiting(node), until, endedAt: null, ending: null },
  }));
  const waits = [...ended, ...open] as unknown as Recorded["waits"];
  return { run: { runId: "r", given, options: {} }, steps, waits };
}

test(
  "a run fits the graph that it began with, wherever it waits, and wherever its worker died",
  async () => {
    let [checked, stopped] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        runs({ clean: true, maxSteps: 60 }),
        paces,
        fc.integer({ min: 1, max: 6 }),
        async (play, pace, life) => {
          const { graph: ref, script } = play;
          const build = () => buildGraph(ref, script, pace, (node) => `N${node}`).graph;
          const check = async (kept: Kept): Promise<void> => {
            const fit = await fitOf(build(), recordedOf({ ...script.initial } as StateData, kept));
            checked += 1;
            // A run that fails in its next moment fits no graph.
            if (!fit.fits && fit.why.startsWith("it would fail")) stopped += 1;
            else expect(fit).toEqual({ fits: true, reworded: [] });
          };
          const kept = nothingKept();
          for (let leg = 0; leg < 8; leg++) {
            let left = life;
            const { ops, close } = openLeg(kept, {
              before: () => {
                if (left-- <= 0) throw new Error("KILLED");
              },
            });
            const options = { ops, ...(script.maxSteps === undefined ? {} : { maxSteps: script.maxSteps }) };
            const result = await build()
              .run({ ...script.initial }, options)
              .catch(() => null);
            close();
            await new Promise((turn) => setImmediate(turn));
            if (result !== null && result.status !== "suspended") return;
            await check(kept);
            if (result !== null) answer(kept, answersFor(result.waiting, script.answers?.[leg]));
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(checked).toBeGreaterThan(RUNS / 3);
    expect(stopped).toBeLessThan(checked / 4);
  },
  PATIENCE_MS,
);
