import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFolder, snapshot } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { AGENTS, CLASHING, EXPECTED, FITTING } from "./project.js";

interface Told {
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly cell: string | null;
  readonly graph: string | null;
  readonly help: string | null;
}

const found = (stdout: string): readonly Told[] =>
  (JSON.parse(stdout) as { readonly diagnostics: readonly Told[] }).diagnostics;

describe("what does not fit an agent is told at its cell", () => {
  let cwd = "";
  let told: readonly Told[] = [];
  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), "flowsheet-types-"));
    mkdirSync(join(cwd, "agents"));
    writeFileSync(join(cwd, "agents/all.ts"), AGENTS);
    writeFileSync(join(cwd, "clash.csv"), CLASHING);
    writeFileSync(join(cwd, "fits.csv"), FITTING);
    const { stdout } = await flowsheet(["validate", "--types", "--json"], { cwd });
    told = found(stdout);
  });
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));

  test.each(EXPECTED)("%s %s %s", (graph, cell, marked, message) => {
    const here = told.filter((one) => one.message === message);
    expect(here).toMatchObject([{ code: "type-mismatch", file: "clash.csv", cell, graph }]);
    const [{ line, column } = { line: 0, column: 0 }] = here;
    expect((CLASHING.split("\n")[line - 1] ?? "").slice(column - 1)).toMatch(
      new RegExp(`^${marked.replace(/[?[\]]/g, "\\$&")}(?=[,|]|$)`),
    );
  });

  test("an object of TypeScript is no mapping, and the help says so", () => {
    const [one] = told.filter(({ graph }) => graph === "Object");
    expect(one?.help).toContain("Record<string, unknown>");
  });

  test("and nothing else", () => {
    expect(told.map(({ code, message }) => [code, message])).toEqual(
      EXPECTED.map(([, , , message]) => ["type-mismatch", message]),
    );
  });

  test("the same with the package installed and a configuration of the project's own", async () => {
    const other = createFolder({
      "package.json": '{ "type": "module" }',
      "tsconfig.json":
        '{ "compilerOptions": { "module": "nodenext", "strict": true, "noUnusedLocals": true } }',
    });
    cpSync(cwd, other, { recursive: true });
    mkdirSync(join(other, "node_modules"));
    symlinkSync(process.cwd(), join(other, "node_modules/flowsheet"));
    const { stdout } = await flowsheet(["validate", "--types", "--json"], { cwd: other });
    expect(found(stdout)).toEqual(told);
  });

  test("validate writes nothing, and finds none of this without --types", async () => {
    const before = snapshot(cwd);
    const { code } = await flowsheet(["validate", "--types", "fits.csv"], { cwd });
    expect(code).toBe(0);
    expect(await flowsheet(["validate"], { cwd })).toMatchObject({ code: 0 });
    expect(snapshot(cwd)).toEqual(before);
  });
});

const SMALL = `graph_name,node_name,next_node,agent_type,input_fields,output_field
S,Rate,Label,rate,text:string,score
S,Label,,label,score,label
`;

describe("compile --types", () => {
  test("refuses, writes nothing, and compiles when it is mended", async () => {
    const cwd = createFolder({ "a.csv": SMALL, "agents/all.ts": AGENTS });
    const refused = await flowsheet(["compile", "--types"], { cwd });
    expect(refused).toEqual({
      code: 1,
      stdout: "",
      stderr: [
        'error type-mismatch: "score" is written as number by "Rate", read as string by "Label"',
        "  --> a.csv:3:16   cell E3 · graph S · node Label",
        "   3 | S,Label,,label,score,label",
        "     |                ^^^^^",
        "  = help: change one of the two types, or convert the value in a node between them",
        "",
        "1 error in a.csv",
        "",
      ].join("\n"),
    });
    expect(existsSync(join(cwd, "generated"))).toBe(false);
    writeFileSync(join(cwd, "a.csv"), SMALL.replace("label,score", "label,score=text"));
    expect(await flowsheet(["compile", "--types"], { cwd })).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, "generated/s.gen.ts"))).toBe(true);
  });
});

