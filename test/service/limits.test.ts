import { expect, test } from "vitest";
import { understandSheet } from "../../compiler/compile.js";
import { SheetDocument, type View } from "../../compiler/service/document.js";
import { fixAll, safeFixes } from "../../compiler/service/fixes.js";
import { EDITOR_LIMITS, partsOf } from "../../compiler/service/limits.js";
import { definition, references } from "../../compiler/service/navigate.js";
import { rename } from "../../compiler/service/rename.js";
import { testWorld } from "../world.js";

const HEAD = "graph_name,node_name,next_node,agent_type,prompt";
const open = (text: string, file = "a.csv"): SheetDocument =>
  SheetDocument.open(file, text, { world: testWorld() });
const rows = (count: number, row: (i: number) => string): string =>
  `${HEAD}\n${Array.from({ length: count }, (_, i) => row(i)).join("\n")}\n`;
const shown = ({ diagnostics }: View) =>
  diagnostics.map(({ code, severity, place, help }) => `${severity} ${code} ${place?.cell}: ${help}`);

const LEFT = "in an editor; `flowsheet validate` checks larger sheets";

test("a sheet with more rows than an editor looks at is left to validate, at its first row too many", () => {
  const { rows: most } = EDITOR_LIMITS;
  const text = rows(most + 1, (i) => `G${i >> 5},N${i % 32},,echo,`);
  const { kind, sheet, diagnostics } = open(text).view();
  expect({ kind, sheet }).toEqual({ kind: "other", sheet: null });
  expect(shown({ diagnostics } as View)).toEqual([
    `warning sheet-too-large A${most + 2}: the limit is 50,000 rows below the header, ${LEFT}`,
  ]);
});

test.each([
  ["characters", rows(100, (i) => `G,N${i},,echo,${"x".repeat(60_010)}`), "6,000,000 characters"],
  ["graphs", rows(5_001, (i) => `G${i},A,,echo,`), "5,000 graphs"],
  ["steps", rows(10_001, (i) => `G,N${i},,echo,`), "10,000 rows of one graph"],
  [
    "ways",
    rows(1_415, (i) => `G,N${i},N${(i + 1) % 1_415}|N${(i + 2) % 1_415},echo,`),
    "2,000,000 for the rows of a graph times those that lead to several nodes",
  ],
  ["parts", rows(4, (i) => `G,N${i},,echo,${"|".repeat(80_000)}`), null],
  ["signs in formulas", rows(600, (i) => `G,N${i},,formula,${"a + ".repeat(400)}a`), null],
  [
    "cases",
    `case,given\n${Array.from({ length: 10_001 }, (_, i) => `c${i},`).join("\n")}\n`,
    "10,000 rows below the header",
  ],
  [
    "cells of cases",
    `case,${Array.from({ length: 40 }, (_, i) => `given.x_${i}`).join(",")}\n${`c${",1".repeat(40)}\n`.repeat(5_001)}`,
    "200,000 filled cells",
  ],
])("%s", (what, text, limit) => {
  const [only, ...others] = shown(open(text, what.includes("cases") ? "a.test.csv" : "a.csv").view());
  expect(others).toEqual([]);
  expect(only).toContain(LEFT);
  if (limit !== null) expect(only).toContain(`the limit is ${limit}, `);
});

test("an edit brings a sheet over a limit and below it again, as if it were opened so", () => {
  const text = rows(4, (i) => `G,N${i},,echo,${"|".repeat(EDITOR_LIMITS.parts / 32 - 100)}`);
  const document = open(text);
  const at = text.length - 1;
  const counts = [document.view().sheet?.rows.length];
  document.edit([{ start: at, end: at, text: "|".repeat(5_100) }]);
  expect(partsOf(document.text)).toBeGreaterThan(EDITOR_LIMITS.parts);
  counts.push(document.view().sheet?.rows.length);
  document.edit([{ start: at, end: at + 5_100, text: "" }]);
  counts.push(document.view().sheet?.rows.length);
  expect(counts).toEqual([4, undefined, 4]);
  expect(document.text).toBe(text);
});

test("an edit that makes one row more lead to several nodes brings a sheet over a limit, and below it again", () => {
  const text = rows(2_000, (i) => `G,N${i},${i < 1_000 ? "X|Y" : "X"},echo,`);
  const document = open(text);
  const at = text.lastIndexOf(",X,") + 2;
  const counts = [document.view().sheet?.rows.length];
  document.edit([{ start: at, end: at, text: "|Y" }]);
  counts.push(document.view().sheet?.rows.length);
  expect(shown(document.view())).toEqual(shown(open(document.text).view()));
  document.edit([{ start: at, end: at + 2, text: "" }]);
  counts.push(document.view().sheet?.rows.length);
  expect(counts).toEqual([2_000, undefined, 2_000]);
  expect(document.text).toBe(text);
});

test("the first problems of a code are told, the last of them tells of the others; below that all are validate's", () => {
  const { problems: most } = EDITOR_LIMITS;
  const many = rows(most + 1_000, (i) => `G${i >> 8},N${i % 256} "x" y,,echo,`);
  const found = open(many)
    .view()
    .diagnostics.filter(({ code }) => code === "bad-quote");
  expect(found.length).toBe(most);
  expect(found.at(-1)?.help).toMatch(
    /; and at least 1,000 more like it in this sheet: `flowsheet validate` counts all$/,
  );
  const few = rows(most - 1, (i) => `G${i >> 8},N${i % 256} "x" y,,echo,`);
  expect(open(few).view().diagnostics).toEqual(
    understandSheet({ file: "a.csv", text: few }, testWorld()).diagnostics,
  );
});

test("all safe fixes of very many problems are the first ones, and it is known that there are more", () => {
  const few = rows(3, () => "G,A,,echo");
  const many = rows(EDITOR_LIMITS.problems + 500, (i) => `G,${"A".repeat(60)}${i},,echo`);
  expect(safeFixes(open(few).view())).toMatchObject({ areMore: false });
  const view = open(many).view();
  expect(safeFixes(view)).toEqual({ count: EDITOR_LIMITS.problems, areMore: true });
  expect(fixAll(view).length).toBe(EDITOR_LIMITS.problems);
});

/** Formulas of one row that name a field very often. */
const named = (times: number): string => `${Array.from({ length: times }, () => "a").join(",")}`;
const sums = (count: number, times: number): string =>
  [
    "graph_name,node_name,agent_type,input_fields,output_field,prompt",
    ...Array.from({ length: count }, (_, i) => `G,N${i},formula,a:number,o${i},"SUM(${named(times)})"`),
  ].join("\n");

test("the places of a name are listed up to a limit, and a name at more places than can be changed stays", () => {
  const { places, renamed } = EDITOR_LIMITS;
  const text = sums(renamed / 1_000 + 1, 1_000);
  const view = open(text).view();
  const at = text.indexOf("a:number");
  expect(references(view, at).length).toBe(places);
  expect(definition(view, at).length).toBe(1);
  expect(rename(view, at, "b")).toMatchObject({
    kind: "refused",
    why: '"a" stands at more places of a.csv than are changed at once',
  });
  const few = sums(places / 1_000 + 1, 998);
  expect(rename(open(few).view(), few.indexOf("a:number"), "b")).toMatchObject({ kind: "edits" });
});
