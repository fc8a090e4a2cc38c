import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { loadedModules, TRACING } from "../cli/tracing.js";
import { HELLO, sheetOf } from "../run/sheets.js";

const ID = /^run ([0-9a-f]{32})$/m;
const project = (more: { readonly [file: string]: string } = {}): string =>
  createFolder({ "flowsheet.yaml": "", "a.csv": HELLO, ...more });

describe("run in a project", () => {
  test("tells the id of the run at once, and keeps the run", async () => {
    const cwd = project();
    const ended = await flowsheet(["run", "a.csv", "--json"], { cwd });
    const [, id = ""] = ID.exec(ended.stderr) ?? [];
    expect(ended.code).toBe(3);
    expect(ended.stderr.startsWith(`run ${id}\n`)).toBe(true);
    expect(JSON.parse(ended.stdout)).toMatchObject({ run_id: id, status: "suspended" });
    const done = await flowsheet(["resume", id, "--answer", "Ask=Ada"], { cwd });
    expect([done.code, JSON.parse(done.stdout)]).toEqual([0, { name: "Ada", greeting: "Hello Ada" }]);
  });

  test("says nothing of it with --quiet", async () => {
    const ended = await flowsheet(["run", "a.csv", "--quiet"], { cwd: project() });
    expect([ended.code, ended.stderr]).toEqual([3, ""]);
  });

  test("goes on after the edit of a prompt that stands in a file", async () => {
    const sheet = sheetOf("H,Say,Ask,echo,,,,said,file:say.md,", "H,Ask,,input,,,,name,?,");
    const cwd = project({ "a.csv": sheet, "prompts/say.md": "as it was" });
    const { stderr } = await flowsheet(["run", "a.csv"], { cwd });
    const [, id = ""] = ID.exec(stderr) ?? [];
    const edited = createFolder({ "prompts/say.md": "as it is" });
    const { cpSync } = await import("node:fs");
    cpSync(join(edited, "prompts"), join(cwd, "prompts"), { recursive: true });
    const done = await flowsheet(["resume", id, "--answer", "Ask=Ada"], { cwd });
    expect(JSON.parse(done.stdout)).toEqual({ said: "as it was", name: "Ada" });
  });

  test("a run whose process was killed goes on, and repeats no step that was kept", async () => {
    const effects = `import { appendFileSync, existsSync, writeFileSync } from "node:fs";
      import { defineAgent } from "flowsheet";
      export const mark = defineAgent((_given, context) => { appendFileSync("calls.txt", context.key.split("/")[1] + "\\n"); return context.key.split("/")[1]; });
      export const die = defineAgent(async (_given, context) => {
        appendFileSync("calls.txt", context.key.split("/")[1] + "\\n");
        if (!existsSync("died")) { writeFileSync("died", ""); process.kill(process.pid, "SIGKILL"); await new Promise(() => {}); }
        return "lives";
      });`;
    const sheet = sheetOf("K,A,B,mark,,,,a,,", "K,B,C,die,,,,b,,", "K,C,,mark,,,,c,,");
    const cwd = project({ "a.csv": sheet, "agents/odd.js": effects });
    const killed = await flowsheetProcess(["run", "a.csv"], { cwd });
    expect(killed.signal).toBe("SIGKILL");
    const [, id = ""] = ID.exec(killed.stderr) ?? [];
    const done = await flowsheetProcess(["resume", id], { cwd });
    expect([done.code, JSON.parse(done.stdout)]).toEqual([0, { a: "A", b: "lives", c: "C" }]);
    expect(readFileSync(join(cwd, "calls.txt"), "utf8")).toBe("A\nB\nB\nC\n");
  });

  test("an agent that can never finish fails the run", async () => {
    const never =
      'import { defineAgent } from "flowsheet";\nexport const odd = defineAgent(() => new Promise(() => {}));';
    const cwd = project({ "a.csv": sheetOf("S,A,,odd,,,,x,,"), "agents/odd.js": never });
    const ended = await flowsheetProcess(["run", "a.csv", "--json"], { cwd });
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout).error).toMatchObject({
      message: "an agent never finished, and nothing is left that it could wait for",
      ...{ node: "A", file: "a.csv", line: 2, cell: "D2" },
    });
  });
});

test.each([
  ["without a configuration", {}],
  ["with keep: waiting", { "flowsheet.yaml": "runs: { keep: waiting }" }],
])("a run %s that does not wait loads no store, and makes no folder", async (_name, files) => {
  const cwd = createFolder({ "a.csv": sheetOf("H,Greet,,echo,,,name,greeting,Hello {name},"), ...files });
  const ended = await flowsheetProcess(["run", "a.csv", "--input", "name=Ada"], { cwd, node: TRACING });
  expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, { name: "Ada", greeting: "Hello Ada" }]);
  expect(ended.stderr).not.toMatch(/^run /m);
  expect(loadedModules(ended.stderr).filter((one) => /sqlite|kept-runs|keep-/.test(one))).toEqual([]);
  expect(existsSync(join(cwd, ".flowsheet"))).toBe(false);
  expect(readdirSync(cwd).sort()).toEqual(["a.csv", ...Object.keys(files)]);
});

const PASSWORD = "runs.store holds a password, which must not stand in this file";
const MUST = "runs.store must be sqlite, or the address of a PostgreSQL server";

test.each([
  ["postgres://ada:canary@db/x", {}, PASSWORD],
  ["postgres://db/x?password=canary", {}, PASSWORD],
  ["postgres://db/x?sslmode=verify-full&sslpassword=canary", {}, PASSWORD],
  ["env:DB:postgres://ada:canary@db/x", {}, PASSWORD],
  ["postgres://ada:can/ary canary@db/x", {}, MUST],
  ["env:DB", { DB: "mysql://ada:canary@db/x" }, MUST],
  ["env:DB", { DB: "postgres://ada:canary@one,two/x" }, MUST],
  ["env:DB", { DB: "canary" }, MUST],
  ["canary", {}, MUST],
  ["env:DB", {}, "runs.store refers to env:DB, which is not set"],
])("what is no store is refused, with its place and without a password: %s %o", async (store, env, why) => {
  const cwd = project({ "flowsheet.yaml": `runs:\n  store: "${store}"\n` });
  const ended = await flowsheet(["run", "a.csv"], { cwd, env });
  expect([ended.code, ended.stdout]).toEqual([2, ""]);
  expect(ended.stderr).toContain(`flowsheet.yaml:2:10: ${why}`);
  const checked = await flowsheet(["validate", "--section", "runs"], { cwd, env });
  expect(checked.code).not.toBe(0);
  const told = ended.stderr + checked.stderr + checked.stdout;
  expect(store === "canary" ? "" : told).not.toContain("canary");
});
