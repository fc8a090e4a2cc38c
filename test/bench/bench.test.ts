import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inCi } from "../how-many.js";

const RUN = fileURLToPath(new URL("run.js", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** It takes half a minute, which only CI is given. */
test.skipIf(!inCi)("every group of `npm run bench` measures something, in its short form", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUN, "--short"], {
    cwd: root,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  const groups = [...readFileSync(RUN, "utf8").matchAll(/^ {2}(\w+)\(\) \{$/gm)].map(([, name]) => name);
  expect(groups.length).toBeGreaterThan(7);
  expect([...stdout.matchAll(/^(\w+): [1-9]\d* measured$/gm)].map(([, name]) => name)).toEqual(groups);
});
