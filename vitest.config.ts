import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** These put something in the place of Node's modules, or measure the memory of their process: each has one of its own. */
const ALONE = [
  "test/config/locked-file.test.ts",
  "test/storage/faults.test.ts",
  "test/storage/other-systems.test.ts",
  "test/storage/large.test.ts",
  "test/runtime/isolation.test.ts",
];

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
        test: { name: "shared", include: ["test/**/*.test.ts"], exclude: ALONE, isolate: false },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
    // Many tests wait for processes of their own: a spare core would only wait with them.
    maxWorkers: "100%",
    // No test needs a tenth of this. A machine with other work may be very slow: only what hangs is to fail.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    reporters: ["default", "./test/closing-line.ts"],
  },
});
