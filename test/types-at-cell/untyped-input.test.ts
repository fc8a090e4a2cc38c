import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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

const given = (first: string): readonly string[] =>
  [`first=${first}`, "second=4", "third=5", "title=7", "how=FAST"].flatMap((pair) => ["--input", pair]);

describe("what an agent declares and the sheet does not say", () => {
  test("is proposed, and written with --fix", async () => {
    const cwd = createFolder({ "s.csv": SHEET, "agents/all.ts": AGENTS });
    const said = await flowsheet(["validate", "--types", "s.csv"], { cwd });
    expect(said.code).toBe(0);
    expect(said.stdout.match(/untyped-input/g)).toHaveLength(3);
    expect(said.stdout).toContain('"adder" takes "first" as number');
    const mended = await flowsheet(["validate", "--types", "--fix", "s.csv"], { cwd });
    expect(mended.code).toBe(0);
    expect(mended.stdout).not.toContain("untyped-input");
    expect(readFileSync(join(cwd, "s.csv"), "utf8").split("\n")[1]).toBe(
      "S,A,B,adder,first:number|other=second:number|title|how:'fast'/'slow',total",
    );
    const run = await flowsheet(["run", "s.csv", ...given("3"), "--quiet"], { cwd });
    expect(JSON.parse(run.stdout)).toMatchObject({ total: 7, more: 8, title: "7", how: "fast" });
  });

  test("is told by compile, and kept by the module", async () => {
    const cwd = createFolder({ "s.csv": SHEET, "agents/all.ts": AGENTS });
    const compiled = await flowsheet(["compile"], { cwd });
    expect(compiled.code).toBe(0);
    expect(compiled.stderr.match(/untyped-input/g)).toHaveLength(3);
    expect(compiled.stderr).toContain("s.csv:2:13");
    const again = await flowsheet(["compile", "--check", "--quiet"], { cwd });
    expect(again).toMatchObject({ code: 0, stderr: "" });
    const run = (first: string, ...more: readonly string[]): ReturnType<typeof flowsheet> =>
      flowsheet(["run", "s.csv", ...more, ...given(first), "--quiet"], { cwd });
    expect(JSON.parse((await run("3", "--generated")).stdout)).toMatchObject({
      total: 7,
      more: 8,
      title: "7",
    });
    const refused = await run("three", "--generated");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('input "first" must be number, not "three"');
    // The sheet alone does not know it.
    expect(JSON.parse((await run("3")).stdout)).toMatchObject({ total: "34" });
  });

  test.each([
    ["declared as text", "{ n: string }"],
    ["anything", "{ n: unknown }"],
    ["what no sheet can name", "{ n: number | string }"],
    ["null as well, which an annotation would refuse", "{ n: number | null }"],
    ["of two minds", "{ n: number }", "{ n: boolean }"],
    ["anything but nothing", "{ n: {} }"],
  ])("nothing is said of an input: %s", async (_, one, other = one) => {
    const agents = [one, other].map(
      (type, index) => `export const a${index} = defineAgent(({ n }: ${type}) => ({ x: String(n) }));`,
    );
    const cwd = createFolder({
      "s.csv":
        "graph_name,node_name,next_node,agent_type,input_fields,output_field\nS,A,B,a0,n,x\nS,B,,a1,n,y=x\n",
      "agents/all.ts": `import { defineAgent } from "flowsheet";\n${agents.join("\n")}\n`,
    });
    const { code, stderr } = await flowsheet(["compile"], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining("untyped-input") });
    // Nor does the module know better than the agents: what is given arrives.
    const run = await flowsheet(["run", "s.csv", "--generated", "--input", "n=a", "--quiet"], { cwd });
    expect(JSON.parse(run.stdout)).toMatchObject({ n: "a" });
  });

  test.each([
    [
      "a class",
      "a.ts",
      `import { Agent } from "flowsheet";
export class AddAgent extends Agent<{ n: number }, number> { override process({ n }: { n: number }) { return n + 1; } }`,
    ],
    [
      "of another file",
      "a.ts",
      `import { defineAgent } from "flowsheet";
import type { Inputs } from "../inputs.js";
export const add = defineAgent(({ n }: Inputs) => n + 1);`,
      "compile --types",
    ],
    [
      "JavaScript",
      "a.js",
      `import { Agent } from "flowsheet";
export default class Add extends Agent {
  /** @param {{ n: number }} inputs */
  process({ n }) { return n + 1; }
}`,
      "compile --types",
    ],
    [
      "a function with a default",
      "a.ts",
      `import { defineAgent } from "flowsheet";
export const add = defineAgent(({ n = 1 }: { n?: number | undefined }) => n + 1);`,
    ],
  ])("agents may be written as they like: %s", async (_, file, text = "", command = "compile") => {
    const cwd = createFolder({
      "s.csv": "graph_name,node_name,agent_type,input_fields,output_field\nS,A,add,n,x\n",
      "inputs.ts": "export interface Inputs { n: number }\n",
      [`agents/${file}`]: text,
    });
    const { code, stderr } = await flowsheet([...command.split(" ")], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("untyped-input") });
  });
});

test("a value inside of what nobody knows gets the agent's type by --fix", async () => {
  const agents = `import { defineAgent } from "flowsheet";
export const load = defineAgent((i: { v: string }): { box: { a: unknown } } => ({ box: { a: i.v } }));
export const adder = defineAgent((i: { first: number; second: number }) => i.first + i.second);
`;
  const sheet = (inputs: string): string =>
    `graph_name,node_name,next_node,agent_type,input_fields,output_field\nS,L,A,load,v,box\nS,A,,adder,${inputs},sum\n`;
  const cwd = createFolder({ "s.csv": sheet("first=box.a|second=box.a"), "agents/all.ts": agents });
  expect((await flowsheet(["validate", "--types", "s.csv"], { cwd })).code).toBe(1);
  expect((await flowsheet(["validate", "--types", "--fix", "s.csv"], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, "s.csv"), "utf8")).toBe(sheet("first=box.a:number|second=box.a:number"));
  const run = await flowsheet(["run", "s.csv", "--input", "v=4", "--quiet"], { cwd });
  expect(JSON.parse(run.stdout)).toMatchObject({ sum: 8 });
});
