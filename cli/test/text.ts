import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { createPaint, type Paint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import { type Coverage, type Measure, percentOf } from "../../runtime/testing/coverage.js";
import { formatFailure } from "../../runtime/testing/failure-text.js";
import type { CaseResult } from "../../runtime/testing/run-tests.js";
import type { Context } from "../process/context.js";
import { countText } from "../report.js";
import { alignColumns } from "../table.js";
import type { UntestedSheet } from "./find.js";
import { hiddenErrors, isPassed, type SheetOutcome, type TestReport, totalsOf } from "./outcome.js";

/** Failures come first, beside their expectations. A line for each sheet and the totals follow. */
export function formatOutcome(report: TestReport, context: Context): string {
  const { outcomes } = report;
  const { stdout, verbose, quiet } = context;
  const color = context.color(stdout);
  const paint = createPaint(color);
  const options = { color, width: stdout.columns() ?? 100 };
  const failures = outcomes.flatMap(({ results, tests }) =>
    results
      .filter((result) => !isPassed(result))
      .map((result) => `${formatFailure(result, tests, options)}\n`),
  );
  const lines = quiet ? [] : outcomes.flatMap((outcome) => sheetLines(outcome, paint, verbose));
  const table = coverageText(report, paint);
  return `${failures.join("")}${lines.join("")}${table}${lines.length > 0 || table !== "" ? "\n" : ""}${totals(outcomes, paint)}`;
}

function sheetLines(outcome: SheetOutcome, paint: Paint, verbose: boolean): readonly string[] {
  const { tests, results, unread } = outcome;
  const failed = results.filter((result) => !isPassed(result)).length + unread;
  const cases = countText(results.length + unread, "case");
  const hidden = hiddenErrors(outcome);
  const mark = failed + hidden.length === 0 ? paint("help", "ok  ") : paint("error", "FAIL");
  const bad = unread === 0 ? "" : `; ${unread} of them ${unread === 1 ? "is" : "are"} not in order`;
  const count = failed === 0 ? `${cases}${errorsText(hidden)}` : `${failed} of ${cases} failed${bad}`;
  const head = `${mark} ${visible(tests.tests.file)}: ${count}\n`;
  if (!verbose) return [head];
  const line = (result: CaseResult): string =>
    `  ${isPassed(result) ? "ok  " : "FAIL"} ${visible(`${result.one.graph.name}: ${result.one.name}`)}\n`;
  return [head, ...results.map(line)];
}

function errorsText(errors: readonly Diagnostic[]): string {
  const [first] = errors;
  return first === undefined ? "" : `; ${countText(errors.length, "error")}: ${visible(first.message)}`;
}

function totals(outcomes: readonly SheetOutcome[], paint: Paint): string {
  const { passed, failed } = totalsOf(outcomes);
  const broken = outcomes.filter((one) => hiddenErrors(one).length > 0).length;
  const more = broken === 0 ? "" : `, ${countText(broken, "test sheet")} with errors`;
  const style = failed + broken > 0 ? "error" : "strong";
  return `${paint(style, `${passed} passed, ${failed} failed${more}`)}\n`;
}

const MEASURES = ["nodes", "edges", "outcomes"] as const;

/** A table of coverage when that is asked for, and the nodes and edges that no case reached. */
function coverageText({ outcomes, untested }: TestReport, paint: Paint): string {
  const coverage = outcomes.flatMap((outcome) => outcome.coverage);
  if (coverage.length + untested.length === 0) return "";
  const rows = [...coverage, ...untested.flatMap((one) => one.coverage)].map((one) => [
    visible(one.graph),
    ...MEASURES.map((name) => shareText(one[name])),
  ]);
  const lines = alignColumns([["coverage", ...MEASURES], ...rows], { gap: "   " });
  const [head = "", ...body] = lines;
  return [
    "",
    paint("strong", head),
    ...body,
    ...coverage.flatMap((one) => missedLines(one, paint)),
    ...untestedLines(untested, paint),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** Rounded down, so that 100 % means everything. */
const wholePercent = (measure: Measure): number => Math.floor(percentOf(measure));

const shareText = (measure: Measure): string =>
  `${wholePercent(measure)} % (${measure.taken} of ${measure.total})`;

function missedLines(one: Coverage, paint: Paint): readonly string[] {
  const missed = MEASURES.flatMap((name) =>
    one[name].missed.map((what) => `  ${name.slice(0, -1)} ${visible(what)}`),
  );
  return missed.length === 0
    ? []
    : ["", paint("warning", `never taken in ${visible(one.graph)}:`), ...missed];
}

/** Nothing of such a sheet is covered, so its name replaces a list of all its nodes. */
const untestedLines = (untested: readonly UntestedSheet[], paint: Paint): readonly string[] =>
  untested.length === 0
    ? []
    : [
        "",
        paint("warning", "without a test sheet:"),
        ...untested.map(({ file, hasErrors }) => `  ${visible(file)}${hasErrors ? "  (has errors)" : ""}`),
      ];
