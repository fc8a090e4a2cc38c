import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectGolden } from "../cases/case-folder.js";
import { flowsheet } from "../cli/run.js";

/** Each folder holds a sheet, its test sheet, and all that `flowsheet test` says of them. */
const CASES = "test/testing/cases";

test.each(readdirSync(CASES))("%s", async (name) => {
  const folder = join(CASES, name);
  const list = join(folder, "arguments.txt");
  const args = existsSync(list) ? readFileSync(list, "utf8").trim().split(" ") : [];
  const { code, stdout, stderr } = await flowsheet(["test", ...args], { cwd: folder });
  expectGolden(
    join(folder, "output.txt"),
    `${stdout}${stderr === "" ? "" : `--- stderr\n${stderr}`}--- exit ${code}\n`,
  );
  expect(stdout + stderr).not.toMatch(/\n\s+at /);
});
