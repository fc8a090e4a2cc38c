import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { Tokens } from "../../compiler/3-emit/tokens.js";

/** The tokens of a module; null where one is refused. */
function cut(text: string): readonly string[] | null {
  const refused = new Error("refused");
  const tokens = new Tokens(text, () => {
    throw refused;
  });
  const found: string[] = [];
  const open: string[] = [];
  try {
    for (tokens.next(); tokens.kind !== "end"; tokens.next()) {
      if (tokens.word === "}" && open.pop() === "hole") tokens.endHole();
      if (tokens.word === "{") open.push("brace");
      if (tokens.word.endsWith("${")) open.push("hole");
      found.push(tokens.word);
    }
  } catch (thrown) {
    if (thrown !== refused) throw thrown;
    return null;
  }
  return found;
}

/** The tokens that TypeScript finds; null where its parser reports an error. */
function cutByTypeScript(text: string): readonly string[] | null {
  const file = ts.createSourceFile("module.ts", text, ts.ScriptTarget.ESNext, true);
  const { parseDiagnostics = [] } = file as unknown as { readonly parseDiagnostics?: readonly object[] };
  if (parseDiagnostics.length > 0) return null;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const parts = node.getChildren(file);
    if (ts.isJSDoc(node)) return;
    if (parts.length > 0) for (const part of parts) visit(part);
    else if (node.getText(file) !== "") found.push(node.getText(file));
  };
  visit(file);
  return found;
}

const modules = readdirSync("generated")
  .filter((name) => name.endsWith(".gen.ts"))
  .map((name) => [name, readFileSync(join("generated", name), "utf8")] as const);

/** Pieces that could make two readers of a module disagree. */
const PIECES = [
  ..."`$\"\\/*'<>=.1e \n",
  "{",
  "}",
  "${",
  "//",
  "/*",
  "*/",
  "\\`",
  "\\${",
  '\\"',
  "1n",
  "0x1",
  "`a`",
  "é",
  "𝒜",
];

/** A random number below the count, the same in every run. */
function dice(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * count);
  };
}

describe.each(modules)("%s", (_name, text) => {
  test("has the tokens that TypeScript finds", () => {
    expect(cut(text)).toEqual(cutByTypeScript(text));
  });

  test("has them, or is refused, with pieces put in and taken out", () => {
    const below = dice(text.length);
    const rounds = process.env["CI"] === "true" ? 100 : 10;
    for (let round = 0; round < rounds; round++) {
      const at = below(text.length);
      const changed = text.slice(0, at) + PIECES[below(PIECES.length)] + text.slice(at + below(3));
      const [own, theirs] = [cut(changed), cutByTypeScript(changed)];
      if (own !== null && theirs !== null) expect(own, changed).toEqual(theirs);
    }
  });
});
