import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FOLDER = "dist/studio";
const files = readdirSync(FOLDER).filter((name) => !name.endsWith(".gz"));
const packed = (pattern: RegExp): number =>
  files
    .filter((name) => pattern.test(name))
    .reduce((sum, name) => sum + statSync(join(FOLDER, `${name}.gz`)).size, 0);

test("the page is an index, a style and three scripts, named by what is in them", () => {
  expect(files.map((name) => name.replace(/-[0-9a-f]{12}\./, "-#.")).sort()).toEqual([
    "engine-#.js",
    "index.html",
    "layout-#.js",
    "main-#.js",
    "style-#.css",
  ]);
  const index = readFileSync(join(FOLDER, "index.html"), "utf8");
  for (const name of files.filter((one) => /^(main|style)/.test(one))) expect(index).toContain(`"${name}"`);
});

test("it stays small", () => {
  expect(packed(/^(index|main|style)/)).toBeLessThan(70 * 1024);
  expect(packed(/^engine/)).toBeLessThan(110 * 1024);
  expect(packed(/./)).toBeLessThan(250 * 1024);
});

test.each(files.filter((name) => name.endsWith(".js")))(
  "%s makes no code of text, and needs nothing of Node",
  (name) => {
    const code = readFileSync(join(FOLDER, name), "utf8");
    expect(code).not.toMatch(/\beval\(|\bnew Function\(|document\.write\(/);
    expect(code).not.toMatch(/["']node:|\brequire\(["']|\bBuffer\./);
  },
);

test("our own sources make no markup of text", () => {
  const sources = readdirSync("runtime/studio/page", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|html)$/.test(name))
    .map((name) => readFileSync(join("runtime/studio/page", name), "utf8"));
  expect(sources.length).toBeGreaterThan(10);
  for (const text of sources) {
    expect(text).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment/i,
    );
    expect(text).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
  }
});
