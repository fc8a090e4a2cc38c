import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { flagsOf } from "../../cli/process/optimizing.js";

test("only flags that this V8 knows are set", () => {
  const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  for (const flag of flagsOf(process.versions.v8)) expect(known).toContain(` ${flag.split("=")[0]} `);
});

test.each([
  ["Node 20", "11.3.244.8-node.38", 2],
  ["Node 22", "12.4.254.21-node.57", 0],
  ["Node 24", "13.6.233.17-node.53", 0],
])("%s, of V8 %s, gets %d of them", (_node, v8, count) => {
  expect(flagsOf(v8)).toHaveLength(count);
});