describe("the agents' own files", () => {
  test("an error in one is told there, with its line", async () => {
    const agent = AGENTS.replace("score: text.length", "score: text");
    const cwd = createFolder({
      "a.csv": SMALL.replace("label,score", "label,score=text"),
      "agents/all.ts": agent,
    });
    const { code, stdout } = await flowsheet(["validate", "--types"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain("error type-mismatch: Type 'string' is not assignable to type 'number'.\n");
    expect(stdout).toContain("  --> agents/all.ts:6:14\n");
    expect(stdout).toContain("return { score: text };");
    expect(stdout).toContain(
      "  = help: mend this file: the error is in the code of your agents, not in the sheet\n",
    );
    expect(stdout).toContain("1 error in agents/all.ts\n");
    const { stdout: sarif } = await flowsheet(["validate", "--types", "--format", "sarif"], { cwd });
    expect(sarif).toContain("agents/all.ts");
  });

  test("what is no TypeScript at all, and a file that an agent imports, are told there, too", async () => {
    const cwd = createFolder({
      "a.csv": "graph_name,node_name,agent_type,input_fields,output_field\nS,A,half,x:number,y\n",
      "agents/half.ts":
        'import { defineAgent } from "flowsheet";\nimport { by } from "../lib/by.js";\nexport const half = defineAgent(({ x }: { x: number }) => ({ y: by(x }));\n',
      "lib/by.ts": "export const by = (x: number): string => x / 2;\n",
    });
    const { code, stdout } = await flowsheet(["validate", "--types", "--json"], { cwd });
    expect(code).toBe(1);
    expect(found(stdout).map(({ file, line, cell, graph }) => [file, line, cell, graph])).toEqual([
      ["lib/by.ts", 1, null, null],
      ["agents/half.ts", 3, null, null],
    ]);
    for (const { help } of found(stdout)) expect(help).toContain("not in the sheet");
  });

  test("one that does not export what it seems to is told at the agent's cell", async () => {
    const cwd = createFolder({
      "a.csv": "graph_name,node_name,agent_type\nS,A,gone\n",
      "agents/gone.ts":
        'import { Agent } from "flowsheet";\nconst text = `\nexport class GoneAgent extends Agent {}\n`;\nexport { text, Agent };\n',
    });
    const { stdout } = await flowsheet(["validate", "--types", "--json"], { cwd });
    expect(found(stdout)).toMatchObject([{ code: "unknown-agent", cell: "C2", graph: "S" }]);
    expect(found(stdout)[0]?.message).toBe('there is no agent "gone"');
  });

  test("in JavaScript: what can be inferred of them is checked", async () => {
    const cwd = createFolder({
      "a.csv": "graph_name,node_name,agent_type,input_fields,output_field\nS,A,half,x:number,y:string\n",
      "agents/half.js":
        'import { defineAgent } from "flowsheet";\nexport const half = defineAgent((/** @type {{ x: number }} */ { x }) => ({ y: x / 2 }));\n',
    });
    const { stdout } = await flowsheet(["validate", "--types", "--json"], { cwd });
    expect(found(stdout).map(({ message }) => message)).toEqual([
      '"y" is declared as string, but agent "half" of "A" writes number',
    ]);
  });
});

test("a graph with an agent that is not there is left out, with a note; the others are checked", async () => {
  const cwd = createFolder({ "a.csv": `${SMALL}T,A,,nobody,text:string,y\n`, "agents/all.ts": AGENTS });
  const { stdout, stderr } = await flowsheet(["validate", "--types", "--json"], { cwd });
  expect(found(stdout).map(({ code }) => code)).toEqual(["type-mismatch", "unknown-agent"]);
  expect(stderr).toBe("note: the types of 1 of the graphs are not checked: mend them first\n");
});

test("what the project's tsconfig.json says holds; one that cannot be read is wrong usage", async () => {
  const loose = `import { defineAgent } from "flowsheet";
const shout = (text) => String(text).toUpperCase();
export const loud = defineAgent(({ text }: { text: string }) => ({ loud: shout(text) }));
`;
  const cwd = createFolder({
    "a.csv": "graph_name,node_name,agent_type,input_fields,output_field\nS,A,loud,text:string,loud\n",
    "agents/loud.ts": loose,
  });
  const { stdout } = await flowsheet(["validate", "--types"], { cwd });
  expect(stdout).toContain("Parameter 'text' implicitly has an 'any' type.\n  --> agents/loud.ts:2:16");
  const options = { module: "nodenext", strict: true, noImplicitAny: false };
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  expect(await flowsheet(["validate", "--types"], { cwd })).toMatchObject({ code: 0 });
  writeFileSync(join(cwd, "tsconfig.json"), '{ "compilerOptions": ');
  const { code, stderr } = await flowsheet(["validate", "--types"], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: cannot read tsconfig\.json: /);
});

test("types of packages and the project's own declarations count, as in the project itself", async () => {
  const cwd = createFolder({
    "a.csv": "graph_name,node_name,agent_type,input_fields,output_field\nS,A,home,text:string,home:number\n",
    "agents/home.ts": `import { defineAgent } from "flowsheet";
export const home = defineAgent((_: { text: string }) => ({ home: process.env["HOME"] ?? region }));
`,
    "src/globals.d.ts": "declare const region: string;\n",
    "node_modules/@types/node/index.d.ts":
      "declare const process: { readonly env: { readonly [name: string]: string | undefined } };\n",
    "node_modules/@types/node/package.json": '{ "name": "@types/node", "types": "index.d.ts" }',
  });
  const check = async (compilerOptions: object): Promise<readonly string[]> => {
    writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
    const { stdout } = await flowsheet(["validate", "--types", "--json"], { cwd });
    return found(stdout).map(({ message }) => message);
  };
  const misfit = ['"home" is declared as number, but agent "home" of "A" writes string'];
  expect(await check({ module: "nodenext", strict: true, types: ["node"] })).toEqual(misfit);
  expect(await check({ module: "nodenext", strict: true })).toEqual(misfit);
  expect(await check({ module: "nodenext", strict: true, types: [] })).toContainEqual(
    expect.stringContaining("Cannot find name 'process'"),
  );
});

test("what a branch appends is compared with an item of the list", async () => {
  const cwd = createFolder({
    "a.csv": [
      "graph_name,node_name,next_node,agent_type,input_fields,output_field,context.merge",
      'S,Start,A|B,echo,text:string,,"{""list"": ""append""}"',
      "S,A,,wants,text,list:string,",
      "S,B,,counts,text,list:string,",
    ].join("\n"),
    "agents/wants.ts": [
      'import { defineAgent } from "flowsheet";',
      "export const wants = defineAgent((inputs: { text: number }) => String(inputs.text));",
      "export const counts = defineAgent((inputs: { text: string }) => inputs.text.length);",
    ].join("\n"),
  });
  const { stdout } = await flowsheet(["validate", "--types", "--json"], { cwd });
  expect(found(stdout).map(({ cell, message }) => [cell, message])).toEqual([
    ["E3", '"text" is string, but agent "wants" of "A" takes number'],
    ["F4", '"list" is declared as string, but agent "counts" of "B" writes number'],
  ]);
});
