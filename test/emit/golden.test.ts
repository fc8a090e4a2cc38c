import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CASES, caseFolders, expectGolden, problemText, understandCase } from "../cases/case-folder.js";
import { emitCase } from "./cases.js";

describe.each(caseFolders().filter((name) => name.startsWith("emit/")))("%s", (folder) => {
  const sheet = understandCase(folder, "input.csv");
  const { graphs, diagnostics } = sheet;
  const files = emitCase(folder, graphs);

  test("has no errors", () => {
    expect(
      diagnostics.filter(({ severity }) => severity === "error"),
      problemText(sheet),
    ).toEqual([]);
  });

  test("is printed as its goldens show", () => {
    for (const [name, text] of files) expectGolden(join(CASES, folder, name), text);
    const there = readdirSync(join(CASES, folder)).filter((name) => name.endsWith(".gen.ts"));
    expect(there.sort()).toEqual([...files.keys()].sort());
  });

  test("reads like hand-written code", () => {
    for (const text of files.values()) {
      const lines = text.split("\n").slice(1);
      expect(lines.filter((line) => line.length > 120)).toEqual([]);
      expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
      expect(text.endsWith("\n") && !text.endsWith("\n\n")).toBe(true);
      // Beside imports and exports, which rename with it, and beside text.
      const code = lines.filter((line) => !/^(?:import|export) |^ {2}\S+ as \S+,$/.test(line)).join("\n");
      expect(code.replace(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\//g, "")).not.toMatch(
        /\b(?:as|any)\b/,
      );
    }
  });
});
