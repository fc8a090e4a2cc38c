import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../compiler/diagnostics/catalogue.js";
import { CASES, caseFolders, expectGolden, problemText, understandCase } from "./case-folder.js";

const folders = caseFolders();

describe.each(folders)("%s", (folder) => {
  test("problems", () => {
    expectGolden(join(CASES, folder, "diagnostics.txt"), problemText(understandCase(folder, "input.csv")));
  });
});

const ofCode = folders.filter((folder) => folder.startsWith("diagnostics/"));
const codeOf = (folder: string): string => folder.split("/")[1] ?? "";

test("every code has a case", () => {
  const shown = new Set(ofCode.map(codeOf));
  expect(Object.keys(catalogue).filter((code) => !shown.has(code))).toEqual([]);
});

describe.each(ofCode)("%s", (folder) => {
  const code = codeOf(folder);

  test("shows its code", () => {
    expect(understandCase(folder, "input.csv").diagnostics.map((found) => found.code)).toContain(code);
  });

  test("stays silent on the near miss", () => {
    expect(existsSync(join(CASES, folder, "near-miss.csv"))).toBe(true);
    expect(
      understandCase(folder, "near-miss.csv").diagnostics.filter((found) => found.code === code),
    ).toEqual([]);
  });
});
