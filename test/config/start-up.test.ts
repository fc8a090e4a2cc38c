import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Flowsheet } from "../../runtime/flowsheet.js";
import { createRouter } from "../../runtime/http/index.js";
import { createFlowsheetServer } from "../../runtime/http/server.js";
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

test("what the configuration refers to is looked for in the environment that is given", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: env:GIVEN_SHEETS\nruns: {store: env:GIVEN_STORE}\n",
    "sheets/a.csv": CLEAN,
  });
  const env = { GIVEN_SHEETS: "sheets", GIVEN_STORE: "sqlite" };
  const { project } = new Flowsheet({ cwd, env });
  expect([project.workflows, project.keeping.store]).toEqual([join(cwd, "sheets"), "sqlite"]);
  expect(() => createRouter({ cwd, env, console: () => {} })).not.toThrow();
  const options = { cwd, config: null, env, console: () => {}, host: "127.0.0.1", port: 0 };
  const server = await createFlowsheetServer(options).listen();
  onTestFinished(() => server.stop(0));
  // The environment of this process knows neither.
  expect(() => new Flowsheet({ cwd })).toThrow("workflows refers to env:GIVEN_SHEETS, which is not set");
});
