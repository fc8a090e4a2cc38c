import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder, snapshot } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const HEADER = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt\n";
const SHOP = "Shop,Ask,Tell,echo,who,asked,Hello {who}\nShop,Tell,,echo,asked,told,{asked}!\n";
const BANK = "Bank,Count,,echo,money,sum,{money}\n";
const sheets = { "shop.csv": HEADER + SHOP, "bank.csv": HEADER + BANK };
const modules = (cwd: string, folder = "generated"): readonly string[] =>
  readdirSync(join(cwd, folder)).sort();
const compile = (cwd: string, ...args: readonly string[]) => flowsheet(["compile", ...args], { cwd });
const read = (cwd: string, file: string): string => readFileSync(join(cwd, "generated", file), "utf8");

describe("what becomes of each file", () => {
  test("created, unchanged, updated, out of use, removed", async () => {
    const cwd = createFolder(sheets);
    const first = await compile(cwd);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout.match(/created {3}generated/g)).toHaveLength(3);
    const before = snapshot(join(cwd, "generated"));
    expect((await compile(cwd)).stdout.match(/unchanged generated/g)).toHaveLength(3);
    expect(snapshot(join(cwd, "generated")), "unchanged files are not written again").toEqual(before);
    writeFileSync(join(cwd, "shop.csv"), HEADER + SHOP.replace("Hello", "Good day"));
    expect((await compile(cwd)).stdout).toContain("updated   generated/shop.gen.ts");
    rmSync(join(cwd, "bank.csv"));
    const stale = await compile(cwd);
    expect(stale.stderr).toContain(
      "generated/bank.gen.ts is made from no sheet any more; --clean removes it",
    );
    expect(modules(cwd)).toContain("bank.gen.ts");
    expect((await compile(cwd, "--clean")).stdout).toContain("removed   generated/bank.gen.ts");
    expect(modules(cwd)).toEqual(["index.gen.ts", "shop.gen.ts"]);
  });

  test("one sheet of several leaves the modules of the others alone, and in the index", async () => {
    const cwd = createFolder(sheets);
    await compile(cwd);
    const ended = await compile(cwd, "shop.csv", "--clean");
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(modules(cwd)).toEqual(["bank.gen.ts", "index.gen.ts", "shop.gen.ts"]);
    expect(read(cwd, "index.gen.ts")).toContain("bank");
    expect(await compile(cwd, "--check")).toMatchObject({ code: 0 });
  });

  test("--check writes nothing and shows a unified diff that patch takes", async () => {
    const cwd = createFolder(sheets);
    await compile(cwd);
    expect(await compile(cwd, "--check")).toMatchObject({ code: 0, stdout: "" });
    writeFileSync(
      join(cwd, "shop.csv"),
      `${HEADER}${SHOP}Shop,More,,echo,told,more,{told}\n`.replace("Tell,,", "Tell,More,"),
    );
    rmSync(join(cwd, "bank.csv"));
    const before = snapshot(cwd);
    const { code, stdout, stderr } = await compile(cwd, "--check");
    expect(code).toBe(1);
    expect(stderr).toContain("run: flowsheet compile --clean");
    expect(stdout).toContain("--- a/shop.gen.ts\n+++ b/shop.gen.ts\n@@");
    expect(stdout).toContain("+++ /dev/null");
    expect(snapshot(cwd)).toEqual(before);
    writeFileSync(join(cwd, "change.diff"), stdout);
    execFileSync("patch", ["-p1", "-s", "-d", "generated", "-i", "../change.diff"], { cwd });
    expect(await compile(cwd, "--check")).toMatchObject({ code: 0 });
  });

  test("line ends of a checkout make no difference", async () => {
    const cwd = createFolder(sheets);
    await compile(cwd);
    for (const file of modules(cwd))
      writeFileSync(join(cwd, "generated", file), read(cwd, file).replaceAll("\n", "\r\n"));
    expect(await compile(cwd, "--check")).toMatchObject({ code: 0, stdout: "" });
    expect((await compile(cwd, "shop.csv")).stdout.match(/unchanged generated/g)).toHaveLength(2);
    expect((await compile(cwd)).stdout.match(/unchanged generated/g)).toHaveLength(3);
    writeFileSync(join(cwd, "bank.csv"), HEADER + BANK.replace("{money}", "{money}!"));
    const { code, stdout } = await compile(cwd, "--check");
    expect(code).toBe(1);
    expect(stdout.match(/^[-+][^-+]/gm)?.length, "only what differs is shown").toBeLessThan(6);
  });

  test("an empty --out is refused, and so is nothing written", async () => {
    const cwd = createFolder(sheets);
    expect(await compile(cwd, "--out", "")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--out names no folder"),
    });
    expect(readdirSync(cwd).sort()).toEqual(["bank.csv", "shop.csv"]);
  });

  test("a table of something else is passed over, unless it is named", async () => {
    const cwd = createFolder({ ...sheets, "people.csv": "first,age\nAda,36\n" });
    const { code, stderr } = await compile(cwd);
    expect(code).toBe(0);
    expect(stderr).toContain("passed over people.csv");
    expect(modules(cwd)).toHaveLength(3);
    expect((await compile(cwd, "people.csv")).code).toBe(1);
    const alone = createFolder({ "people.csv": "first,age\nAda,36\n" });
    const none = await compile(alone);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no sheet") });
  });

  test("a sheet with errors writes nothing", async () => {
    const cwd = createFolder({ ...sheets, "bad.csv": `${HEADER}Bad,One,Nowhere,echo,a,b,\n` });
    const { code, stderr } = await compile(cwd);
    expect(code).toBe(1);
    expect(stderr).toContain("unknown-node");
    expect(existsSync(join(cwd, "generated"))).toBe(false);
  });
});

