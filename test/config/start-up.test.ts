import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { CLEAN } from "../cli/sheets.js";
import { TRACING } from "../cli/tracing.js";

test("a sheet is read with a configuration, and without its schema", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: .\nexecution: {max_steps: env:STEPS:5}\n",
    "a.csv": CLEAN,
  });
  const loaded = async (...args: readonly string[]): Promise<string> =>
    (await flowsheetProcess(args, { cwd, node: TRACING })).stderr;
  const sheet = await loaded("validate", "a.csv");
  expect(sheet).not.toMatch(/node_modules\/(zod|jose|proper-lockfile|express)\//);
  expect(await loaded("validate", "--section", "server")).toMatch(/node_modules\/zod\//);
});
