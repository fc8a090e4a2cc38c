import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NAMES, type Names, unknownSettings } from "../../runtime/config/known-settings.js";
import { configurationSchema } from "../../runtime/config/schema.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

type Schema = { readonly [name: string]: unknown };
const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** The names of a schema, as the table has them. */
function namesOf(schema: unknown): Names | null {
  if (!isSchema(schema)) return null;
  const { def, shape } = schema;
  if (isSchema(shape))
    return Object.fromEntries(Object.entries(shape).map(([name, one]) => [name, namesOf(one)]));
  if (isSchema(def) && "innerType" in def) return namesOf(def["innerType"]);
  // A schema behind a preparation of the value.
  if (isSchema(def) && isSchema(def["out"]) && def["type"] === "pipe") {
    const names = namesOf(def["out"]);
    if (names !== null) return names;
  }
  const value = isSchema(def) ? def["valueType"] : undefined;
  return isSchema(value) && isSchema(value["shape"]) ? { "*": namesOf(value) } : null;
}

test("the table of settings has the names of the schema", () => {
  // In its order, too: messages list them.
  expect(JSON.stringify(NAMES)).toBe(JSON.stringify(namesOf(configurationSchema)));
});

test.each([
  [
    "exeuction: {max_steps: 1}\n",
    'flowsheet.yaml:1:1: the configuration has no setting "exeuction": did you mean execution?',
  ],
  [
    "execution:\n  max_step: 1\n",
    'flowsheet.yaml:2:3: execution has no setting "max_step": did you mean max_steps?',
  ],
  [
    "server: {rate_limit: {request: 1}}\n",
    'server.rate_limit has no setting "request": did you mean requests?',
  ],
  ["llm: {providers: {x: {kind: mock, answer: {}}}}\n", 'llm.providers.x has no setting "answer"'],
  [
    "logging: {loggers: {flowsheet.run: {levels: INFO}}}\n",
    'logging.loggers.flowsheet.run has no setting "levels"',
  ],
  ["authentication: {jwt: {secrets: x}}\n", 'authentication.jwt has no setting "secrets"'],
])("what nothing reads is told when a run starts: %j", async (config, message) => {
  const cwd = createFolder({
    "flowsheet.yaml": config,
    "workflows/a.csv": "graph_name,node_name,agent_type,output_field,prompt\nA,B,echo,c,d\n",
  });
  for (const verb of ["run", "validate"]) {
    const { code, stderr } = await flowsheet([verb], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining("warning: flowsheet.yaml:")]);
    expect(stderr).toContain(message);
  }
  expect((await flowsheet(["run", "--quiet"], { cwd })).stderr).toBe("");
});

test("names that the user chooses are no settings", () => {
  const file = join(createFolder(), "flowsheet.yaml");
  writeFileSync(file, "");
  const data = {
    llm: { providers: { anything: { kind: "mock", answers: { hello: "there" } } } },
    authentication: { api_keys: { mine: { whatever: 1 } }, supabase: { role_mapping: { boss: [] } } },
    server: null,
    execution: [],
    workflows: { toString: 1 },
  };
  expect(unknownSettings(file, data)).toEqual([]);
});