describe("files that are not ours", () => {
  test("C58: a file without our mark is kept, and nothing else is written", async () => {
    const cwd = createFolder({ ...sheets, "generated/shop.gen.ts": "export const mine = 1;\n" });
    const { code, stderr } = await compile(cwd, "--clean");
    expect(code).toBe(2);
    expect(stderr).toContain("generated/shop.gen.ts was not written by flowsheet, so it is left alone");
    expect(modules(cwd)).toEqual(["shop.gen.ts"]);
    expect(read(cwd, "shop.gen.ts")).toBe("export const mine = 1;\n");
    const checked = await compile(cwd, "--check");
    expect(checked).toMatchObject({ code: 2, stdout: "", stderr });
  });

  test("C56: a folder that is a link, or leads out of the project, is refused", async () => {
    const elsewhere = createFolder();
    const cwd = createFolder(sheets);
    symlinkSync(elsewhere, join(cwd, "generated"));
    expect(await compile(cwd)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is a symbolic link"),
    });
    const below = await compile(cwd, "--out", "generated/deep/er");
    expect(below).toMatchObject({ code: 2, stderr: expect.stringContaining("leads out of the project") });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("C57: a file that is a link is refused, wherever it leads", async () => {
    const elsewhere = createFolder({ "target.txt": "precious\n" });
    const cwd = createFolder(sheets);
    mkdirSync(join(cwd, "generated"));
    symlinkSync(join(elsewhere, "target.txt"), join(cwd, "generated/shop.gen.ts"));
    symlinkSync(join(elsewhere, "nowhere.txt"), join(cwd, "generated/index.gen.ts"));
    const { code, stderr } = await compile(cwd);
    expect(code).toBe(2);
    expect(stderr).toContain("generated/shop.gen.ts is a symbolic link, so it is left alone");
    expect(readFileSync(join(elsewhere, "target.txt"), "utf8")).toBe("precious\n");
    expect(readdirSync(elsewhere)).toEqual(["target.txt"]);
  });
});

describe("names and order", () => {
  test("C44, C45, C46: graphs whose files would be one get names of their own, whatever the order of rows", async () => {
    const names = [
      "Foo",
      "foo",
      "FOO bar",
      "foo-bar",
      "e\u0301te",
      "\u00e9te",
      "日本",
      "日出",
      "con",
      "index",
      "ﬁ",
      "fi",
    ];
    const rows = names.map((name) => `${name},A,,echo,x,y,\n`);
    const [one, two] = [rows, rows.toReversed()].map((lines) =>
      createFolder({ "all.csv": HEADER + lines.join("") }),
    );
    expect((await compile(one!)).code).toBe(0);
    expect((await compile(two!)).code).toBe(0);
    const files = modules(one!);
    expect(files).toHaveLength(names.length + 1);
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
    expect(files.filter((file) => !/^[a-z0-9-]+\.gen\.ts$/.test(file))).toEqual([]);
    expect(files).not.toContain("con.gen.ts");
    for (const file of files) expect(read(two!, file)).toBe(read(one!, file));
    // Every graph is in the index, each under another name.
    const exported = [...read(one!, "index.gen.ts").matchAll(/^export \{ (?:\w+ as )?(\w+) \}/gm)].map(
      ([, name]) => name,
    );
    expect(new Set(exported).size).toBe(names.length);
  });

  test("C54: rows in another order, other rows, locale and time zone change nothing", async () => {
    const rows = [
      "Order,Start,Left|Right,echo,order,seed,{order}\n",
      "Order,Left,Join,echo,seed,a,L {seed}\n",
      "Order,Right,Join,echo,seed,b,R {seed}\n",
      "Order,Join,End,echo,a|b,c,{a}{b}\n",
      "Order,End,,Check,c,d,\n",
    ];
    const agents = {
      "agents/check.ts":
        'import { defineAgent } from "flowsheet/agents";\nexport const Check = defineAgent(({ c }: { c: string }) => c);\n',
    };
    const first = createFolder({ ...agents, "s.csv": HEADER + rows.join("") });
    const mixed = [rows[0], BANK, ...rows.slice(1).toReversed(), SHOP].join("");
    const second = createFolder({ ...agents, "s.csv": HEADER + mixed });
    await compile(first);
    const env = { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", TZ: "Pacific/Kiritimati" };
    expect((await flowsheet(["compile"], { cwd: second, env })).code).toBe(0);
    expect(read(second, "order.gen.ts")).toBe(read(first, "order.gen.ts"));
    const again = createFolder({ ...agents, "s.csv": HEADER + rows.join("") });
    await compile(again);
    expect(read(again, "order.gen.ts")).toBe(read(first, "order.gen.ts"));
  });

  test("imports end in .ts where the project's tsconfig.json asks for it", async () => {
    const cwd = createFolder({
      ...sheets,
      "tsconfig.json": '{ // yes\n "compilerOptions": { "allowImportingTsExtensions": true } }',
    });
    await compile(cwd);
    expect(read(cwd, "index.gen.ts")).toContain('"./shop.gen.ts"');
  });
});

describe("running what was generated", () => {
  const run = (cwd: string, ...more: readonly string[]) =>
    flowsheet(["run", "shop.csv", "--generated", "--input", "who=Ada", ...more], { cwd });

  test("a module is stale as well when a graph that it runs has changed, in its sheet or in another one", async () => {
    const header = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context\n";
    const top = (inner: string) =>
      `${header}Top,A,,graph,who,said,,"{""graph"": ""Middle""}"\nMiddle,B,,graph,who,said,,"{""graph"": ""Inner""}"\n${inner}`;
    const inner = (said: string) => `Inner,C,,echo,who,said,${said} {who},\n`;
    for (const put of [
      (said: string) => ({ "top.csv": top(inner(said)) }),
      (said: string) => ({ "top.csv": top(""), "inner.csv": header + inner(said) }),
    ]) {
      const cwd = createFolder(put("Hello"));
      await compile(cwd);
      const go = () =>
        flowsheet(["run", "top.csv", "--graph", "Top", "--generated", "--input", "who=Ada"], { cwd });
      expect((await go()).code).toBe(0);
      for (const [name, text] of Object.entries(put("Goodbye"))) writeFileSync(join(cwd, name), text);
      const stale = await go();
      expect([stale.code, stale.stdout]).toEqual([1, ""]);
      expect(stale.stderr).toContain(
        'the module of "Inner", which "Top" runs, was made from another version',
      );
    }
  });

  test("the module runs; one whose sheet has changed its meaning is stale, one whose layout has changed is not", async () => {
    const cwd = createFolder(sheets);
    expect(await run(cwd)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no generated module"),
    });
    await compile(cwd);
    expect(JSON.parse((await run(cwd)).stdout)).toMatchObject({ told: "Hello Ada!" });
    writeFileSync(
      join(cwd, "shop.csv"),
      `# notes\n${HEADER.replace("\n", ",description\n")}${SHOP.replaceAll("\n", ",new words\n")}`,
    );
    expect((await run(cwd)).code).toBe(0);
    writeFileSync(join(cwd, "shop.csv"), HEADER + SHOP.replace("Hello", "Good day"));
    const stale = await run(cwd);
    expect(stale.code).toBe(1);
    expect(stale.stderr).toContain("generated/shop.gen.ts was made from another version of the sheet");
    expect(stale.stderr).toContain("run: flowsheet compile");
    await compile(cwd);
    expect(JSON.parse((await run(cwd)).stdout)).toMatchObject({ told: "Good day Ada!" });
  });
});
