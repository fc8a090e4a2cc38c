import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { howMany } from "../how-many.js";
import { firstSeed } from "../seed.js";

const here = (path: string): string => join(import.meta.dirname, path);
const folder = mkdtempSync(join(tmpdir(), "flowsheet-mutated-"));
const script = join(folder, "measure.mjs");

beforeAll(() =>
  build({
    entryPoints: [here("mutate/measure.ts")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));

interface Measured {
  readonly read: number;
  readonly refused: number;
  /** Milliseconds of processor time of the slowest one. */
  readonly slowest: number;
  readonly slowestRound: number;
  /** Megabytes by which the process grew at its largest, over all of its workbooks. */
  readonly memory: number;
}

/** In a process of its own: what else a test does would count as time and memory of the workbooks. */
async function measure(from: number, to: number): Promise<Measured> {
  const range = [firstSeed, from, to].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--expose-gc",
    script,
    here("written"),
    ...range,
  ]);
  return JSON.parse(stdout) as Measured;
}

const ROUNDS = howMany(20_000, 200, "MUTATED_WORKBOOKS");
const BATCH = 5_000;

test(`${ROUNDS.toLocaleString("en-US")} mutated workbooks: values or our own errors, each within 2 s and 200 MB`, {
  timeout: 300_000 + 200 * ROUNDS,
}, async () => {
  for (let from = 0; from < ROUNDS; from += BATCH) {
    const { read, refused, ...cost } = await measure(from, Math.min(ROUNDS, from + BATCH));
    expect(cost.slowest, `round ${cost.slowestRound}`).toBeLessThan(2_000);
    expect(cost.memory).toBeLessThan(200);
    expect(Math.min(read, refused)).toBeGreaterThan(0);
  }
});
