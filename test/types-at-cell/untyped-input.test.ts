import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const SHEET = `graph_name,node_name,next_node,agent_type,input_fields,output_field
S,A,B,adder,first|other=second|title|how,total
S,B,,adder,first|other=third:number|title|how,more
`;
const AGENTS = `import { defineAgent } from "flowsheet";
interface Inputs { first: number; other: number; title: string; how: "fast" | "slow" }
export const adder = defineAgent(({ first, other }: Inputs) => ({ total: first + other, more: first + other }));
`;

test("what an agent declares and the sheet does not say is proposed, and written with --fix", {
  timeout: 60_000,
}, async () => {
  const cwd = createFolder({ "s.csv": SHEET, "agents/all.ts": AGENTS });
  const said = await flowsheet(["validate", "--types", "s.csv"], { cwd });
  expect(said.code).toBe(0);
  expect(said.stdout.match(/untyped-input/g)).toHaveLength(3);
  expect(said.stdout).toContain('"adder" takes "first" as number');
  const given = ["first=3", "second=4", "third=5", "title=7", "how=fast"].flatMap((pair) => [
    "--input",
    pair,
  ]);
  const mended = await flowsheet(["validate", "--types", "--fix", "s.csv"], { cwd });
  expect(mended.code).toBe(0);
  expect(mended.stdout).not.toContain("untyped-input");
  expect(readFileSync(join(cwd, "s.csv"), "utf8").split("\n")[1]).toBe(
    "S,A,B,adder,first:number|other=second:number|title|how:'fast'/'slow',total",
  );
  const run = await flowsheet(["run", "s.csv", ...given, "--quiet"], { cwd });
  expect(JSON.parse(run.stdout)).toMatchObject({ total: 7, more: 8, title: "7", how: "fast" });
});

test("a generated module reads text as what agents declare, or refuses it", { timeout: 60_000 }, async () => {
  const agents = `import { Agent } from "flowsheet";
export class AdderAgent extends Agent<{ first: number; second: number }, { sum: number }> {
  process({ first, second }: { first: number; second: number }) { return { sum: first + second }; }
}
`;
  const sheet = "graph_name,node_name,agent_type,input_fields,output_field\nS,A,adder,first|second,sum\n";
  const cwd = createFolder({ "s.csv": sheet, "agents/all.ts": agents });
  expect((await flowsheet(["compile", "s.csv"], { cwd })).code).toBe(0);
  const run = (...given: readonly string[]) =>
    flowsheet(["run", "s.csv", "--generated", "--quiet", ...given], { cwd });
  const sum = await run("--input", "first=3", "--input", "second=45");
  expect(JSON.parse(sum.stdout)).toEqual({ first: 3, second: 45, sum: 48 });
  const refused = await run("--input", "first=abc", "--state", '{"second": "45"}');
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain('input "first" must be number, not "abc"');
  expect(refused.stderr).toContain('input "second" must be number, not "45"');
});

test("an input of any type is not proposed to be an object", { timeout: 60_000 }, async () => {
  const agents = `import { defineAgent } from "flowsheet";
export const keep = defineAgent((i: { a?: unknown; b: any; c: {} }) => [i.a, i.b, i.c]);
`;
  const sheet = "graph_name,node_name,agent_type,input_fields,output_field\nS,A,keep,a|b|c,kept\n";
  const cwd = createFolder({ "s.csv": sheet, "agents/all.ts": agents });
  const said = await flowsheet(["validate", "--types", "s.csv"], { cwd });
  expect(said.stdout).not.toContain("untyped-input");
});
