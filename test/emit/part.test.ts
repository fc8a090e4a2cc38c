import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder, snapshot } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const HEADER = "graph_name,node_name,agent_type,input_fields,output_field,prompt,context\n";
const calls = (name: string, child: string): string =>
  `${name},Call,graph,name:string,text,,"{""graph"":""${child}""}"\n`;
const greets = (name: string, word = "Hi"): string => `${name},Y,echo,name:string,text,${word} {name},\n`;
const sheets = {
  "flowsheet.yaml": "workflows: workflows\n",
  "workflows/a.csv": HEADER + calls("Main", "Inner"),
  "workflows/b.csv": HEADER + greets("Inner"),
};
const compile = (cwd: string, ...args: readonly string[]) => flowsheet(["compile", ...args], { cwd });
const textsOf = (cwd: string): { readonly [file: string]: string } => {
  const folder = join(cwd, "generated");
  const files = readdirSync(folder).sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
};

describe("a sheet that calls a graph of another one, compiled alone", () => {
  test("its module is the one of a compile of all sheets", async () => {
    const cwd = createFolder(sheets);
    expect(await compile(cwd)).toMatchObject({ code: 0, stderr: "" });
    const whole = textsOf(cwd);
    const before = snapshot(join(cwd, "generated"));
    expect(await compile(cwd, "workflows/a.csv", "--check")).toMatchObject({ code: 0, stdout: "" });
    for (const path of ["workflows/a.csv", "./workflows/a.csv", join(cwd, "workflows/a.csv")])
      expect(await compile(cwd, path)).toMatchObject({ code: 0, stderr: "" });
    expect(textsOf(cwd)).toEqual(whole);
    expect(snapshot(join(cwd, "generated"))).toEqual(before);
    const ran = await flowsheet(["run", "workflows/a.csv", "--generated", "--input", "name=Ada"], { cwd });
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ text: "Hi Ada" });
  });

  test("the called module is written where it is missing, and left alone where it is there", async () => {
    const cwd = createFolder(sheets);
    const first = await compile(cwd, "workflows/a.csv");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("created   generated/inner.gen.ts");
    const written = textsOf(cwd);
    expect((await compile(cwd)).stdout.match(/unchanged/g)).toHaveLength(3);
    writeFileSync(join(cwd, "workflows/b.csv"), HEADER + greets("Inner", "Good day"));
    expect((await compile(cwd, "workflows/a.csv", "--clean")).stdout).not.toContain("inner");
    expect(textsOf(cwd)).toEqual(written);
    expect((await compile(cwd, "--check")).code).toBe(1);
  });

  test("what the called graphs call is written, too", async () => {
    const cwd = createFolder({
      ...sheets,
      "workflows/b.csv": HEADER + calls("Inner", "Core"),
      "workflows/c.csv": HEADER + greets("Core"),
    });
    expect((await compile(cwd, "workflows/a.csv")).code).toBe(0);
    const part = textsOf(cwd);
    expect(Object.keys(part)).toEqual(["core.gen.ts", "index.gen.ts", "inner.gen.ts", "main.gen.ts"]);
    await compile(cwd);
    expect(textsOf(cwd)).toEqual(part);
  });

  test("a missing module whose sheet has errors is not written, and the errors are told", async () => {
    const bad = HEADER + greets("Inner").replace("{name}", "{nmae}");
    const cwd = createFolder({ ...sheets, "workflows/b.csv": bad });
    const { code, stderr } = await compile(cwd, "workflows/a.csv");
    expect(code).toBe(1);
    expect(stderr).toContain("workflows/b.csv:2");
    expect(readdirSync(cwd)).not.toContain("generated");
  });

  test("types are checked with those of the called graph", async () => {
    const cwd = createFolder(sheets);
    const checked = await flowsheet(["validate", "workflows/a.csv", "--types"], { cwd });
    expect(checked).toMatchObject({ code: 0 });
    expect(await compile(cwd, "workflows/a.csv", "--types")).toMatchObject({ code: 0, stderr: "" });
    writeFileSync(join(cwd, "workflows/b.csv"), HEADER + greets("Inner").replace("{name}", "{nmae}"));
    const left = await flowsheet(["validate", "workflows/a.csv", "--types"], { cwd });
    expect(left.code).toBe(0);
    expect(left.stderr).toContain("the types of 1 of the graphs are not checked");
  });

  test("without a configuration, a sheet of the workflows folder is compiled along with what calls it", async () => {
    const cwd = createFolder({
      "a.csv": HEADER + calls("Main", "Inner"),
      "workflows/b.csv": HEADER + greets("Inner"),
    });
    expect(await compile(cwd)).toMatchObject({ code: 0, stderr: "" });
    expect(await compile(cwd, "--clean")).toMatchObject({ code: 0, stderr: "" });
    expect(Object.keys(textsOf(cwd))).toEqual(["index.gen.ts", "inner.gen.ts", "main.gen.ts"]);
    const doctor = await flowsheet(["doctor"], { cwd });
    expect(doctor.stdout).toContain("3 modules up to date");
  });

  test("a graph that runs one of its own name in another sheet runs that one, not itself", async () => {
    const cwd = createFolder({
      ...sheets,
      "workflows/a.csv": HEADER + calls("Inner", "b::Inner"),
    });
    expect(await compile(cwd)).toMatchObject({ code: 0, stderr: "" });
    const whole = textsOf(cwd);
    const ran = await flowsheet(["run", "workflows/a.csv", "--generated", "--input", "name=Ada"], { cwd });
    expect(JSON.parse(ran.stdout)).toMatchObject({ text: "Hi Ada" });
    rmSync(join(cwd, "generated"), { recursive: true });
    await compile(cwd, "workflows/a.csv");
    expect(textsOf(cwd)).toEqual(whole);
  });
});

