import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";

const SHOP =
  "graph_name,node_name,agent_type,input_fields,output_field,prompt\nShop,Ask,echo,who,asked,Hello {who}\n";
const compile = (cwd: string, ...args: readonly string[]) => flowsheet(["compile", ...args], { cwd });
const asNobody = (cwd: string, ...args: readonly string[]) =>
  flowsheetProcess(args, { cwd, unprivileged: true });
const isBug = expect.stringContaining("bug of flowsheet");

/** A compiled project, open to everybody. */
async function compiled(): Promise<string> {
  const cwd = createFolder({ "shop.csv": SHOP });
  expect((await compile(cwd)).code).toBe(0);
  return cwd;
}

describe("a folder that cannot be written or read", () => {
  test("a folder without the permission to write", async () => {
    const cwd = await compiled();
    writeFileSync(join(cwd, "shop.csv"), SHOP.replace("Hello", "Hi"));
    chmodSync(join(cwd, "generated"), 0o555);
    const { code, stderr } = await asNobody(cwd, "compile");
    // Who is not root could not clear it away.
    chmodSync(join(cwd, "generated"), 0o755);
    expect(stderr).toContain("cannot write generated/shop.gen.ts: permission denied");
    expect(code).toBe(2);
  });

  test("a module without the permission to read", async () => {
    const cwd = await compiled();
    chmodSync(join(cwd, "generated/shop.gen.ts"), 0o000);
    for (const args of [
      ["compile"],
      ["compile", "--check"],
      ["run", "shop.csv", "--generated", "--input", "who=A"],
    ]) {
      const { code, stderr } = await asNobody(cwd, ...args);
      expect(stderr).toContain("cannot read generated/shop.gen.ts: permission denied");
      expect(code).toBe(2);
    }
    const doctor = await asNobody(cwd, "doctor");
    expect(doctor.stdout).toContain("not compared: cannot read generated/shop.gen.ts: permission denied");
    expect(doctor.stderr).not.toEqual(isBug);
  });

  test("a file on the way to the folder", async () => {
    const cwd = createFolder({ "shop.csv": SHOP, file: "" });
    for (const out of ["file", "file/below", "file/far/below"]) {
      const { code, stderr } = await compile(cwd, "--out", out);
      expect(stderr).not.toEqual(isBug);
      expect(stderr).toContain(out);
      expect(code).toBe(2);
    }
  });

  test("a folder in the place of a module, and of the project's tsconfig.json", async () => {
    const cwd = createFolder({ "shop.csv": SHOP });
    mkdirSync(join(cwd, "generated/shop.gen.ts"), { recursive: true });
    expect(await compile(cwd)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("generated/shop.gen.ts was not written by flowsheet"),
    });
    const ran = await flowsheet(["run", "shop.csv", "--generated", "--input", "who=A"], { cwd });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no generated module") });
    // TypeScript passes it over, too.
    mkdirSync(join(cwd, "tsconfig.json"));
    expect(await compile(cwd, "--out", "other")).toMatchObject({ code: 0, stderr: "" });
  });

  test("a configuration that rests on a pipe is not waited for", async () => {
    const cwd = createFolder({ "shop.csv": SHOP, "tsconfig.json": '{ "extends": "./base.json" }' });
    execFileSync("mkfifo", [join(cwd, "base.json")]);
    expect(await compile(cwd)).toMatchObject({ code: 0 });
    const checked = await flowsheet(["validate", "shop.csv", "--types"], { cwd });
    expect(checked).toMatchObject({ code: 0 });
  });
});

describe("a generated module that cannot be loaded", () => {
  const run = (cwd: string) => flowsheet(["run", "shop.csv", "--generated", "--input", "who=A"], { cwd });

  test("it throws while it is imported", async () => {
    const cwd = await compiled();
    const file = join(cwd, "generated/shop.gen.ts");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("\nexport const shop", '\nthrow new Error("boom");\nexport const shop'));
    const { code, stderr } = await run(cwd);
    expect(stderr).toContain("generated/shop.gen.ts: it cannot be loaded: boom");
    expect(code).toBe(1);
  });

  test("without a place in the project it is bundled among the temporary files", async () => {
    const cwd = await compiled();
    writeFileSync(join(cwd, ".flowsheet"), "");
    expect((await run(cwd)).code).toBe(0);
    expect(statSync(join(cwd, ".flowsheet")).isFile()).toBe(true);
  });
});
