import { expect, test } from "vitest";
import { SheetDocument } from "../../compiler/service/document.js";
import { fixAll } from "../../compiler/service/fixes.js";
import { EDITOR_LIMITS } from "../../compiler/service/limits.js";
import { testWorld } from "../world.js";

const HEAD = "graph_name,node_name,next_node,prompt";

test("more problems than one cell is told of: the last says so, and what is told is mended", () => {
  const text = `${HEAD}\nG,A,"B${"|B".repeat(150_000)}",\nG,B,,\n`;
  const view = SheetDocument.open("a.csv", text, { world: testWorld() }).view();
  const repeated = view.diagnostics.filter(({ code }) => code === "duplicate-target");
  expect(repeated.length).toBe(EDITOR_LIMITS.problems);
  expect(repeated.at(-1)?.help).toMatch(/there are more of this kind in this cell than are told/);
  expect(repeated.at(-2)?.help).not.toMatch(/there are more/);
  const removed = fixAll(view).reduce((sum, { start, end }) => sum + end - start, 0);
  expect(removed).toBe(2 * EDITOR_LIMITS.problems);
});

test("rows that are too long are mended all at once", () => {
  const rows = Array.from({ length: 3_000 }, (_, i) => `G,A${i},,Hello, you`);
  const text = `${HEAD}\n${rows.join("\n")}\n`;
  const view = SheetDocument.open("a.csv", text, { world: testWorld() }).view();
  const fixable = view.diagnostics.filter(({ code, fix }) => code === "long-row" && fix !== null);
  expect(fixable.length).toBe(3_000);
});
