import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clashOf } from "../../compiler/type-check/program.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

interface Project {
  readonly options: object;
  readonly typescript?: string;
  readonly type?: "module" | "commonjs";
}

const filesOf = ({ options, typescript = "5.9.3", type }: Project) => ({
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, ...options } }),
  "package.json": JSON.stringify(type === undefined ? {} : { type }),
  "node_modules/typescript/package.json": JSON.stringify({ version: typescript }),
});

const OLD = 'looks for packages in a way that does not find "flowsheet/graph"';
const COMMON = "cannot import the ES module flowsheet";
const bundler = { module: "esnext", moduleResolution: "bundler" };

const PROJECTS: readonly (readonly [says: string | null, project: Project])[] = [
  [OLD, { options: { module: "esnext", moduleResolution: "node10" }, type: "module" }],
  [OLD, { options: { module: "esnext", moduleResolution: "node" }, typescript: "6.0.2", type: "module" }],
  [OLD, { options: { module: "commonjs" } }],
  [OLD, { options: { module: "es2022" }, type: "module" }],
  [OLD, { options: {} }],
  [null, { options: { module: "commonjs" }, typescript: "6.0.2" }],
  [null, { options: bundler }],
  [null, { options: { module: "preserve" } }],
  [COMMON, { options: { module: "node16" } }],
  [COMMON, { options: { module: "nodenext" }, typescript: "5.4.5", type: "commonjs" }],
  [null, { options: { module: "nodenext" } }],
  [null, { options: { module: "node16" }, type: "module" }],
  ["verbatimModuleSyntax", { options: { module: "nodenext", verbatimModuleSyntax: true } }],
  [null, { options: { module: "nodenext", verbatimModuleSyntax: true }, type: "module" }],
];

test("what a project says of modules that keeps it from using ours is found", () => {
  for (const [says, project] of PROJECTS) {
    const clash = clashOf(createFolder(filesOf(project)));
    const what = JSON.stringify(project);
    if (says === null) expect(clash, what).toBeNull();
    else expect(clash?.says, what).toContain(says);
  }
});

test("it is told once, in place of each import that follows from it", async () => {
  const project = { options: { module: "esnext", moduleResolution: "node10" }, type: "module" } as const;
  const sheet =
    "graph_name,node_name,agent_type,input_fields,output_field,prompt\nS,A,echo,name,reply,{name}\n";
  const cwd = createFolder({ ...filesOf(project), "s.csv": sheet });
  const { code, stdout } = await flowsheet(["validate", "s.csv", "--types"], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain(
    "error type-mismatch: this project looks for packages in a way that does not find",
  );
  expect(stdout).toContain("--> tsconfig.json:1:1");
  expect(stdout).toContain('= help: set "module": "nodenext" in tsconfig.json');
  expect(stdout.match(/^error/gm)).toHaveLength(1);
});

test("init tells of it where a tsconfig.json is kept, and adds a script that writes no files", async () => {
  const cwd = createFolder({ ...filesOf({ options: { module: "commonjs" } }), "main.ts": "" });
  const { code, stdout } = await flowsheet(["init"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain(`note: this project ${OLD}`);
  expect(readFileSync(`${cwd}/package.json`, "utf8")).toContain('"flowsheet compile && tsc --noEmit"');
});
