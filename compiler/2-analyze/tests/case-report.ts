import type { CaseCell, TestSheet } from "../../1-parse/test-sheet.js";
import { located } from "../../1-parse/text/places.js";
import { trimRange } from "../../1-parse/text/white-space.js";
import type { Code, Params } from "../../diagnostics/catalogue.js";
import type { Problems, Where } from "../../diagnostics/collect.js";
import type { Severity } from "../../diagnostics/diagnostic.js";
import { suggest } from "../../diagnostics/suggest.js";
import type { GraphIR, JsonSpot } from "../../ir.js";

/** A stretch of a cell of a test sheet. */
export type Stretch = Pick<CaseCell, "name" | "record" | "column" | "start" | "end">;

/** An entry of the object in a cell; its place is that of its key. */
export interface CaseEntry {
  readonly key: string;
  readonly spot: JsonSpot;
  readonly at: Stretch;
}

export class CaseReporter {
  graph: GraphIR | null = null;
  errors = 0;
  readonly #sheet: TestSheet;
  readonly #problems: Problems;

  constructor(sheet: TestSheet, problems: Problems) {
    this.#sheet = sheet;
    this.#problems = problems;
  }

  put<C extends Code>(
    code: C,
    params: Params<C>,
    { severity = "error", ...where }: Pick<Where, "place" | "span" | "column" | "severity">,
  ): void {
    if (severity === "error") this.errors++;
    this.#problems.report(code, params, { ...where, severity, graph: this.graph?.name ?? null });
  }

  at<C extends Code>(at: Stretch, code: C, params: Params<C>, severity: Severity = "error"): void {
    this.put(code, params, { ...located(this.#sheet, at), column: at.name, severity });
  }

  /** Reports something that a case cannot say, and the cure. */
  bad(at: Stretch, why: string, cure: string): void {
    this.at(at, "bad-case", { why, cure });
  }

  unknownNode(at: Stretch, name: string, graph: GraphIR, names: readonly string[]): void {
    const suggestion = suggest(name, names);
    const row = graph.nodes.find((node) => node.name === suggestion)?.row ?? null;
    this.at(at, "unknown-node", { where: at.name, name, graph: graph.name, suggestion, row });
  }

  /** The entries of a cell that must hold an object; none after a report. */
  entries(cell: CaseCell | undefined, of: string): readonly CaseEntry[] {
    if (cell === undefined || cell.json === null) return [];
    if (cell.json.entries === undefined)
      this.bad(cell, `${cell.name} must be a JSON object of ${of}`, 'write {"name": value}');
    return (cell.json.entries ?? []).map(({ key, spot, start, end }) => ({
      key,
      spot,
      at: { ...cell, start, end },
    }));
  }
}

interface CaseItem {
  readonly text: string;
  readonly at: Stretch;
}

/** The items of a list in a cell, each with its place; empty ones are none. */
export function itemsOf(cell: CaseCell, between: RegExp): readonly CaseItem[] {
  const { text, start: from } = cell;
  const cuts = [...text.matchAll(between)].map(({ index }) => index);
  return [...cuts, text.length].flatMap((to, i) => {
    const { start, end } = trimRange(text, i === 0 ? 0 : (cuts[i - 1] as number) + 1, to);
    const at = { ...cell, start: from + start, end: from + end };
    return start === end ? [] : [{ at, text: text.slice(start, end) }];
  });
}