describe("names of modules do not depend on what was compiled before", () => {
  const same = {
    ...sheets,
    "workflows/a.csv": HEADER + greets("Same", "A"),
    "workflows/b.csv": HEADER + greets("Same", "B"),
  };

  test("two graphs of one name", async () => {
    const cwd = createFolder(same);
    await compile(cwd);
    const whole = textsOf(cwd);
    expect(whole["same.gen.ts"]).toContain("from a.csv");
    rmSync(join(cwd, "generated"), { recursive: true });
    await compile(cwd, "workflows/b.csv");
    expect(Object.keys(textsOf(cwd))).toEqual(["index.gen.ts", expect.stringMatching(/^same-/)]);
    await compile(cwd, "workflows/a.csv");
    expect(textsOf(cwd)).toEqual(whole);
    const below = await flowsheet(["compile", "b.csv", "--check", "--out", "../generated"], {
      cwd: join(cwd, "workflows"),
    });
    expect(below).toMatchObject({ code: 0, stdout: "" });
  });

  test("sheets of one name in two folders keep their modules", async () => {
    const cwd = createFolder({
      "flowsheet.yaml": "workflows: workflows\n",
      "workflows/x/s.csv": HEADER + greets("One") + greets("Two"),
      "workflows/y/s.csv": HEADER + greets("Three"),
    });
    await compile(cwd);
    writeFileSync(join(cwd, "workflows/x/s.csv"), HEADER + greets("One"));
    const ended = await compile(cwd, "workflows/x/s.csv", "--clean");
    expect(ended.stdout).toContain("removed   generated/two.gen.ts");
    expect(Object.keys(textsOf(cwd))).toEqual(["index.gen.ts", "one.gen.ts", "three.gen.ts"]);
    expect(await compile(cwd, "--check")).toMatchObject({ code: 0 });
  });

  test("a sheet from elsewhere takes no module of the project", async () => {
    const cwd = createFolder({ ...same, "aside/x.csv": HEADER + greets("Same", "X") });
    await compile(cwd, "aside/x.csv");
    await compile(cwd, "workflows/a.csv");
    const files = textsOf(cwd);
    expect(files["same.gen.ts"]).toContain("from a.csv");
    expect(Object.values(files).some((text) => text.includes("from x.csv"))).toBe(true);
  });

  test("a module that was another sheet's is told of", async () => {
    const cwd = createFolder(same);
    rmSync(join(cwd, "workflows/a.csv"));
    await compile(cwd);
    writeFileSync(join(cwd, "workflows/a.csv"), same["workflows/a.csv"]);
    const { code, stderr } = await compile(cwd, "workflows/a.csv");
    expect(code).toBe(0);
    expect(stderr).toContain("generated/same.gen.ts was made from b.csv before");
    expect((await compile(cwd)).code).toBe(0);
    expect(Object.keys(textsOf(cwd))).toHaveLength(3);
  });
});
