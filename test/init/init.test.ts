import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { addMembers } from "../../compiler/scaffold/json-members.js";
import { createFolder, snapshot } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { inCi } from "../how-many.js";
import { runProgram } from "./program.js";
import { linkPackages, lint, typeCheck } from "./project.js";

const { version: VERSION } = JSON.parse(readFileSync("package.json", "utf8"));
const TEMPLATES = ["hello", "support", "server", "purchase-desk"];

/** Nothing is installed here. The others go on until they are told to stop; test/http and test/studio start them. */
const NOT_RUN = ["npm install", "node_modules/.bin/flowsheet-server", "npx flowsheet studio"];

describe.each(TEMPLATES)("the project %s", (template) => {
  test.skipIf(!inCi && template !== "hello")(
    "works at once: each command that is printed, as it is printed",
    async () => {
      const cwd = createFolder();
      const made = await flowsheet(["init", "my flows", "--template", template], { cwd });
      expect(made).toMatchObject({ code: 0, stderr: "" });
      const steps = stepsIn(made.stdout);
      expect(steps[0]).toBe("cd 'my flows'");
      expect(steps[1]).toBe("npm install");
      expect(steps.length).toBeGreaterThanOrEqual(6);
      const folder = join(cwd, "my flows");
      linkPackages(folder);
      for (const step of steps.filter((one) => !NOT_RUN.includes(one)).slice(1)) {
        const { code, output } = await runProgram("sh", ["-c", `${steps[0]} && ${step}`], cwd);
        expect({ step, code, output }).toMatchObject({ code: 0 });
      }
      const readme = readFileSync(join(folder, "README.md"), "utf8");
      for (const step of steps.slice(1)) expect(readme).toContain(step);
      if (template === "purchase-desk") {
        const files = readdirSync(folder, { recursive: true }).map(String);
        const own = files.filter((file) => !file.startsWith("node_modules"));
        // Not one line of TypeScript, and nothing that is only for it.
        expect(own.filter((file) => /\.[cm]?[jt]s$|tsconfig|^agents|^generated/.test(file))).toEqual([]);
        expect(readme).not.toContain("```ts");
        return;
      }
      expect(await typeCheck(folder)).toEqual({ code: 0, output: "" });
      expect(await lint(folder)).toMatchObject({ code: 0 });
      const [, program = ""] = /^```ts\n(.*?)^```/ms.exec(readme) ?? [];
      writeFileSync(join(folder, "main.mjs"), `${program}console.log(Object.keys(state).length);\n`);
      expect(await runProgram(process.execPath, ["main.mjs"], folder)).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^\d+\n$/),
      });
    },
  );

  test("its test sheet has the columns and the JSON of a test sheet", async () => {
    const cwd = createFolder();
    await flowsheet(["init", ".", "--template", template], { cwd });
    const name = template === "server" ? "triage" : template;
    const rows = parse(readFileSync(join(cwd, `workflows/${name}.test.csv`)), {
      columns: true,
    }) as readonly { readonly [column: string]: string }[];
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(
        "graph_name case given mocks answers expect_status expect_path expect_state expect_absent expect_error".split(
          " ",
        ),
      );
      for (const column of ["given", "mocks", "answers", "expect_state"])
        if (row[column] !== "") expect(() => JSON.parse(row[column] ?? "")).not.toThrow();
    }
    // What is copied from here is to be tested as a whole.
    const { code, stderr } = await flowsheet(["test", "--coverage", "--threshold", "100"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("S10: no key and no environment file gets into its repository", async () => {
    const cwd = createFolder();
    await flowsheet(["init", "p", "--template", template], { cwd });
    const folder = join(cwd, "p");
    for (const file of [".env", ".env.local", "server.key", "cert.pem", "flowsheet.yaml.bak", "a.log"])
      writeFileSync(join(folder, file), "secret");
    mkdirSync(join(folder, ".flowsheet/runs"), { recursive: true });
    writeFileSync(join(folder, ".flowsheet/runs/a.json"), "secret");
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "node_modules/a.js"), "");
    await runProgram("git", ["init", "-q"], folder);
    const { output } = await runProgram("git", ["status", "--porcelain", "-uall"], folder);
    expect(output.match(/(?<=^\?\? ).*/gm)?.sort()).toEqual(
      filesOf(folder)
        .filter((file) => readFileSync(join(folder, file), "utf8") !== "secret")
        .filter((file) => !/^(node_modules|\.git)\//.test(file)),
    );
  });
});

