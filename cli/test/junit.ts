import { formatText } from "../../compiler/diagnostics/format-text.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import { fileItself } from "../../compiler/diagnostics/worksheet.js";
import { formatFailure } from "../../runtime/testing/failure-text.js";
import type { CaseResult } from "../../runtime/testing/run-tests.js";
import { countText } from "../report.js";
import {
  hiddenErrors,
  isPassed,
  type SheetOutcome,
  sourcesOf,
  type TestReport,
  totalsOf,
  type UnopenedSheet,
} from "./outcome.js";

/**
 * Build servers show JUnit XML, and read nothing else. The counts of tests and failures are those of cases.
 * Every other reason for a failed command is an error with its own entry.
 */
export function outcomeJunit(
  { outcomes, unopened }: Pick<TestReport, "outcomes" | "unopened">,
  tooLow: readonly string[],
): string {
  const { passed, failed } = totalsOf(outcomes);
  const suites = `${outcomes.map(suiteText).join("")}${unopened.map(unopenedText).join("")}${thresholdText(tooLow)}`;
  const broken = outcomes.filter((one) => hiddenErrors(one).length > 0).length;
  const errors = broken + unopened.length + tooLow.length;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="flowsheet" tests="${passed + failed}" failures="${failed}"${errorCount(errors)}>\n${suites}</testsuites>\n`;
}

function suiteText(outcome: SheetOutcome): string {
  const { tests, results, unread } = outcome;
  const failures = results.filter((result) => !isPassed(result)).length + unread;
  const name = attribute(tests.tests.file);
  const more = `${unreadText(outcome)}${errorsText(outcome)}`;
  const cases = `${results.map((result) => caseText(result, outcome)).join("")}${more}`;
  const errors = errorCount(hiddenErrors(outcome).length > 0 ? 1 : 0);
  return `  <testsuite name="${name}" tests="${results.length + unread}" failures="${failures}"${errors} time="${seconds(results)}">\n${cases}  </testsuite>\n`;
}

function caseText(result: CaseResult, { tests }: SheetOutcome): string {
  const { one, place, mismatches } = result;
  const head = `    <testcase name="${attribute(one.name)}" classname="${attribute(one.graph.name)}" file="${attribute(fileItself(place.file))}" line="${place.line}" time="${seconds([result])}"`;
  const [first] = mismatches;
  if (first === undefined) return `${head}/>\n`;
  const text = formatFailure(result, tests);
  const message = attribute(`${first.column}: ${first.message}`);
  return `${head}>\n      <failure message="${message}">${escaped(text)}</failure>\n    </testcase>\n`;
}

const errorCount = (errors: number): string => (errors === 0 ? "" : ` errors="${errors}"`);

/** Errors of the sheets of which no case knows. */
function errorsText(outcome: SheetOutcome): string {
  const errors = hiddenErrors(outcome);
  if (errors.length === 0) return "";
  const report = formatText(errors, sourcesOf([outcome]));
  return errorEntry(countText(errors.length, "error"), attribute(outcome.tests.tests.file), escaped(report));
}

function unopenedText({ file, message }: UnopenedSheet): string {
  const name = attribute(file);
  const entry = errorEntry(attribute(message), name, escaped(message));
  return `  <testsuite name="${name}" tests="0" failures="0"${errorCount(1)} time="0.000">\n${entry}  </testsuite>\n`;
}

function thresholdText(tooLow: readonly string[]): string {
  if (tooLow.length === 0) return "";
  const entries = tooLow.map((why) => errorEntry(attribute(why), "coverage", escaped(why))).join("");
  return `  <testsuite name="coverage" tests="0" failures="0"${errorCount(tooLow.length)} time="0.000">\n${entries}  </testsuite>\n`;
}

const errorEntry = (message: string, of: string, report: string): string =>
  `    <testcase name="${message}" classname="${of}">\n      <error message="${message}">${report}</error>\n    </testcase>\n`;

/** Invalid cases have no results, so one entry lists the problems of the sheet. */
function unreadText({ tests: { tests, text }, unread }: SheetOutcome): string {
  if (unread === 0) return "";
  const report = formatText(tests.diagnostics, new Map([[tests.file, text]]));
  const message = `${unread} ${unread === 1 ? "case is" : "cases are"} not in order`;
  return `    <testcase name="${message}" classname="${attribute(tests.file)}">\n      <failure message="${message}">${escaped(report)}</failure>\n    </testcase>\n`;
}

const seconds = (results: readonly CaseResult[]): string =>
  (results.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(3);

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
/** Characters that XML forbids were escaped before. */
const escaped = (text: string): string =>
  text.replace(/[^\n]+/g, visible).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
const attribute = (text: string): string => escaped(visible(text));
