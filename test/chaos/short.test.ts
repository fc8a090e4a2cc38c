import { expect, test } from "vitest";
import { inCi } from "../how-many.js";
import { bundleProgram } from "./bundle.js";
import { mostCalledTwice, runTrial, type Trial } from "./matrix.js";
import { samplePlays } from "./sample.js";

type Case = Pick<Trial, "disturbance" | "disturbances"> & { readonly isApart?: true; readonly name: string };

/** The long form is `npm run chaos`. */
const RUNS = inCi ? 100 : 40;
const SHORT: Case = { name: "SIGKILL", disturbance: "SIGKILL", disturbances: 6 };
const CASES: readonly Case[] = inCi
  ? [
      { ...SHORT, disturbances: 15 },
      { name: "SIGSTOP", disturbance: "SIGSTOP", disturbances: 2 },
      { name: "SIGSTOP where workers are apart", disturbance: "SIGSTOP", disturbances: 4, isApart: true },
      { name: "SIGTERM", disturbance: "SIGTERM", disturbances: 5 },
    ]
  : [SHORT];

test.each(CASES)(
  "runs over three processes survive $name: nothing is lost, wrong or recorded twice",
  async (disturbed) => {
    const plays = samplePlays(80);
    const worker = await bundleProgram(process.cwd(), "worker");
    const trial: Trial = { worker, plays, runs: RUNS, workers: 3, patienceMs: 200_000, ...disturbed };
    const report = await runTrial(trial);
    const { lost, wrong, recordedTwice, calls, calledTwice, recoveries } = report;
    expect({ lost, wrong, recordedTwice }).toEqual({ lost: [], wrong: [], recordedTwice: 0 });
    expect(calls).toBeGreaterThan(RUNS);
    // Where only beats tell, a busy machine takes slow workers for dead ones, and what they did is done again.
    if (disturbed.isApart === true) expect(recoveries).toBeGreaterThan(0);
    else expect(calledTwice).toBeLessThanOrEqual(mostCalledTwice(report));
  },
);
