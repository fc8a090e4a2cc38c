import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseSheet } from "../../compiler/1-parse/sheet.js";
import { editCell } from "../../compiler/1-parse/text/edit-cell.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import type { CellSpan, JsonSpot, NameItem, Row, Sheet } from "../../compiler/ir.js";
import { readProject } from "../../runtime/config/folders.js";
import { percentOf } from "../../runtime/testing/coverage.js";
import { openTests } from "../../runtime/testing/open-tests.js";
import { createTestRunner } from "../../runtime/testing/run-tests.js";

/**
 * How good the tests of the examples are: every edge of every example is removed, and led elsewhere, and each
 * time some case must fail.
 */

const folder = mkdtempSync(join(tmpdir(), "flowsheet-mutants-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
// Mutants that go in circles are to end soon: no example needs a tenth of these steps.
writeFileSync(join(folder, "flowsheet.yaml"), "execution:\n  max_steps: 500\n");
const project = readProject(folder, null, {});

const examples = readdirSync("examples").filter((name) => /(?<!\.test)\.csv$/.test(name));

/** An edge: a stretch of a cell that names a target, and the cell as it is without it. */
interface Edge {
  readonly name: string;
  readonly target: string;
  readonly at: CellSpan;
  readonly cell: CellSpan;
  readonly without: string;
  readonly written: (target: string) => string;
}

function listEdges(row: Row, column: string, items: readonly NameItem[]): readonly Edge[] {
  const cell = { ...items[0]?.at, end: items.at(-1)?.at.end } as CellSpan;
  return items.map(({ name, at }) => ({
    name: `${row.node.name} ${column} ${name}`,
    target: name,
    at,
    cell,
    without: items
      .filter((item) => item.name !== name)
      .map((item) => item.name)
      .join("|"),
    written: (target) => target,
  }));
}

/** Targets in settings: `on_limit`, `default`, and the entries of `cases`. */
function settingEdges(row: Row): readonly Edge[] {
  return row.settings.flatMap(({ name, spot, cell }) => {
    const entries = spot.entries ?? [];
    const edge = (what: string, { value, start, end }: JsonSpot, without: string): Edge => ({
      name: `${row.node.name} ${what} ${value}`,
      target: String(value),
      at: { ...cell, start, end },
      cell,
      without,
      written: (target) => (start === 0 ? target : JSON.stringify(target)),
    });
    if (["on_limit", "default", "default_target"].includes(name)) return [edge(name, spot, "")];
    if (name !== "cases") return [];
    return entries.map(({ key, spot: one }) => {
      const rest = entries.filter((entry) => entry.key !== key).map((entry) => [entry.key, entry.spot.value]);
      return edge(`case ${key}`, one, JSON.stringify(Object.fromEntries(rest)));
    });
  });
}

function edgesOf({ rows }: Sheet): readonly (Edge & { readonly graph: string })[] {
  return rows.flatMap((row) =>
    [
      ...listEdges(row, "->", row.next),
      ...listEdges(row, "success ->", row.onSuccess),
      ...listEdges(row, "failure ->", row.onFailure),
      ...settingEdges(row),
    ].map((edge) => ({ ...edge, graph: row.graph.name })),
  );
}

function changed(sheet: Sheet, span: CellSpan, text: string): string {
  const { start, end, text: put } = editCell(sheet, span, text);
  return sheet.text.slice(0, start) + put + sheet.text.slice(end);
}

/** Whether any case fails; a sheet with errors fails all. */
async function fails(name: string, text: string): Promise<boolean> {
  writeFileSync(join(folder, name), text);
  const shown = name.replace(".csv", ".test.csv");
  const file = { path: join(folder, shown), shown, named: true };
  const tests = openTests(file, { project, env: {}, encoding: null });
  const runner = createTestRunner(tests, { project });
  if (tests.tests.diagnostics.some(({ severity }) => severity === "error")) return true;
  for (const one of tests.tests.cases) if ((await runner.run(one)).mismatches.length > 0) return true;
  return false;
}

/** The end, and the nodes before and after the target. */
function elsewhere(nodes: readonly string[], target: string): readonly string[] {
  const at = nodes.indexOf(target);
  const near = [nodes.at(at - 1), nodes[(at + 1) % nodes.length], "END"];
  return [...new Set(near)].filter((name): name is string => name !== undefined && name !== target);
}

/**
 * Sheets that mean the same. Where the other branches of a split go on does not depend on a branch that ends early, or
 * that comes to a node behind the meeting: what it wrote is merged all the same.
 */
const EQUAL = /^lead-enrichment\.csv: (?:Company|Person|Interest) -> Score, /;

const survivors: string[] = [];
let mutants = 0;

describe.each(examples)("%s", (name) => {
  const tests = name.replace(".csv", ".test.csv");
  const text = readFileSync(join("examples", name), "utf8");

  test("its cases pass, and come to every node, edge and outcome", async () => {
    const file = { path: join("examples", tests), shown: tests, named: true };
    const opened = openTests(file, { project, env: {}, encoding: null });
    const runner = createTestRunner(opened, { project });
    expect(opened.tests.diagnostics).toEqual([]);
    for (const one of opened.tests.cases) expect((await runner.run(one)).mismatches, one.name).toEqual([]);
    for (const { nodes, edges, outcomes } of runner.coverage())
      expect([nodes, edges, outcomes].map(percentOf), JSON.stringify([nodes, edges, outcomes])).toEqual([
        100, 100, 100,
      ]);
  });

  test("no edge can be removed or led elsewhere unnoticed", async () => {
    copyFileSync(join("examples", tests), join(folder, tests));
    expect(await fails(name, text), "the sheet as it is passes").toBe(false);
    const sheet = parseSheet({ file: name, bytes: Buffer.from(text) }, new Problems(name));
    if (sheet === null) throw new Error("no sheet");
    for (const edge of edgesOf(sheet)) {
      const nodes = sheet.rows.filter(({ graph }) => graph.name === edge.graph).map(({ node }) => node.name);
      const others = elsewhere(nodes, edge.target);
      const variants = [
        [`${edge.name}, removed`, changed(sheet, edge.cell, edge.without)] as const,
        ...others.map(
          (target) => [`${edge.name}, to ${target}`, changed(sheet, edge.at, edge.written(target))] as const,
        ),
      ];
      for (const [what, mutant] of variants) {
        mutants++;
        if (!(await fails(name, mutant))) survivors.push(`${name}: ${what}`);
      }
    }
  });
});

test("at most 5 % of the mutants survive, and only those that mean the same", () => {
  expect(mutants).toBeGreaterThan(250);
  expect(survivors.length / mutants, survivors.join("\n")).toBeLessThanOrEqual(0.05);
  expect(survivors.filter((one) => !EQUAL.test(one))).toEqual([]);
  console.info(`${survivors.length} of ${mutants} survive:\n${survivors.join("\n")}`);
});
