// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what is tried here.
import { describe, expect, test } from "vitest";
import { checkModule } from "../../compiler/3-emit/check-module.js";
import { commentText } from "../../compiler/3-emit/literals.js";

const HEADER = "// one\n// two\n/* three */\n";
const VALUES = new Set(["node", "nodeOf", "nodes", "text", "defineGraph"]);
/** As long as a module of thousands of nodes. */
const LONG = `/** ${"a ".repeat(80)} */\n`.repeat(5_000);

const check = (code: string): void => checkModule(HEADER + code, { values: VALUES, header: HEADER });

describe.each([
  ["short", ""],
  ["long", LONG],
])("a %s module", (_, rest) => {
  test.each([
    ["a tagged template", "const node = text`x`;\n"],
    ["a tagged template with a hole", "const node = nodeOf<string>`x${text(1)}`;\n"],
    ["a tagged template after a bracket", "const nodes = [node]`x`;\n"],
    ["an import of a package", 'import { text } from "fs";\n'],
    ["an import of a part of a package", 'import type { text } from "flowsheet/graphs";\n'],
    ["an import in other letters", 'import { text } from "\\u0066s";\n'],
    ["an export from elsewhere", 'export { text } from "node:fs";\n'],
    ["an import of nothing", 'import "./other.js";\n'],
    ["an absolute import", 'import { text } from "/etc/passwd";\n'],
    ["the end of a script in a comment", "/** </ScRipt> */\nconst node = 1;\n"],
    ["a comment of a page in a comment", "/** <!-- x */\nconst node = 1;\n"],
  ])("may not hold %s", (_name, code) => {
    expect(() => check(code + rest)).toThrow("which no module may hold");
  });

  test("may hold templates and imports of our own", () => {
    check(`import { text } from "flowsheet/graph";\nimport { node } from "../agents/a.js";\n${rest}`);
    check(`const node = "a" + \`b\${text(1)}\`;\nconst nodes = [\`x\`, \`y\`];\n${rest}`);
  });
});

test("what a comment says of pages stays readable", () => {
  expect(commentText("a </script> b <!-- c --> d </SCRIPT >")).toBe(
    "a < /script> b < !-- c -- > d < /SCRIPT >",
  );
});
