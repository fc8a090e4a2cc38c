import { type CaseCell, placeOf, type TestSheet } from "../../1-parse/index.js";
import { trimRange } from "../../1-parse/text/white-space.js";
import type { Code, Params } from "../../diagnostics/catalogue.js";
import type { Problems } from "../../diagnostics/collect.js";
import type { Severity } from "../../diagnostics/diagnostic.js";
import type { GraphIR, JsonEntry, Place, TestColumn } from "../../ir.js";

/** A stretch of a cell of a test sheet. */
export type Stretch = Pick<CaseCell, "name" | "record" | "column" | "start" | "end">;

/** Reports the problems of one case. */
export interface CaseReporter {
  graph: GraphIR | null;
  readonly errors: () => number;
  readonly at: <C extends Code>(at: Stretch, code: C, params: Params<C>, severity?: Severity) => void;
  /** Reports something that a case cannot say, and the cure. */
  readonly bad: (at: Stretch, why: string, cure: string) => void;
  readonly place: <C extends Code>(place: Place, code: C, params: Params<C>) => void;
  /** The entries of a cell that must hold an object; none after a report. */
  readonly entries: (cell: CaseCell, of: string) => readonly JsonEntry[];
}

/** A reporter for a case of a sheet. */
export function caseReporter(sheet: TestSheet, problems: Problems): CaseReporter {
  let errors = 0;
  const put = <C extends Code>(
    code: C,
    params: Params<C>,
    { place, column, severity = "error" }: { place: Place; column: TestColumn | null; severity?: Severity },
  ): void => {
    if (severity === "error") errors++;
    problems.report(code, params, { place, column, severity, graph: reporter.graph?.name ?? null });
  };
  const reporter: CaseReporter = {
    graph: null,
    errors: () => errors,
    at: (at, code, params, severity) =>
      put(code, params, {
        place: placeOf(sheet, at),
        column: at.name,
        ...(severity === undefined ? {} : { severity }),
      }),
    place: (place, code, params) => put(code, params, { place, column: null }),
    bad: (at, why, cure) => reporter.at(at, "bad-case", { why, cure }),
    entries: (cell, of) => {
      if (cell.json?.entries !== undefined) return cell.json.entries;
      reporter.bad(cell, `${cell.name} must be a JSON object of ${of}`, 'write {"name": value}');
      return [];
    },
  };
  return reporter;
}

interface CaseItem {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The items of a list in a cell, each with its place; empty ones are none. */
export function itemsOf({ text, start: from }: CaseCell, between: RegExp): readonly CaseItem[] {
  const cuts = [...text.matchAll(between)].map(({ index }) => index);
  return [...cuts, text.length].flatMap((to, i) => {
    const { start, end } = trimRange(text, i === 0 ? 0 : (cuts[i - 1] as number) + 1, to);
    return start === end ? [] : [{ start: from + start, end: from + end, text: text.slice(start, end) }];
  });
}
