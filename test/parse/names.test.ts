import { describe, expect, test } from "vitest";
import { oneRow, read, textAt } from "./read-sheet.js";

const codesOf = (column: "graph_name" | "node_name", name: string): readonly string[] =>
  read(oneRow({ [column]: name })).problems.map(({ code }) => code);

const both: readonly [string, string][] = [
  ["C18 a NUL", "a\0b"],
  ["a tab", "a\tb"],
  ["C09 a line feed", "a\nb"],
  ["C10 a carriage return", "a\rb"],
  ["C14 U+0085", "a\u0085b"],
  ["V41 an escape sequence", "a\x1b[2Jb"],
  ["C20 U+202E", "a\u202eb"],
  ["a left-to-right mark", "a\u200eb"],
  ["an Arabic letter mark", "a\u061cb"],
  ["an isolate", "a\u2066b"],
  ["a bar", "a|b"],
  ["C47 129 characters", "x".repeat(129)],
  ["C47 10,000 characters", "x".repeat(10_000)],
  ["a zero-width space at the start", "\u200bab"],
  ["a zero-width joiner at the end", "ab\u200d"],
  ["a zero-width space beside a space", "a \u200bb"],
  ["U+FEFF beside a space", "a \ufeff b"],
  ["a joiner beside a mark", "a\u200d-b"],
];

describe.each(["graph_name", "node_name"] as const)("%s", (column) => {
  test.each(both)("bad-name: %s", (_, name) => {
    expect(codesOf(column, name)).toEqual(["bad-name"]);
  });

  test.each(["__proto__", "prototype", "constructor", " constructor "])(
    "reserved-name: C32 C33 C34 %s",
    (name) => {
      expect(codesOf(column, name)).toEqual(["reserved-name"]);
    },
  );

  test.each([
    ["C01", "*> globalThis.PWN=1; <*"],
    ["C03", "`;globalThis.PWN=1;`"],
    ["C04", "$" + "{globalThis.PWN=1}"],
    ["C05", '"; globalThis.PWN=1; "'],
    ["C12 U+2028", "a\u2028b"],
    ["C19 U+FEFF inside a word", "a\ufeffb"],
    ["C21 a zero-width joiner inside a word", "क्\u200dष"],
    ["a zero-width non-joiner inside a word", "می\u200cخواهم"],
    ["a zero-width space inside a word", "ab\u200bcd"],
    ["C40 an emoji", "👩\u200d👧\u200d👦 ok"],
    ["an emoji with a skin tone", "👩🏽\u200d🚀"],
    ["an emoji with a selector", "❤\ufe0f\u200d🔥"],
    ["C35 toString", "toString"],
    ["C31 class", "class"],
    ["END", "END"],
    ["__Proto__", "__Proto__"],
    ["128 characters", "x".repeat(128)],
    ["128 emoji", "😀".repeat(128)],
  ])("fine: %s", (_, name) => {
    expect(codesOf(column, name)).toEqual([]);
    expect(read(oneRow({ [column]: name })).rows[0]).toMatchObject({
      [column.slice(0, 5) === "graph" ? "graph" : "node"]: { name },
    });
  });
});

test.each(["a/b", "a\\b", "a::b", "*/ globalThis.PWN=1; /*"])("%s names a node, but no graph", (name) => {
  expect(codesOf("graph_name", name)).toEqual(["bad-name"]);
  expect(codesOf("node_name", name)).toEqual([]);
});

test("a single colon is fine in a graph's name", () => {
  expect(codesOf("graph_name", "a:b: c")).toEqual([]);
});

test("129 emoji are too many", () => {
  expect(codesOf("node_name", "😀".repeat(129))).toEqual(["bad-name"]);
});

test("the place of a name is its trimmed text, and the name is kept", () => {
  const text = 'graph_name,node_name\n" G|H ",\u00a0\ufeffconstructor \n';
  const { found, problems, rows } = read(text);
  expect(found).toEqual(["bad-name 2:3 A2", "reserved-name 2:11 B2"]);
  expect(problems.map((problem) => textAt(text, problem))).toEqual(["G|H", "constructor"]);
  expect(rows[0]).toMatchObject({ graph: { name: "G|H" }, node: { name: "constructor" }, damaged: false });
  expect(problems[0]).toMatchObject({
    severity: "error",
    column: "graph_name",
    graph: "G|H",
    node: "constructor",
  });
});

test("C50 agent types are only text here", () => {
  for (const type of ["../../evil", "node:fs", "http://x/a.js", "constructor"]) {
    const { found, rows } = read(oneRow({ agent_type: type }));
    expect(found).toEqual([]);
    expect(rows[0]?.agent.name).toBe(type);
  }
});
