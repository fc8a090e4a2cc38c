import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

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
    include: ["test/**/*.test.ts"],
    // Many tests wait for processes of their own: a spare core would only wait with them.
    maxWorkers: "100%",
    // No test needs a tenth of this. A machine with other work may be very slow: only what hangs is to fail.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    reporters: ["default", "./test/closing-line.ts"],
  },
});
