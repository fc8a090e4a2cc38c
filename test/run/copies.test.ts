import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { sheetOf } from "./sheets.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const AGENTS = `import { Agent, AgentError, fail } from "flowsheet";
export class Refuse extends Agent {
  process() { return fail("no"); }
}
export class Break extends Agent {
  process() { throw new AgentError("provider_failed", "the provider is gone"); }
}`;

/** The command line is one copy of the package, and what a project's agents import is another one. */
test("agents that import the package from the project signal failure and say why they failed", async () => {
  const cwd = createFolder({
    "package.json": '{ "type": "module" }',
    "agents/mine.js": AGENTS,
    "a.csv": sheetOf("A,One,,refuse,,Two,,", "A,Two,,break,,,,"),
  });
  mkdirSync(join(cwd, "node_modules"));
  symlinkSync(ROOT, join(cwd, "node_modules/flowsheet"));
  const { code, stdout } = await flowsheet(["run", "a.csv", "--json"], { cwd });
  const { path, state, error } = JSON.parse(stdout) as Record<string, unknown>;
  expect({ code, path, state, error }).toMatchObject({
    code: 1,
    path: ["One", "Two"],
    state: { error: "no" },
    error: { code: "provider_failed", message: "the provider is gone", node: "Two" },
  });
});
