import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SheetDocument } from "../../compiler/service/document.js";
import { hover } from "../../compiler/service/hover.js";
import { nameAt } from "../../compiler/service/names.js";
import { about } from "../../runtime/agents/about.js";
import { testWorld } from "../world.js";

/** The Markdown over each name of a sheet, once. */
function hoversOf(text: string, file = "sheet.csv"): readonly string[] {
  const view = SheetDocument.open(file, text, { world: testWorld(), about }).view();
  const found = new Map<string, string>();
  for (let offset = 0; offset <= text.length; offset++) {
    const name = nameAt(view, offset);
    if (name === null) continue;
    const { range, ...key } = name;
    const id = JSON.stringify(key);
    if (!found.has(id)) found.set(id, hover(view, offset)?.markdown ?? "");
  }
  return [...found.values()];
}

describe("types are those of the generated module", () => {
  const generated = readdirSync("generated")
    .map((name) => readFileSync(`generated/${name}`, "utf8"))
    .join("\n");
  const examples = readdirSync("examples").filter(
    (name) => name.endsWith(".csv") && !name.endsWith(".test.csv"),
  );
  test.each(examples)("%s", (name) => {
    const blocks = hoversOf(readFileSync(`examples/${name}`, "utf8"), `examples/${name}`).filter((one) =>
      one.startsWith("```ts"),
    );
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(generated).toContain(`  ${block.split("\n")[1]};\n`);
  });
});

const EVIL = [
  "[click](http://evil.example) ![x](http://evil.example/x.png) <img src=x onerror=alert(1)>",
  "http://evil.example www.evil.example evil@evil.example <http://evil.example>",
  "`x` ``` ~~~ **b** _i_ # h &lt; &#60; \\",
  "a\n\n# heading\n\n```\n[x]: http://evil.example\n\n- item\n> quote\n| a | b |",
  "[x][y] [x] <!-- c --> $(command:x) \u202e\u200b",
];

/** What is left of Markdown without its code: there each sign of the sheet's text stands behind a backslash. */
function besideCode(markdown: string): string {
  const prose = markdown.replace(/^```ts\n.*?\n```$/gms, "");
  return prose.replace(/(?<![\\`])(`+)(?!`).+?(?<!`)\1(?!`)/g, "").replace(/\\[!-/:-@[-`{-~]/g, "");
}

describe("a sheet's text makes nothing but text", () => {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const line = (text: string): string => text.replaceAll("\n", " ").replaceAll("|", "/");
  test.each(EVIL)("%s", (evil) => {
    const name = cell(line(evil));
    const text = [
      "graph_name,node_name,next_node,agent_type,output_field,prompt,description,context",
      `G,${name},Next,${name},x,file:a.md,${cell(evil)},"{""${line(evil).replaceAll("\\", "\\\\")}"": 1}"`,
      `G,Next,${name},switch,"kind:'${line(evil).replaceAll('"', "").replaceAll("'", "")}'",,,`,
      "",
    ].join("\n");
    const prompt = (): { text: string } => ({ text: evil });
    const world = { world: testWorld({ prompt }), about };
    const view = SheetDocument.open("sheet.csv", text, world).view();
    let seen = 0;
    for (let offset = 0; offset <= text.length; offset++) {
      const markdown = hover(view, offset)?.markdown;
      if (markdown === undefined) continue;
      seen++;
      const prose = besideCode(markdown);
      expect(prose).not.toMatch(/[<>[\]!`~|&@\\#]|:\/\/|www\.|\$\(|_i_|\*\*b|[\u202e\u200b]/);
    }
    expect(seen).toBeGreaterThan(20);
  });
});

test("a header says what its column is", () => {
  const text = "Workflow,Step,# mine,prompt,context.retry\nG,A,,,3\n";
  const view = SheetDocument.open("sheet.csv", text, { world: testWorld(), about }).view();
  const said = (word: string): string | undefined => hover(view, text.indexOf(word))?.markdown;
  expect(said("Workflow")).toBe(`\`graph_name\` · column A\n\n${about.columns.graph_name}`);
  expect(said("# mine")).toBe("A private column: it is ignored.");
  expect(said("retry")).toContain(about.everyNode["retry"]);
  expect(said("3\n")).toBeUndefined();
});

test("a field that may be unset says why", () => {
  const text = [
    "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt",
    "G,Ask,,branching,Write,Read,q,,",
    "G,Write,Read,echo,,,q,note,{q}",
    "G,Read,,echo,,,note,,{note}",
    "",
  ].join("\n");
  const view = SheetDocument.open("sheet.csv", text, { world: testWorld(), about }).view();
  expect(hover(view, text.indexOf("note,{q}"))?.markdown).toContain(
    "It may be unset at `Read`: the caller may leave it out, and nothing writes it on the way `Ask` → `Read`.",
  );
});
