import fc from "fast-check";
import { expect, test } from "vitest";
import type { Result, RunOptions, StateData } from "../../runtime/graph/contract/contract.js";
import { howMany } from "../how-many.js";
import { runs } from "../property/generators/graphs.js";
import type { RefGraph } from "../reference/graph.js";
import type { Script } from "../reference/script.js";
import { actualOf, answersFor, expectedOf, type Played } from "../runtime/play.js";
import { buildGraph, type Pace } from "../runtime/reference-graph.js";

const RUNS = howMany(600, 80);
const nameOf = (node: number): string => `N${node}`;

/** Plays a script as a debugger does: every visit is held. */
async function playHeld(ref: RefGraph, script: Script, paces: readonly Pace[]) {
  const held: string[] = [];
  const played: Played[] = [];
  const { graph, seen } = buildGraph(ref, script, paces, nameOf);
  const options: RunOptions = {
    ...(script.maxSteps === undefined ? {} : { maxSteps: script.maxSteps }),
    pause: async ({ node }) => {
      held.push(node);
    },
  };
  let result: Result<StateData> = await graph.run({ ...script.initial }, options);
  for (;;) {
    played.push({ result, seen });
    if (result.status !== "suspended") return { played, held };
    const answers = answersFor(result.waiting, script.answers?.[played.length - 1]);
    result = await graph.resume(result.checkpoint, answers, options);
  }
}

test("a run that is held at every visit does what the reference does, and visits in the order of its path", async () => {
  const paces = fc.array(fc.constantFrom<Pace>("sync", "promise", "later"), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(runs({ clean: true, maxSteps: 100 }), paces, async ({ graph, script }, pace) => {
      const expected = expectedOf(graph, script);
      const { played, held } = await playHeld(graph, script, pace);
      fc.pre(!played.some(({ result }) => result.error?.code === "bad_value"));
      expect(actualOf(played, expected)).toEqual(expected);
      const last = played.at(-1)?.result;
      if (played.length === 1 && last?.status === "completed") expect(held).toEqual(last.path);
    }),
    { numRuns: RUNS },
  );
});
