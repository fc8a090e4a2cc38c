import fc from "fast-check";
import { expect, test } from "vitest";
import { howMany } from "../how-many.js";
import type { RefGraph } from "../reference/graph.js";
import type { Script } from "../reference/script.js";
import { answer, type Kept, nothingKept, openLeg } from "../runtime/memory-ops.js";
import { actualOf, answersFor, expectedOf, type Played, playScript } from "../runtime/play.js";
import { buildGraph, type Pace } from "../runtime/reference-graph.js";
import { runs } from "./generators/graphs.js";

const RUNS = howMany(3_000, 300);
const PATIENCE_MS = 600_000;

const paces = fc.array(fc.constantFrom<Pace>("sync", "promise", "thenable", "later"), {
  minLength: 1,
  maxLength: 4,
});
const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

/** Numbers from 0 to 1 that depend on the seed alone. */
function numbersFrom(seed: number): () => number {
  let last = seed;
  return () => {
    last = (Math.imul(last, 1664525) + 1013904223) >>> 0;
    return last / 2 ** 32;
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What happened in all plays, so that a generator that has become tame is noticed. */
const tally = { deaths: 0, legs: 0, replayed: 0 };

/** A leg whose worker may die at one of its next records. */
function mortalLeg(kept: Kept, random: () => number): ReturnType<typeof openLeg> {
  let left = random() < 0.7 ? 1 + Math.floor(random() * 4) : Number.POSITIVE_INFINITY;
  tally.replayed += kept.steps.length;
  return openLeg(kept, {
    before: async () => {
      if (random() < 0.3) await turn();
      if (left-- <= 0) throw new Error("KILLED");
    },
  });
}

async function survive<T>(leg: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await leg();
    } catch (thrown) {
      if (!(thrown instanceof Error) || thrown.message !== "KILLED") throw thrown;
      tally.deaths += 1;
      // What was at work in the dead process comes to its end unheard.
      await turn();
    }
  }
}

async function playDurably(
  ref: RefGraph,
  script: Script,
  { pace, random }: { readonly pace: readonly Pace[]; readonly random: () => number },
): Promise<readonly Played[]> {
  const kept = nothingKept();
  const played: Played[] = [];
  const options = script.maxSteps === undefined ? {} : { maxSteps: script.maxSteps };
  for (;;) {
    const result = await survive(async () => {
      const { graph } = buildGraph(ref, script, pace, (node) => `N${node}`);
      const leg = mortalLeg(kept, random);
      try {
        return await graph.run({ ...script.initial }, { ...options, ops: leg.ops });
      } finally {
        leg.close();
      }
    });
    tally.legs += 1;
    played.push({ result, seen: [] });
    if (result.status !== "suspended") return played;
    answer(kept, answersFor(result.waiting, script.answers?.[played.length - 1]));
  }
}

test(
  "a run whose workers die at random records ends as in memory, and as the reference says",
  async () => {
    const plays = runs({ clean: true, maxSteps: 100 });
    await fc.assert(
      fc.asyncProperty(plays, paces, seeds, async ({ graph, script }, pace, seed) => {
        const expected = expectedOf(graph, script);
        const inMemory = await playScript(graph, script, pace);
        fc.pre(inMemory.every(({ result }) => result.error?.code !== "bad_value"));
        const durable = await playDurably(graph, script, { pace, random: numbersFrom(seed) });
        expect(actualOf(durable, expected)).toEqual(expected);
        expect(actualOf(durable, expected)).toEqual(actualOf(inMemory, expected));
        const [last, other] = [durable.at(-1)!.result, inMemory.at(-1)!.result];
        if (last.status === "completed") expect(last.steps).toBe(other.steps);
      }),
      { numRuns: RUNS },
    );
    expect(tally.deaths).toBeGreaterThan(RUNS / 3);
    expect(tally.replayed).toBeGreaterThan(RUNS);
  },
  PATIENCE_MS,
);
