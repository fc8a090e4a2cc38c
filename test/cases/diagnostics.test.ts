import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Code, catalogue } from "../../compiler/diagnostics/catalogue.js";
import type { Explanation } from "../../compiler/diagnostics/explanations/explanation.js";
import { explanations } from "../../compiler/diagnostics/explanations/index.js";
import { CASES, caseFolders, expectGolden, graphText, problemText, understandCase } from "./case-folder.js";

const folders = caseFolders();
const explanationOf = (code: Code): Explanation => explanations[code];

describe.each(folders)("%s", (folder) => {
  test("problems", () => {
    expectGolden(join(CASES, folder, "diagnostics.txt"), problemText(understandCase(folder, "input.csv")));
  });
});

const clean = folders.filter((folder) => folder.startsWith("clean/"));

describe.each(clean)("%s", (folder) => {
  const understanding = understandCase(folder, "input.csv");

  test("has no problems", () => {
    expect(problemText(understanding)).toBe("no problems\n");
  });

  test("is understood", () => {
    expectGolden(join(CASES, folder, "graphs.txt"), graphText(understanding));
  });
});

/** `diagnostics/<code>` or `diagnostics/<code>/<case>`. */
const ofCode = folders.filter((folder) => folder.startsWith("diagnostics/"));
const codeOf = (folder: string): string => folder.split("/")[1] ?? "";

test("every code has a case", () => {
  const shown = new Set(ofCode.map(codeOf));
  const found = (Object.keys(catalogue) as Code[]).filter((code) => explanationOf(code).notInCsv !== true);
  expect(found.filter((code) => !shown.has(code))).toEqual([]);
});

test("every folder is named for a code", () => {
  expect(ofCode.filter((folder) => !Object.hasOwn(catalogue, codeOf(folder)))).toEqual([]);
});

describe.each(ofCode)("%s", (folder) => {
  test("shows its code", () => {
    const codes = understandCase(folder, "input.csv").diagnostics.map(({ code }) => code);
    expect(codes).toContain(codeOf(folder));
  });

  test("stays silent on the near miss", () => {
    expect(existsSync(join(CASES, folder, "near-miss.csv"))).toBe(true);
    expect(problemText(understandCase(folder, "near-miss.csv"))).toBe("no problems\n");
  });
});
