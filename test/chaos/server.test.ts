import { afterAll, beforeAll, expect, test } from "vitest";
import { inCi } from "../how-many.js";
import { HAS_POSTGRES } from "../postgres/asked.js";
import { type PostgresServer, startServer } from "../postgres/server.js";
import { bundleProgram } from "./bundle.js";
import { runTrial, type Trial } from "./matrix.js";
import { samplePlays } from "./sample.js";

type Case = Pick<Trial, "disturbance" | "disturbances" | "restarts" | "runs"> & { readonly name: string };

/** The long form is `npm run chaos`. */
const CASES: readonly Case[] = inCi
  ? [
      { name: "SIGKILL", disturbance: "SIGKILL", disturbances: 10, runs: 80 },
      { name: "SIGKILL and restarts", disturbance: "SIGKILL", disturbances: 4, runs: 60, restarts: 2 },
      { name: "SIGSTOP", disturbance: "SIGSTOP", disturbances: 4, runs: 40 },
    ]
  : [{ name: "SIGKILL and a restart", disturbance: "SIGKILL", disturbances: 4, runs: 30, restarts: 1 }];

let server: PostgresServer;
beforeAll(async () => {
  if (HAS_POSTGRES) server = await startServer();
});
afterAll(() => server?.remove());

test.skipIf(!HAS_POSTGRES).each(CASES)(
  "runs over three machines survive $name: nothing is lost, wrong or recorded twice",
  async (disturbed) => {
    const plays = samplePlays(80);
    const worker = await bundleProgram(process.cwd(), "worker");
    const trial = { worker, plays, server, isApart: true, workers: 3, patienceMs: 200_000 };
    const report = await runTrial({ ...trial, ...disturbed });
    const { lost, wrong, recordedTwice, calls } = report;
    expect({ lost, wrong, recordedTwice }).toEqual({ lost: [], wrong: [], recordedTwice: 0 });
    expect(calls).toBeGreaterThan(disturbed.runs);
    if (disturbed.restarts !== undefined) expect(report.restarts).toBeGreaterThan(0);
  },
);
