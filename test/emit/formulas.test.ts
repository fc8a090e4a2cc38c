// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what modules hold.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { linkCompute } from "../../runtime/graph/link/compute.js";
import { howMany } from "../how-many.js";
import {
  accepted,
  graphOf,
  inputs,
  outcomeOf,
  sheetOf,
  WANTED,
} from "../property/generators/formula-sheets.js";
import { brokenFormula, chanceOf, formula, hostileFormula } from "../property/generators/formulas.js";
import { firstSeed } from "../seed.js";
import { understandText } from "../world.js";
import { graphIn, importModules, moduleOf } from "./emitted.js";
import { check, createProject } from "./native.js";

const RUNS = howMany(10_000, 200, "FORMULA_RUNS");
const BATCH = 1_000;

const folder = mkdtempSync(join(tmpdir(), "flowsheet-formulas-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Right formulas, in batches. */
function* batches(): Generator<readonly string[]> {
  for (let seen = 0, batch = 0; seen < RUNS; batch++) {
    const chance = chanceOf(firstSeed + batch);
    const made = Array.from({ length: BATCH }, () =>
      formula(chance, chance.pick(WANTED), 1 + chance.below(5)),
    );
    const right = accepted(made).slice(0, RUNS - seen);
    seen += right.length;
    yield right;
  }
}

describe("random formulas", () => {
  test(`R25: ${RUNS} right ones pass TypeScript, and are computed alike by modules and sheets`, {
    timeout: 600_000,
  }, async () => {
    const project = createProject({ module: "nodenext", types: [], skipLibCheck: true });
    const tally = { formulas: 0, values: 0, throws: 0 };
    for (const formulas of batches()) {
      const graph = graphOf(formulas);
      const text = moduleOf(graph);
      writeFileSync(join(project, `batch-${tally.formulas}.ts`), text);
      const [module] = await importModules([text], folder);
      const { nodes } = graphIn(module ?? {}).definition;
      const chance = chanceOf(firstSeed - tally.formulas - 1);
      for (const [i, node] of graph.nodes.entries()) {
        const made = nodes[node.name]?.compute as ((given: object, tables: object) => unknown) | undefined;
        const linked = linkCompute(node.compute?.tree as never);
        for (let round = 0; round < 4; round++) {
          const given = inputs(chance);
          const said = outcomeOf(() => linked(given, {}));
          expect([formulas[i], outcomeOf(() => made?.(given, {}))]).toEqual([formulas[i], said]);
          tally[said.startsWith("throws") ? "throws" : "values"] += 1;
        }
      }
      tally.formulas += formulas.length;
    }
    expect(tally.values).toBeGreaterThan(tally.throws);
    expect(await check(project)).toBe("");
  });

  test(`R26: ${RUNS} hostile ones are refused with a place, or make a module that the gate takes`, {
    timeout: 600_000,
  }, () => {
    const chance = chanceOf(firstSeed);
    let refused = 0;
    for (let seen = 0; seen < RUNS; seen += BATCH) {
      const made = Array.from({ length: BATCH }, () =>
        chance.below(2) === 0
          ? hostileFormula(chance)
          : brokenFormula(chance, formula(chance, chance.pick(WANTED), 3)),
      );
      const { diagnostics } = understandText(sheetOf(made));
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      for (const { place, column } of errors)
        expect([place?.cell?.slice(0, 1), column]).toEqual(["G", "prompt"]);
      refused += new Set(errors.map(({ node }) => node)).size;
      // It throws where a module holds what no module may hold.
      moduleOf(graphOf(accepted(made)));
    }
    expect(refused).toBeGreaterThan(RUNS / 3);
  });
});

test("modules hold formulas as a person writes them: text is joined as it is, anything else is made text first", () => {
  const formulas = [
    'note & " is " & level',
    'a & " of " & alt & LEFT(note)',
    'note & ""',
    'a & ""',
    '"" & ""',
    'IF(vip, "a", "b") & LOWER(note & "x")',
    'vip & ROUND(a, 1) & "/" & a % & "/" & limit',
    'a * b & " and " & -a',
    "NOT(a = b)",
    "IF(vip, IF(a > b, a, b), 0)",
  ];
  const lines = moduleOf(graphOf(accepted(formulas))).split("\n");
  expect(lines.filter((line) => line.includes("compute:")).map((line) => line.split("=> ")[1])).toEqual([
    "`${note} is ${level}`,",
    "`${a} of ${text(alt)}${left(note)}`,",
    "note,",
    "`${a}`,",
    '"",',
    '`${vip ? "a" : "b"}${`${note}x`.toLowerCase()}`,',
    "`${vip}${round(a, 1)}/${a / 100}/${text(limit)}`,",
    "`${finite(a * b)} and ${-a}`,",
    "a !== b,",
    "vip ? (a > b ? a : b) : 0,",
  ]);
});

test("what does not fit on a line is laid out with a case on each line", () => {
  const long = "the end of a long sentence that says nothing at all";
  const formulas = [
    `IF(vip, "${long}", IF(a > b, "1 ${long}", IF(a > 1, "2 ${long}", note)))`,
    `ROUND(IF(CONTAINS(note, "${long}"), a, IF(CONTAINS(note, "1 ${long}"), b, 1)), 2)`,
    `a - IF(CONTAINS(note, "${long}"), 1, 0) + IF(CONTAINS(note, "${long}"), a, IF(CONTAINS(note, "1 ${long}"), b, 1))`,
  ];
  const module = moduleOf(graphOf(accepted(formulas)));
  const computes = [...module.matchAll(/compute: .*? =>(.*?)\n {4}writes/gs)].map(([, code]) => code);
  expect(computes).toEqual([
    `
      vip ? "${long}"
      : a > b ? "1 ${long}"
      : a > 1 ? "2 ${long}"
      : note,`,
    `
      round(
        contains(note, "${long}") ? a
        : contains(note, "1 ${long}") ? b
        : 1,
        2,
      ),`,
    `
      a -
      (contains(note, "${long}") ? 1 : 0) +
      (
        contains(note, "${long}") ? a
        : contains(note, "1 ${long}") ? b
        : 1
      ),`,
  ]);
});
