import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FOLDER = "dist/studio";
const files = readdirSync(FOLDER).filter((name) => !name.endsWith(".gz"));
const packed = (pattern: RegExp): number =>
  files
    .filter((name) => pattern.test(name))
    .reduce((sum, name) => sum + statSync(join(FOLDER, `${name}.gz`)).size, 0);

/** A file with those that it loads at once. */
function withImports(name: string): readonly string[] {
  const code = readFileSync(join(FOLDER, name), "utf8");
  const found = [...code.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g)].map(([, file = ""]) => file);
  return [name, ...found.flatMap(withImports)];
}

test("the page is an index, a style and some scripts, named by what is in them", () => {
  const kinds = files.map((name) => name.replace(/-(?:[0-9a-f]{12}|[0-9A-Z]{8})\./, "-#."));
  expect([...new Set(kinds)].sort()).toEqual([
    "chunk-#.js",
    "dagre.esm-#.js",
    "engine-#.js",
    "index.html",
    "layout-#.js",
    "main-#.js",
    "part-#.js",
    "style-#.css",
  ]);
  expect(kinds.length).toBeLessThan(12);
  const index = readFileSync(join(FOLDER, "index.html"), "utf8");
  for (const name of files.filter((one) => /^(main|style)/.test(one))) expect(index).toContain(`"${name}"`);
});

test("it stays small", () => {
  const weigh = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + statSync(join(FOLDER, `${name}.gz`)).size, 0);
  const atOnce = new Set(files.filter((name) => name.startsWith("main-")).flatMap(withImports));
  const engine = new Set(files.filter((name) => name.startsWith("engine-")).flatMap(withImports));
  const later = files.filter((name) => name.startsWith("part-") && !atOnce.has(name));
  expect(later.length).toBeGreaterThan(0);
  expect(weigh(atOnce) + packed(/^(index|style)/)).toBeLessThan(70 * 1024);
  expect(weigh(engine)).toBeLessThan(110 * 1024);
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
