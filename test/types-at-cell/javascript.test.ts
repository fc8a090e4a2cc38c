import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const SHEET = `graph_name,node_name,next_node,agent_type,input_fields,output_field
S,A,B,half,x:number,y
S,B,,half,x=y,z
T,A,B,half,x:number,z
T,B,,shown,x,w
`;
const HALF =
  'import { defineAgent } from "flowsheet";\nexport const half = defineAgent((/** @type {{ x: number }} */ { x }) => ({ y: x / 2, z: x }));\n';
const SHOWN =
  'import { defineAgent } from "flowsheet";\nimport { show } from "../lib/show.js";\nexport const shown = defineAgent(({ x }: { x: number }) => ({ w: show(x) }));\n';
const DECLARED =
  'import type { Agent } from "flowsheet";\nexport declare const half: new () => Agent<{ x: number }, { y: number; z: number }>;\n';

const project = (options: object | null, files: { readonly [path: string]: string } = {}): string =>
  createFolder({
    "s.csv": SHEET,
    "agents/half.js": HALF,
    "agents/shown.ts": SHOWN,
    "lib/show.js": "export const show = (x) => String(x);\n",
    ...(options === null ? {} : { "tsconfig.json": JSON.stringify({ compilerOptions: options }) }),
    ...files,
  });
const STRICT = { module: "nodenext", strict: true };
const validate = (cwd: string, ...more: readonly string[]) =>
  flowsheet(["validate", "--types", ...more], { cwd });

describe("agents in JavaScript, where TypeScript may not read it", () => {
  test("are told once for each file: at the agent's cell, or where a file of the project imports it", async () => {
    const { code, stdout } = await validate(project(STRICT));
    expect(code).toBe(1);
    expect(
      stdout,
    ).toContain(`error type-mismatch: TypeScript finds no types for agents/half.js: this project does not let it read JavaScript
  --> s.csv:2:7   cell D2 · graph S · node A
   2 | S,A,B,half,x:number,y
     |       ^^^^
  = help: set "allowJs": true in tsconfig.json, or declare its types in agents/half.d.ts`);
    expect(stdout).toContain("no types for lib/show.js: ");
    expect(stdout).toContain("  --> agents/shown.ts:2:22\n");
    expect(stdout).toContain("lib/show.d.ts");
    expect(stdout).toContain("2 errors");
  });

  test("keep compile --types from writing; compile without it writes", async () => {
    const cwd = project(STRICT);
    const refused = await flowsheet(["compile", "--types"], { cwd });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no types for agents/half.js: "),
    });
    expect(existsSync(join(cwd, "generated"))).toBe(false);
    expect(await flowsheet(["compile"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  });

  test("are checked all the same, by what can be inferred of them", async () => {
    const cwd = project(STRICT, { "s.csv": SHEET.replace("x:number,y", "x:number,y:string") });
    const { stdout } = await validate(cwd);
    expect(stdout).toContain('"y" is declared as string, but agent "half" of "A" writes number');
    expect(stdout).toContain("no types for agents/half.js: ");
  });

  test.each([
    ["with allowJs", { ...STRICT, allowJs: true }, {}],
    ["with checkJs, which allows it", { ...STRICT, checkJs: true, noImplicitAny: false }, {}],
    ["where a lack of types is no fault", { ...STRICT, noImplicitAny: false }, {}],
    ["without a configuration", null, {}],
    [
      "with declarations",
      STRICT,
      {
        "agents/half.d.ts": DECLARED,
        "lib/show.d.ts": "export declare const show: (x: number) => string;\n",
      },
    ],
  ])("are fine %s", async (_, options, files) => {
    expect(await validate(project(options, files))).toMatchObject({ code: 0 });
  });

  test("have declarations of their own name", async () => {
    const cwd = createFolder({
      "s.csv": "graph_name,node_name,agent_type,input_fields,output_field\nS,A,half,x:number,y\n",
      "agents/half.mjs": HALF,
      "tsconfig.json": JSON.stringify({ compilerOptions: STRICT }),
    });
    expect((await validate(cwd)).stdout).toContain("agents/half.d.mts");
    writeFileSync(join(cwd, "agents/half.d.mts"), DECLARED);
    expect(await validate(cwd)).toMatchObject({ code: 0 });
  });
});

test("a new project takes agents in JavaScript", async () => {
  const cwd = createFolder();
  await flowsheet(["init", "."], { cwd });
  writeFileSync(
    join(cwd, "workflows/half.csv"),
    "graph_name,node_name,agent_type,input_fields,output_field\nS,A,half,x:number,y\n",
  );
  writeFileSync(join(cwd, "agents/half.js"), HALF);
  expect(await validate(cwd)).toMatchObject({ code: 0 });
});
