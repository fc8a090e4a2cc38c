import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { inCi } from "./test/how-many.js";
import { LongestFirst } from "./test/longest-first.js";
import { ONLY_IN_CI } from "./test/only-in-ci.js";
import { makeTemporaryRoot } from "./test/temporary.js";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// Set here, since what is made once for all tests is made there, too.
process.env["TMPDIR"] ??= makeTemporaryRoot();

/**
 * These put something in the place of Node's modules, measure the memory of their process, need its DBOS, or run other
 * files anew: each has a process of its own.
 */
const ALONE = [
  "test/config/locked-file.test.ts",
  "test/durable/dbos/carrier.test.ts",
  "test/otel/telemetry.test.ts",
  "test/otel/http.test.ts",
  "test/postgres/http.test.ts",
  "test/storage/faults.test.ts",
  "test/storage/other-systems.test.ts",
  "test/storage/large.test.ts",
  "test/runtime/isolation.test.ts",
];

/** What is named by itself runs everywhere, and goldens are written of all. */
const areAllMeant = inCi || "GOLDEN" in process.env || process.argv.some((arg) => arg.startsWith("test/"));
const LEFT_OUT = areAllMeant ? [] : [...ONLY_IN_CI];

export default defineConfig({
  resolve: {
    // Generated modules import the package by name; in this repository that is the source.
    alias: [
      { find: /^flowsheet$/, replacement: here("runtime/index.ts") },
      { find: /^flowsheet\/graph$/, replacement: here("runtime/graph/index.ts") },
      { find: /^flowsheet\/agents$/, replacement: here("runtime/agents/index.ts") },
      { find: /^flowsheet\/testing$/, replacement: here("runtime/testing/index.ts") },
      { find: /^flowsheet\/compiler$/, replacement: here("compiler/index.ts") },
    ],
  },
  test: {
    projects: [
      // Most share few processes: each would load the compiler, TypeScript and all other packages anew.
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: [...ALONE, ...LEFT_OUT],
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: ALONE, exclude: LEFT_OUT } },
    ],
    // Many tests wait for time to pass or for processes: more workers than cores keep the cores busy.
    maxWorkers: availableParallelism() + 1,
    // Most of what tests make is gone at once: with more room for what is new, less time goes to collecting it.
    execArgv: ["--max-semi-space-size=64"],
    // TypeScript's native compiler is over before it is worth to collect its garbage.
    env: { GOGC: "off" },
    sequence: { sequencer: LongestFirst },
    // No test needs a tenth of this. A machine with other work may be very slow: only what hangs is to fail.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // Thousands of tests with processes, clocks and disks: one that passes at its second try is named at the end.
    retry: inCi ? 1 : 0,
    // What is polled for comes when the machine has time for it.
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ["./test/temporary.ts", "./test/package/packed.ts", "./test/postgres/shared.ts"],
    setupFiles: ["./test/fixed-seed.ts"],
    reporters: ["default", "./test/closing-line.ts"],
  },
});
