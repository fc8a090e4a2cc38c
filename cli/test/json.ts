import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { createReport } from "../../compiler/diagnostics/report.js";
import { fileItself } from "../../compiler/diagnostics/worksheet.js";
import { type Measure, percentOf } from "../../runtime/testing/coverage.js";
import { placeOfMismatch } from "../../runtime/testing/failure-text.js";
import type { CaseResult } from "../../runtime/testing/run-tests.js";
import { isPassed, type SheetOutcome, sourcesOf, type TestReport, totalsOf } from "./outcome.js";

export function outcomeJson(report: TestReport, wantsCoverage: boolean): string {
  const { outcomes, unopened, untested } = report;
  const diagnostics = outcomes.flatMap((one) => one.diagnostics);
  return jsonText({
    ...totalsOf(outcomes),
    cases: outcomes.flatMap((outcome) => outcome.results.map((result) => describeCase(result, outcome))),
    diagnostics: createReport(diagnostics, sourcesOf(outcomes), []).diagnostics,
    ...(unopened.length === 0 ? {} : { unopened }),
    ...(wantsCoverage
      ? { coverage: describeCoverage(report), untested: untested.map(({ file }) => file) }
      : {}),
  });
}

function describeCase(result: CaseResult, { tests }: SheetOutcome): object {
  const { one, place, mismatches, run, ms } = result;
  const ended = run?.result ?? null;
  return {
    file: fileItself(place.file),
    line: place.line,
    cell: place.cell,
    ...(place.worksheet === undefined ? {} : { worksheet: place.worksheet }),
    graph: one.graph.name,
    case: one.name,
    passed: isPassed(result),
    duration_ms: Math.round(ms * 1000) / 1000,
    status: ended?.status ?? null,
    path: ended?.path ?? null,
    state: ended?.state ?? null,
    error: ended?.error ?? null,
    failures: mismatches.map((mismatch) => {
      const { column, message, help, compared } = mismatch;
      const at = placeOfMismatch(result, mismatch, tests);
      return { column, line: at.line, cell: at.cell, message, help, compared };
    }),
  };
}

function describeCoverage({ outcomes, untested }: TestReport): readonly object[] {
  const tested = outcomes.map(({ tests, coverage }) => ({ file: tests.workflow.file, coverage }));
  return [...tested, ...untested].flatMap(({ file, coverage }) =>
    coverage.map(({ graph, nodes, edges, outcomes: ends }) => ({
      sheet: file,
      graph,
      nodes: describeMeasure(nodes),
      edges: describeMeasure(edges),
      outcomes: describeMeasure(ends),
    })),
  );
}

const describeMeasure = (measure: Measure): object => ({
  ...measure,
  percent: Math.floor(percentOf(measure) * 100) / 100,
});
