import fc from "fast-check";
import { expect, test } from "vitest";
import type {
  Answers,
  Checkpoint,
  Ops,
  Result,
  StateData,
  WaitingFor,
} from "../../runtime/graph/contract/contract.js";
import { howMany } from "../how-many.js";
import type { RefGraph } from "../reference/graph.js";
import type { Script } from "../reference/script.js";
import { answer, type Kept, nothingKept, openLeg } from "../runtime/memory-ops.js";
import { actualOf, answersFor, expectedOf, type Played, playScript } from "../runtime/play.js";
import { buildGraph, type Pace } from "../runtime/reference-graph.js";
import { pause } from "../runtime/tiny.js";
import { numbersFrom, paces, seeds } from "./generators/deaths.js";
import { runs } from "./generators/graphs.js";
import { type Drawn, isAnswered, lists, mixedGraph, mixedGraphs } from "./generators/mixed-graph.js";

const RUNS = howMany(600, 60);
const MIXED = Math.ceil(RUNS / 4);
const PATIENCE_MS = 600_000;

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

/** The worker died before the end was kept: the next one must come to the same end, failure by failure. */
async function replaysAlike(
  { status, state, error }: Result<StateData>,
  kept: Kept,
  run: (ops: Ops) => Promise<Result<StateData>>,
): Promise<void> {
  const leg = openLeg(kept);
  const again = await run(leg.ops);
  // A limit of steps is no record. Beside the failure of another branch, which of the two is told is not promised.
  const isLimit = [error, again.error].some((told) => told?.code === "step_limit");
  expect(again).toMatchObject(isLimit ? { status } : { status, state, error });
  leg.close();
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
    if (result.status !== "suspended") {
      const { graph } = buildGraph(ref, script, pace, (node) => `N${node}`);
      await replaysAlike(result, kept, (ops) => graph.run({ ...script.initial }, { ...options, ops }));
      return played;
    }
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

async function playMixed(drawn: readonly Drawn[]): Promise<Result<StateData> | null> {
  const answersTo = createPerson();
  let result = await mixedGraph(drawn).run(lists());
  for (let rounds = 0; result.status === "suspended"; rounds++) {
    if (rounds === ROUNDS) return null;
    await pause(2);
    const checkpoint = JSON.parse(JSON.stringify(result.checkpoint)) as Checkpoint;
    result = await mixedGraph(drawn).resume(checkpoint, answersTo(result.waiting));
  }
  return result;
}

async function playMixedDurably(drawn: readonly Drawn[], random: () => number): Promise<Result<StateData>> {
  const kept = nothingKept();
  const answersTo = createPerson();
  for (;;) {
    const result = await survive(async () => {
      const leg = mortalLeg(kept, random);
      try {
        return await mixedGraph(drawn).run(lists(), { ops: leg.ops });
      } finally {
        leg.close();
      }
    });
    if (result.status !== "suspended") {
      await replaysAlike(result, kept, (ops) => mixedGraph(drawn).run(lists(), { ops }));
      return result;
    }
    await pause(2);
    answer(kept, answersTo(result.waiting));
  }
}

const ROUNDS = 40;

/** A person who answers a node for the second time says something else. */
function createPerson(): (waiting: readonly WaitingFor[]) => Answers {
  const asked = new Set<string>();
  return (waiting) =>
    Object.fromEntries(
      waiting.flatMap(({ node }) => {
        if (!isAnswered(node)) return [];
        const answer = asked.has(node) ? "another" : "first";
        asked.add(node);
        return [[node, answer]];
      }),
    );
}

const endOf = ({ status, state, path, error, steps }: Result<StateData>): object => ({
  status,
  state,
  error,
  // What a stopped branch or item had done by then depends on the clock.
  ...(status === "completed" ? { path, steps } : {}),
});

test(
  "so does one with time-outs, retries, loops over lists, graphs inside, overdue waits and conversations",
  async () => {
    const outcomes = { completed: 0, failed: 0 };
    await fc.assert(
      fc.asyncProperty(mixedGraphs, seeds, async (drawn, seed) => {
        const inMemory = await playMixed(drawn);
        fc.pre(inMemory !== null);
        const durable = await playMixedDurably(drawn, numbersFrom(seed));
        expect(endOf(durable)).toEqual(endOf(inMemory!));
        outcomes[durable.status as "completed" | "failed"] += 1;
      }),
      { numRuns: MIXED },
    );
    expect(outcomes.completed).toBeGreaterThan(MIXED / 4);
    expect(outcomes.failed).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
