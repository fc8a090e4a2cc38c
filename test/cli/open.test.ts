import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inCi } from "../how-many.js";
import { createFolder } from "./folder.js";
import { flowsheetProcess } from "./process.js";
import { flowsheet } from "./run.js";
import { CLEAN } from "./sheets.js";

const MB = 1024 * 1024;

describe("what cannot be opened: exit 2, and the other sheets are checked all the same", () => {
  const cases: readonly (readonly [name: string, prepare: (path: string) => void, why: string])[] = [
    ["V25: /dev/zero", (path) => symlinkSync("/dev/zero", path), "it is not a regular file"],
    [
      "V26: a pipe that nobody writes to",
      (path) => execFileSync("mkfifo", [path]),
      "it is not a regular file",
    ],
    ["V27: a folder", (path) => mkdirSync(path), "it is a folder"],
    ["V29: a file that is not there", () => {}, "there is no such file"],
    ["a link to itself", (path) => symlinkSync(path, path), "its links lead in a circle"],
    ["a file used as a folder", (path) => symlinkSync("/etc/passwd/x", path), "there is no such file"],
  ];
  test.each(cases)("%s", async (_name, prepare, why) => {
    const cwd = createFolder({ "b.csv": CLEAN });
    prepare(join(cwd, "x.csv"));
    const started = performance.now();
    const { code, stdout, stderr } = await flowsheet(["validate", "--csv", "x.csv", "--csv", "b.csv"], {
      cwd,
    });
    expect(performance.now() - started).toBeLessThan(30_000);
    expect([code, stdout]).toEqual([2, "b.csv: no problems (1 graph, 2 nodes)\n"]);
    expect(stderr).toMatch(new RegExp(`^error: cannot open x\\.csv: ${why}`));
    expect(stderr).not.toContain("    at ");
  });

  test("V28: a file that must not be read", async () => {
    const cwd = createFolder({ "x.csv": CLEAN });
    chmodSync(join(cwd, "x.csv"), 0);
    const { code, stderr } = await flowsheetProcess(["validate", "x.csv"], { cwd, unprivileged: true });
    expect([code, stderr]).toEqual([2, "error: cannot open x.csv: permission denied\n"]);
  });

  test("V29: a misspelt name gets a suggestion", async () => {
    const cwd = createFolder({ "flows/support.csv": CLEAN });
    expect((await flowsheet(["validate", "flows/suport.csv"], { cwd })).stderr).toBe(
      "error: cannot open flows/suport.csv: there is no such file\n  = help: did you mean flows/support.csv?\n",
    );
  });

  test("a name that no file can have", async () => {
    const { code, stderr } = await flowsheet(["validate", `${"x".repeat(5_000)}.csv`], {
      cwd: createFolder(),
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining("its name is too long")]);
  });
});

describe("V24: what is too large is told quickly", () => {
  test("a sparse file of 1 GB", async () => {
    const cwd = createFolder({ "x.csv": CLEAN });
    truncateSync(join(cwd, "x.csv"), 1024 * MB);
    const started = performance.now();
    const { code, stdout, stderr } = await flowsheet(["validate", "x.csv"], { cwd });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(
      /^error sheet-too-large: the sheet is too large: it has 1024 MB\n {2}--> x\.csv:1:1 [\s\S]*the limit is 50 MB/,
    );
  });

  test("a sparse file is not rewritten by --fix", async () => {
    const cwd = createFolder({ "x.csv": CLEAN });
    truncateSync(join(cwd, "x.csv"), 51 * MB);
    expect((await flowsheet(["validate", "--fix", "x.csv"], { cwd })).code).toBe(1);
  });

  test("endless standard input", async () => {
    const { code, stdout } = await flowsheet(["validate", "-", "--json"], {
      input: Buffer.alloc(51 * MB, "a,b\n"),
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      errors: 1,
      diagnostics: [{ code: "sheet-too-large", line: 1, column: 1, cell: "A1" }],
    });
  });

  test.skipIf(!inCi)("a file of the largest size is read", async () => {
    const cwd = createFolder();
    writeFileSync(join(cwd, "x.csv"), Buffer.alloc(50 * MB, " "));
    expect((await flowsheet(["validate", "x.csv"], { cwd })).stdout).not.toContain("has 50 MB");
  });
});
