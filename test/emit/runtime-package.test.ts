import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const SHEET = `graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt
Door,Count,,bell,Open,Shut,rings:number,times:number,
Door,Open,,echo,,,times,reply,Open after {times}
Door,Shut,,echo,,,error,reply,Shut: {error}
`;
const agent = (from: string): string => `import { defineAgent, fail } from "${from}";
export const bell = defineAgent(({ rings }: { readonly rings: number }) => (rings > 2 ? rings : fail("too few")));
`;
const project = (config: string, from: string): string =>
  createFolder({ "flowsheet.yaml": config, "workflows/door.csv": SHEET, "agents/bell.ts": agent(from) });
const SMALL = "generated_import: flowsheet-runtime\n";

test("generated_import names the package that modules import; types and both ways to run know it", async () => {
  const cwd = project(SMALL, "flowsheet-runtime");
  expect(await flowsheet(["compile", "--types"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  const text = readFileSync(join(cwd, "generated/door.gen.ts"), "utf8");
  expect(text.match(/from "[^.][^"]*"/g)).toEqual([
    'from "flowsheet-runtime/agents"',
    'from "flowsheet-runtime/graph"',
  ]);
  expect((await flowsheet(["compile", "--check"], { cwd })).code).toBe(0);
  for (const how of [[], ["--generated"]])
    for (const [rings, reply] of [
      ["3", "Open after 3"],
      ["1", "Shut: too few"],
    ]) {
      const { code, stdout } = await flowsheet(["run", "--input", `rings=${rings}`, "--quiet", ...how], {
        cwd,
      });
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { reply }]);
    }
});

test("what does not fit an agent is told at its cell there, too", async () => {
  const cwd = project(SMALL, "flowsheet-runtime");
  const typed = agent("flowsheet-runtime")
    .replace("rings: number", "rings: string")
    .replace("rings > 2", 'rings > "2"');
  const misfit = createFolder({
    "flowsheet.yaml": SMALL,
    "workflows/door.csv": SHEET,
    "agents/bell.ts": typed,
  });
  const { code, stdout, stderr } = await flowsheet(["compile", "--types"], { cwd: misfit });
  expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/door\.csv:2:/)]);
  expect((await flowsheet(["validate", "--types"], { cwd })).code).toBe(0);
});

test("agents that import the whole package are warned of, and those that take its types alone are not", async () => {
  const { code, stderr } = await flowsheet(["compile"], { cwd: project(SMALL, "flowsheet") });
  expect([code, stderr]).toEqual([0, expect.stringContaining('warning: agents/bell.ts imports "flowsheet"')]);
  const typesOnly = createFolder({
    "flowsheet.yaml": SMALL,
    "workflows/door.csv": SHEET,
    "agents/bell.ts":
      'import type { Failure } from "flowsheet";\nexport const bell = (): number => 1;\nexport type F = Failure;\n',
  });
  expect((await flowsheet(["compile"], { cwd: typesOnly })).stderr).not.toContain("warning");
});

test("another name is refused with its place", async () => {
  const { code, stderr } = await flowsheet(["compile"], {
    cwd: project("generated_import: lodash\n", "flowsheet"),
  });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("flowsheet.yaml:1:19: generated_import must be flowsheet or flowsheet-runtime"),
  ]);
});

test("scaffold writes agents that import it", async () => {
  const cwd = createFolder({ "flowsheet.yaml": SMALL, "workflows/door.csv": SHEET });
  expect((await flowsheet(["scaffold", "--csv", "workflows/door.csv"], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, "agents/bell.ts"), "utf8")).toContain('from "flowsheet-runtime"');
});