test("files in the way are listed, and nothing is written", async () => {
  const cwd = createFolder({ "flowsheet.yaml": "", "workflows/hello.csv": "mine", "notes.txt": "mine" });
  const before = snapshot(cwd);
  const { code, stdout, stderr } = await flowsheet(["init"], { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe(
    "error: files are in the way: flowsheet.yaml, workflows/hello.csv\n" +
      "  = help: choose another folder; --force replaces these files, keeps a copy of each, and leaves all others alone\n",
  );
  expect(snapshot(cwd)).toEqual(before);
});

test("--force replaces these files, keeps a copy of each, and removes none", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "mine",
    "flowsheet.yaml.bak": "earlier",
    "agents/mine.ts": "mine",
    "notes.txt": "mine",
  });
  const { code, stdout } = await flowsheet(["init", "--force"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain("replaced  flowsheet.yaml (the old one is flowsheet.yaml.bak2)\n");
  expect(stdout).toContain("created   package.json\n");
  const texts = ["agents/mine.ts", "notes.txt", "flowsheet.yaml.bak2", "flowsheet.yaml.bak"];
  expect(texts.map((name) => readFileSync(join(cwd, name), "utf8"))).toEqual([
    "mine",
    "mine",
    "mine",
    "earlier",
  ]);
  expect(readFileSync(join(cwd, "flowsheet.yaml"), "utf8")).toContain("workflows");
});

describe("in a project that is there", () => {
  const MANIFEST =
    '{\r\n\t"name": "shop",\r\n\t"scripts": {\r\n\t\t"test": "jest",\r\n\t\t"types": "tsc -b"\r\n\t},\r\n\t"dependencies": { "express": "5.3.0" }\r\n}';
  const PROJECT = { "package.json": MANIFEST, "tsconfig.json": "{ }", "README.md": "# Shop", "src/a.js": "" };

  test("what is missing is added, and what is there stays to the byte", async () => {
    const cwd = createFolder(PROJECT);
    const { code, stdout, stderr } = await flowsheet(["init"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    const text = (name: string): string => readFileSync(join(cwd, name), "utf8");
    expect([text("tsconfig.json"), text("README.md")]).toEqual(["{ }", "# Shop"]);
    expect(text("package.json")).toBe(
      MANIFEST.replace(
        '"tsc -b"',
        '"tsc -b",\r\n\t\t"validate": "flowsheet validate --strict",\r\n\t\t"compile": "flowsheet compile"',
      ).replace('"5.3.0"', `"5.3.0", "flowsheet": "${VERSION}"`),
    );
    expect(filesOf(cwd)).toEqual(
      expect.arrayContaining(["flowsheet.yaml", "workflows/hello.csv", "agents/tidy-name.ts", ".gitignore"]),
    );
    expect(stdout).toContain("kept      tsconfig.json\n");
    // Its own script `test` runs other tests, with another program.
    expect(stepsIn(stdout)).toContain("npx flowsheet test");
    expect(existsSync(join(cwd, "agents/tidy-name.test.ts"))).toBe(false);
    linkPackages(cwd);
    for (const step of stepsIn(stdout).filter((one) => !NOT_RUN.includes(one))) {
      const ended = await runProgram("sh", ["-c", step], cwd);
      expect({ step, ...ended }).toMatchObject({ code: 0 });
    }
    const before = snapshot(cwd);
    expect((await flowsheet(["init"], { cwd })).stdout).not.toContain("added to");
    expect(snapshot(cwd)).toEqual(before);
  });

  test("one in which packages were installed and nothing else was done becomes a whole project", async () => {
    const cwd = createFolder({ "package.json": '{ "dependencies": { "flowsheet": "file:../f.tgz" } }' });
    expect(await flowsheet(["init"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    const made = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
    expect(made).toMatchObject({ type: "module", dependencies: { flowsheet: "file:../f.tgz" } });
    expect(filesOf(cwd)).toEqual(
      expect.arrayContaining(["README.md", "tsconfig.json", "agents/tidy-name.test.ts"]),
    );
  });

  test("a package.json that cannot be added to is said, and replaced only by --force, with a copy", async () => {
    for (const text of ["{", "[]", '{ "scripts": 7 }']) {
      const cwd = createFolder({ "package.json": text });
      const { code, stderr } = await flowsheet(["init"], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining("package.json is no JSON object")]);
      expect(filesOf(cwd)).toEqual(["package.json"]);
      expect(await flowsheet(["init", "--force"], { cwd })).toMatchObject({ code: 0 });
      expect(readFileSync(join(cwd, "package.json.bak"), "utf8")).toBe(text);
    }
  });

  test("a .gitignore that keeps runs and keys in the repository is told of", async () => {
    const cwd = createFolder({ ...PROJECT, ".gitignore": "node_modules\n/.env\n" });
    const { stdout } = await flowsheet(["init"], { cwd });
    expect(stdout).toContain("gets into the repository: .flowsheet/\n");
    expect(readFileSync(join(cwd, ".gitignore"), "utf8")).toBe("node_modules\n/.env\n");
  });
});

test.each([
  ["{}", '{\n  "s": {\n    "a": 1\n  }\n}'],
  ['{ "s": { "x": 1 } }', '{ "s": { "x": 1, "a": 1 } }'],
  [
    '{\n    "s": {\n        "x": "}\\"",\n        "y": [{}]\n    }\n}\n',
    '{\n    "s": {\n        "x": "}\\"",\n        "y": [{}],\n        "a": 1\n    }\n}\n',
  ],
])("members are added at the end of %j", (text, expected) => {
  expect(addMembers(text, "s", [["a", 1]])).toBe(expected);
});

test("P13: a link that leads out of the project is not followed", async () => {
  const cwd = createFolder({ "outside/keep.txt": "", "p/keep.txt": "" });
  symlinkSync(join(cwd, "outside"), join(cwd, "p/agents"));
  const { code, stderr } = await flowsheet(["init", "p", "--force"], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain("a link on the way leads out of the project");
  expect(filesOf(cwd)).toEqual(["outside/keep.txt", "p/keep.txt"]);
});

test("C57: a link in the place of a file is left alone, also with --force", async () => {
  const cwd = createFolder({ "outside.txt": "mine" });
  symlinkSync(join(cwd, "outside.txt"), join(cwd, "package.json"));
  for (const args of [["init"], ["init", "--force"]])
    expect(await flowsheet(args, { cwd })).toMatchObject({ code: 2 });
  expect(readFileSync(join(cwd, "outside.txt"), "utf8")).toBe("mine");
  expect(filesOf(cwd)).toEqual(["outside.txt"]);
});

test("a file in the place of the folder, and an unknown template, are said", async () => {
  const cwd = createFolder({ "a.txt": "" });
  expect(await flowsheet(["init", "a.txt"], { cwd })).toMatchObject({
    code: 2,
    stderr: "error: a.txt is a file\n  = help: name a folder for the project\n",
  });
  for (const args of [
    ["init", "a.txt/x"],
    ["init", "a.txt/x/y", "--force"],
  ]) {
    const { code, stdout, stderr } = await flowsheet(args, { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: cannot write a\.txt\/x(?:\/y)?: .*a\.txt is no folder\n$/);
  }
  const { code, stderr } = await flowsheet(["init", "p", "--template", "helo"], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/hello, support, server/);
  expect(existsSync(join(cwd, "p"))).toBe(false);
});

test("a folder's name that is hard to write becomes a package's name that is allowed", async () => {
  const cwd = createFolder();
  const name = `It's "Ä" {{this}}`;
  expect(await flowsheet(["init", name], { cwd })).toMatchObject({ code: 0 });
  const text = readFileSync(join(cwd, name, "package.json"), "utf8");
  expect(JSON.parse(text).name).toMatch(/^[a-z0-9-]+$/);
});

test.each([
  ["日本", "workflows"],
  ["---", "workflows"],
  [".hidden", "hidden"],
  ["_Mine", "mine"],
  ["node_modules", "node-modules"],
  ["a".repeat(250), "a".repeat(214)],
  [`${"b".repeat(213)} ccc`, "b".repeat(213)],
  ["flowsheet", "flowsheet-workflows"],
])("in the folder %j the package's name is one that npm takes", async (name, expected) => {
  const cwd = createFolder();
  expect(await flowsheet(["init", "--", name], { cwd })).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(join(cwd, name, "package.json"), "utf8")).name).toBe(expected);
  expect(readFileSync(join(cwd, name, "README.md"), "utf8")).toContain(`# ${name}\n`);
});

test.each([
  [{ dependencies: { flowsheet: "file:../flowsheet-0.1.0.tgz" } }, "file:../../../flowsheet-0.1.0.tgz"],
  [{ devDependencies: { flowsheet: "file:/packs/flowsheet.tgz" } }, "file:"],
  [{ dependencies: { flowsheet: "^0.1.0" } }, VERSION],
  [{}, VERSION],
])("beside %j the project takes the package from the same place", async (manifest, source) => {
  const cwd = createFolder({ "here/package.json": JSON.stringify(manifest) });
  const { code } = await flowsheet(["init", "here/a/demo"], { cwd });
  expect(code).toBe(0);
  const folder = join(cwd, "here/a/demo");
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (source !== "file:") expect(dependencies.flowsheet).toBe(source);
  else expect(resolve(folder, dependencies.flowsheet.slice(5))).toBe("/packs/flowsheet.tgz");
});

test("a package.json that is none does not matter", async () => {
  const cwd = createFolder({ "package.json": "{" });
  expect(await flowsheet(["init", "demo"], { cwd })).toMatchObject({ code: 0, stderr: "" });
});

const stepsIn = (stdout: string): readonly string[] =>
  [...stdout.slice(stdout.indexOf("Type next:")).matchAll(/^ {2}(.*?) +# .*$/gm)].map(
    ([, step = ""]) => step,
  );

const filesOf = (folder: string): readonly string[] => Object.keys(snapshot(folder)).sort();
