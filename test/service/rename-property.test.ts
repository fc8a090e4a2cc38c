import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Edit } from "../../compiler/diagnostics/diagnostic.js";
import type { View } from "../../compiler/service/document.js";
import { caseNames } from "../../compiler/service/names/case-names.js";
import { rowNames } from "../../compiler/service/names/row-names.js";
import { sceneOf } from "../../compiler/service/names/scene.js";
import { type NameKey, occurrences } from "../../compiler/service/names.js";
import { type Renaming, renameName } from "../../compiler/service/rename.js";
import { howMany } from "../how-many.js";
import { toCsv } from "../property/generators/graph-csv.js";
import { graphs } from "../property/generators/graphs.js";
import { knownSheets, openBoth, type Sheets } from "./sheet-pairs.js";

const applied = (text: string, edits: readonly Edit[]): string =>
  edits.reduceRight((done, { start, end, text: by }) => done.slice(0, start) + by + done.slice(end), text);

/** The names of a sheet and its tests that are its own. */
function namesOf(views: readonly View[]): readonly NameKey[] {
  const mentions = views.flatMap((view) => {
    const scene = sceneOf(view);
    if (scene !== null) return scene.sheet.rows.flatMap((row) => rowNames(scene, row));
    return (view.tests?.cases ?? []).flatMap((one) => caseNames(view, one));
  });
  const byText = new Map(mentions.map(({ what }) => [JSON.stringify(what), what]));
  return [...byText.values()].filter(({ file }) => file === "sheet.csv");
}

function renamed(sheets: Sheets, { files }: Renaming): Sheets {
  const edits = (file: string): readonly Edit[] => files.find((one) => one.file === file)?.edits ?? [];
  const text = applied(sheets.text, edits("sheet.csv"));
  const tests = sheets.tests === null ? null : applied(sheets.tests, edits("sheet.test.csv"));
  return { ...sheets, text, tests };
}

/** These compare names letter by letter. */
const SPELLING: readonly string[] = ["almost-placeholder", "case-clash", "confusable-name", "misspelt-field"];

/** Everything that is known of the sheets, with one text in place of another. */
function understoodAs(views: readonly View[], to: string, from: string): unknown {
  const back = (text: string): string => text.replaceAll(to, from);
  const exchanged = (value: unknown): unknown => {
    if (typeof value === "string") return back(value);
    if (Array.isArray(value)) return value.map(exchanged);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [back(key), exchanged(one)]));
  };
  return views.map(({ graphs: all, diagnostics, tests }) => ({
    graphs: exchanged(JSON.parse(JSON.stringify(all))),
    found: diagnostics
      .filter(({ code }) => !SPELLING.includes(code))
      .map(({ code, severity, place }) => `${severity} ${code} ${place?.cell}`)
      .sort(),
    cases: tests?.cases.map(({ cells }) =>
      [...cells.values()].map(({ json, text }) => exchanged(json?.value ?? text)),
    ),
  }));
}

/** Text that is nearly a placeholder is left alone, so what analysis says of it changes. */
const isValid = (views: readonly View[]): boolean =>
  views.every(
    ({ kind, diagnostics }) =>
      kind !== "other" &&
      diagnostics.every(({ severity, code }) => severity !== "error" && code !== "almost-placeholder"),
  );

/** The redundant `x=x` and JSON in other words come back in fewer words. */
const isPlain = ({ text, tests }: Sheets, { name }: NameKey): boolean =>
  !`${text}${tests}`.includes(`${name}=${name}`);

const keyed = (from: NameKey, name: string): NameKey => ({
  ...from,
  name,
  graph: from.kind === "graph" ? name : from.graph,
});

const FRESH = {
  node: ["Zebra9", 'Zé "9", 漢; z'],
  graph: ["Zebra9", 'Zé "9", 漢; z'],
  field: ["zebra_9"],
  param: ["zebra_9"],
};

/** All names of all sheets take a minute: here each run takes its share of them. */
const SHARE = howMany(4, 20, "RENAME_SHARE");

/** Renames every name and back again; returns how many were renamed. */
function checkRenames(sheets: Sheets): number {
  const views = openBoth(sheets);
  if (!isValid(views)) return 0;
  let count = 0;
  for (const [i, from] of namesOf(views).entries()) {
    if ((i + sheets.name.length) % SHARE !== 0) continue;
    for (const to of FRESH[from.kind as keyof typeof FRESH]) {
      const where = `${sheets.name}: ${from.kind} ${from.name} of ${from.graph} to ${to}`;
      const there = renameName(views, from, to);
      if (there.kind === "refused") {
        expect(`${where}: ${there.why}`).toMatch(
          /is set by the run|knows its input|collects its errors|holds it twice|cannot hold|gives its items/,
        );
        continue;
      }
      count++;
      const after = renamed(sheets, there);
      const seen = openBoth(after);
      expect(understoodAs(seen, to, from.name), where).toEqual(understoodAs(views, to, from.name));
      const moved = keyed(from, to);
      expect(
        seen.flatMap((view) => occurrences(view, from)),
        where,
      ).toEqual([]);
      const back = renameName(seen, moved, from.name);
      // A node may be called END, but no rename makes one.
      if (back.kind === "refused" && from.name === "END") continue;
      if (back.kind === "refused") throw new Error(`${where}: ${back.why}`);
      const again = renamed(after, back);
      if (/^\w+$/.test(to) && isPlain(sheets, from)) expect(again, where).toEqual(sheets);
      else
        expect(understoodAs(openBoth(again), to, from.name), where).toEqual(
          understoodAs(views, to, from.name),
        );
    }
  }
  return count;
}

describe("a rename exchanges a name and nothing else; renaming back gives the file back", () => {
  test("in the sheets of the cases, the examples and the docs", () => {
    const count = knownSheets().reduce((sum, sheets) => sum + checkRenames(sheets), 0);
    expect(count).toBeGreaterThan(150);
  });

  test("in random sheets", () => {
    fc.assert(
      fc.property(graphs(), (graph) => {
        checkRenames({ name: "random", text: toCsv(graph), tests: null });
      }),
      { numRuns: howMany(120, 8) },
    );
  });
});
