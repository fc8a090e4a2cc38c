import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SheetDocument, type View } from "../../compiler/service/document.js";
import { hover } from "../../compiler/service/hover.js";
import { nameAt, occurrences } from "../../compiler/service/names.js";
import { declarations, definition, highlights, references } from "../../compiler/service/navigate.js";
import { prepareRename, rename } from "../../compiler/service/rename.js";
import { documentSymbols, workspaceSymbols } from "../../compiler/service/symbols.js";
import { about } from "../../runtime/agents/about.js";
import { howMany } from "../how-many.js";
import { testWorld } from "../world.js";
import { awkward } from "./awkward.js";

const isInside = (view: View, { start, end }: { readonly start: number; readonly end: number }): boolean =>
  start >= 0 && start <= end && end <= view.text.length;

/** Every request; what is answered lies inside the text, and edits stand apart. */
function askAll(view: View, offset: number, to: string, beside: readonly View[]): void {
  const name = nameAt(view, offset);
  const places = [
    ...(name === null
      ? []
      : [{ range: name.range }, ...occurrences(view, name), ...declarations(view, name)]),
    ...references(view, offset),
    ...highlights(view, offset),
    ...definition(view, offset).flatMap((one) => (one.kind === "place" ? [one] : [])),
    ...[hover(view, offset) ?? { range: { start: 0, end: 0 } }],
    ...documentSymbols(view).flatMap((one) => [one, { range: one.selection }, ...one.children]),
    ...workspaceSymbols([view], to.slice(0, 2)),
  ];
  for (const { range } of places) expect(isInside(view, range)).toBe(true);
  prepareRename(view, offset);
  const made = rename(view, offset, to, beside);
  if (made.kind === "refused") return;
  for (const { file, edits } of made.files) {
    const one = [view, ...beside].find((each) => each.file === file) as View;
    let last = 0;
    for (const edit of edits) {
      expect(isInside(one, edit) && edit.start >= last).toBe(true);
      last = edit.end;
    }
  }
}

function askAround(text: string, tested: string | null, at: readonly number[], to: string): void {
  const world = { world: testWorld(), about };
  const sheet = SheetDocument.open("sheet.csv", tested ?? text, world).view();
  const tests = tested === null ? [] : [text];
  const beside = tests.map((one) =>
    SheetDocument.open("sheet.test.csv", one, { ...world, testedGraphs: sheet.graphs }).view(),
  );
  const views = [sheet, ...beside];
  for (const view of views) for (const offset of at) askAll(view, offset % (view.text.length + 2), to, views);
}

const spans = fc.array(fc.nat(), { minLength: 1, maxLength: 6 });
const fresh = fc.oneof(
  fc.constantFrom(
    "x",
    "END",
    "*",
    "a|b",
    "",
    "error",
    "A>B",
    "true",
    "[1]",
    "# x",
    'a"b,c;d',
    "__proto__",
    "#REF!",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const bits = fc.constantFrom(
  '"',
  '""',
  ",",
  ";",
  "\n",
  "\r\n",
  "|",
  "{",
  "}",
  "=",
  ":",
  ".",
  ">",
  "[",
  "\ud83d",
  "//",
  "# ",
);

const mutated = fc
  .tuple(
    fc.constantFrom(...awkward),
    fc.array(fc.record({ at: fc.nat(), cut: fc.nat(9), put: fc.oneof(bits, fc.string({ maxLength: 3 })) }), {
      maxLength: 4,
    }),
  )
  .map(([{ text, tested }, edits]) => {
    let changed = text;
    for (const { at, cut, put } of edits) {
      const i = at % (changed.length + 1);
      changed = changed.slice(0, i) + put + changed.slice(i + cut);
    }
    return { text: changed, tested };
  });

describe("no request throws, on any text at any offset", () => {
  test("every offset of the awkward sheets", () => {
    for (const { text, tested } of awkward)
      askAround(text, tested, [0, 1, 2, 3, 5, 8, ...Array.from({ length: 12 }, (_, i) => i * 37)], "neu");
  });

  test("sheets with signs changed", () => {
    fc.assert(
      fc.property(mutated, spans, fresh, ({ text, tested }, at, to) => askAround(text, tested, at, to)),
      { numRuns: howMany(800, 100) },
    );
  });

  test("any text", () => {
    const head = fc.constantFrom(
      "",
      "graph_name,node_name,context,input_fields,prompt,agent_type\n",
      "case,given,mocks\n",
    );
    fc.assert(
      fc.property(head, fc.string({ unit: "binary", maxLength: 200 }), spans, fresh, (first, rest, at, to) =>
        askAround(first + rest, null, at, to),
      ),
      { numRuns: howMany(800, 100) },
    );
  });
});
