import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { GraphIR } from "../../compiler/ir.js";
import { linkCompute } from "../../runtime/graph/link/compute.js";
import { howMany } from "../how-many.js";
import {
  brokenFormula,
  type Chance,
  chanceOf,
  formula,
  hostileFormula,
  INPUTS,
  type Wanted,
} from "../property/generators/formulas.js";
import { firstSeed } from "../seed.js";
import { understandText } from "../world.js";
import { graphIn, importModules, moduleOf } from "./emitted.js";
import { check, createProject } from "./native.js";

const RUNS = howMany(10_000, 1_000, "FORMULA_RUNS");
const BATCH = 1_000;

const folder = mkdtempSync(join(tmpdir(), "flowsheet-formulas-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WANTED: readonly Wanted[] = ["number", "text", "boolean", "numbers", "texts"];

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** One graph with a node for each formula. */
function sheetOf(formulas: readonly string[]): string {
  const rows = formulas.map(
    (text, i) =>
      `g,N${i},formula,${i + 1 < formulas.length ? `N${i + 1}` : ""},${quoted(INPUTS)},x${i},${quoted(text)}`,
  );
  return `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt\n${rows.join("\n")}\n`;
}

/** Those of the formulas without an error. */
function accepted(formulas: readonly string[]): readonly string[] {
  const { diagnostics } = understandText(sheetOf(formulas));
  const bad = new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ node }) => node));
  return formulas.filter((_, i) => !bad.has(`N${i}`));
}

function graphOf(formulas: readonly string[]): GraphIR {
  const { graphs, diagnostics } = understandText(sheetOf(formulas));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return graphs[0] as GraphIR;
}

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

function inputs({ below, pick }: Chance): { readonly [name: string]: unknown } {
  const number = (): number => pick([0, 1, 2, -1, 0.1, 100, 1.005, 1e21, -3.5, 7]);
  const text = (): string => pick(["", "high", "LOW", "a,b,c", "2026-01-31", " 12.5 ", "ß😀", "x"]);
  const maybe = <T>(value: T): T | undefined => (below(2) === 0 ? undefined : value);
  return {
    ...{ a: number(), b: number(), limit: maybe(number()), note: text(), alt: maybe(text()) },
    ...{ vip: below(2) === 0, flag: maybe(below(2) === 0), level: pick(["low", "high"]) },
    ...{ nums: [number(), number()], tags: [text(), text()], rows: [{ n: number() }, { n: text() }] },
    order: { total: maybe(number()), name: maybe(text()), ok: maybe(below(2) === 0) },
    any: pick<unknown>([number(), text(), null, undefined, [1], { a: 1 }, true]),
    "order-id": text(),
    ...{ $today: "2026-11-22", $now: "2026-11-22T10:36:00.000Z" },
  };
}

function outcomeOf(run: () => unknown): string {
  try {
    return JSON.stringify(run()) ?? "unset";
  } catch (thrown) {
    return `throws ${String(thrown)}`;
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
