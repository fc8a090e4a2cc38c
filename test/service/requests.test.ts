import { expect, test } from "vitest";
import type { Edit } from "../../compiler/diagnostics/diagnostic.js";
import type { View } from "../../compiler/service/document.js";
import { hover } from "../../compiler/service/hover.js";
import { nameAt, occurrences } from "../../compiler/service/names.js";
import { definition, highlights } from "../../compiler/service/navigate.js";
import { rename } from "../../compiler/service/rename.js";
import { documentSymbols, type SheetSymbol } from "../../compiler/service/symbols.js";
import { expectGolden } from "../cases/case-folder.js";
import { openNamed, sheetPairs } from "./awkward.js";

const FRESH: { readonly [kind: string]: string } = {
  node: 'Neu, "9"; 新',
  graph: "Neu, 9",
  field: "neu_9",
  param: "neu_9",
};

const shown = (view: View, { start, end }: { readonly start: number; readonly end: number }): string =>
  JSON.stringify(view.text.slice(start, end));

/** Every request at the first place of every name. */
function answers(views: readonly View[]): string {
  const lines: string[] = [];
  for (const view of views) {
    lines.push(`# ${view.file}`, ...symbolLines(view, documentSymbols(view), ""));
    const seen = new Set<string>();
    for (let offset = 0; offset <= view.text.length; offset++) {
      const name = nameAt(view, offset);
      if (name === null) continue;
      const { range, ...key } = name;
      const id = JSON.stringify(key);
      if (seen.has(id)) continue;
      seen.add(id);
      lines.push("", ...nameLines(views, view, offset));
    }
  }
  return `${lines.join("\n")}\n`;
}

function symbolLines(view: View, symbols: readonly SheetSymbol[], indent: string): readonly string[] {
  return symbols.flatMap(({ name, kind, detail, selection, children }) => [
    `${indent}${kind} ${JSON.stringify(name)} (${detail}) at ${shown(view, selection)}`,
    ...symbolLines(view, children, `${indent}  `),
  ]);
}

function nameLines(views: readonly View[], view: View, offset: number): readonly string[] {
  const name = nameAt(view, offset);
  if (name === null) return [];
  const { kind, graph, node } = name;
  const owner = [graph, node].filter((one) => one !== null).map((one) => JSON.stringify(one));
  const defined = definition(view, offset).map((one) =>
    one.kind === "place"
      ? `${shown(view, one.range)} at ${one.range.start}`
      : `${one.kind} ${wordsOf(one.name)}`,
  );
  const lit = highlights(view, offset);
  expect(lit.map(({ range }) => range)).toEqual(occurrences(view, name).map(({ range }) => range));
  const places = views.flatMap((one) =>
    occurrences(one, name).map(
      ({ cell, role, range }) => `${one === view ? "" : `${one.file} `}${cell} ${role} ${shown(one, range)}`,
    ),
  );
  return [
    `## ${kind} ${shown(view, name.range)}${owner.length > 0 ? ` of ${owner.join(", ")}` : ""}`,
    `definition: ${defined.join(", ") || "none"}`,
    `references: ${places.join(", ")}`,
    ...renameLines(views, view, offset, FRESH[kind] ?? "other"),
    ...(hover(view, offset)?.markdown ?? "no hover").split("\n").map((line) => `  | ${line}`.trimEnd()),
  ];
}

const wordsOf = (name: string | object): string => (typeof name === "string" ? name : JSON.stringify(name));

function renameLines(views: readonly View[], view: View, offset: number, to: string): readonly string[] {
  const made = rename(view, offset, to, views);
  if (made.kind === "refused") return [`rename: refused, ${made.why}`];
  const edits = made.files.flatMap(({ file, edits: list }) => {
    const one = views.find((each) => each.file === file) as View;
    return list.map(
      (edit: Edit) =>
        `${file === view.file ? "" : `${file} `}${shown(one, edit)} to ${JSON.stringify(edit.text)}`,
    );
  });
  return [`rename: ${edits.join(", ")}`, ...made.notes.map((note) => `note: ${note}`)];
}

test.each(sheetPairs.map((pair) => [pair.name, pair] as const))("%s", (name, pair) => {
  expectGolden(`test/service/golden/${name.replaceAll(" ", "-")}.txt`, answers(openNamed(pair)));
});
