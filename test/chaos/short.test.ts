import { expect, test } from "vitest";
import { inCi } from "../how-many.js";
import { bundleProgram } from "./bundle.js";
import { type Disturbance, runTrial } from "./matrix.js";
import { samplePlays } from "./sample.js";

/** The long form is `npm run chaos`. */
const RUNS = inCi ? 100 : 40;
const DISTURBANCES: readonly (readonly [Disturbance, number])[] = inCi
  ? [
      ["SIGKILL", 15],
      ["SIGSTOP", 2],
      ["SIGTERM", 5],
    ]
  : [["SIGKILL", 6]];

test.each(DISTURBANCES)(
  "runs over three processes survive %s: nothing is lost, wrong or recorded twice",
  async (disturbance, disturbances) => {
    const plays = samplePlays(80);
    const worker = await bundleProgram(process.cwd(), "worker");
    const workers = 3;
    const trial = { worker, disturbance, workers, disturbances, plays, runs: RUNS, patienceMs: 200_000 };
    const { lost, wrong, recordedTwice, calls, calledTwice } = await runTrial(trial);
    expect({ lost, wrong, recordedTwice }).toEqual({ lost: [], wrong: [], recordedTwice: 0 });
    expect(calls).toBeGreaterThan(RUNS);
    // At each disturbance the calls at work are repeated, and no others: 10 runs a worker, at most 5 calls each.
    expect(calledTwice).toBeLessThanOrEqual(disturbances * 10 * 5);
  },
);
