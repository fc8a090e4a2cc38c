/** Sheets of random formulas, and values for their inputs. */

import { expect } from "vitest";
import type { GraphIR } from "../../../compiler/ir.js";
import { understandText } from "../../world.js";
import { type Chance, INPUTS, type Wanted } from "./formulas.js";

export const WANTED: readonly Wanted[] = ["number", "text", "boolean", "numbers", "texts"];

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** One graph with a node for each formula. */
export function sheetOf(formulas: readonly string[]): string {
  const rows = formulas.map(
    (text, i) =>
      `g,N${i},formula,${i + 1 < formulas.length ? `N${i + 1}` : ""},${quoted(INPUTS)},x${i},${quoted(text)}`,
  );
  return `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt\n${rows.join("\n")}\n`;
}

/** Those of the formulas without an error. */
export function accepted(formulas: readonly string[]): readonly string[] {
  const { diagnostics } = understandText(sheetOf(formulas));
  const bad = new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ node }) => node));
  return formulas.filter((_, i) => !bad.has(`N${i}`));
}

export function graphOf(formulas: readonly string[]): GraphIR {
  const { graphs, diagnostics } = understandText(sheetOf(formulas));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return graphs[0] as GraphIR;
}

export function inputs({ below, pick }: Chance): { readonly [name: string]: unknown } {
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

export function outcomeOf(run: () => unknown): string {
  try {
    return JSON.stringify(run()) ?? "unset";
  } catch (thrown) {
    return `throws ${String(thrown)}`;
  }
}
