import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import type { Coverage } from "../../runtime/testing/coverage.js";
import type { OpenedTests } from "../../runtime/testing/open-tests.js";
import type { CaseResult } from "../../runtime/testing/run-tests.js";
import type { UntestedSheet } from "./find.js";

export interface SheetOutcome {
  readonly tests: OpenedTests;
  readonly results: readonly CaseResult[];
  /** The number of invalid cases, which were not run. */
  readonly unread: number;
  /** Problems of the test sheet, and errors of the sheet that it tests. */
  readonly diagnostics: readonly Diagnostic[];
  readonly coverage: readonly Coverage[];
}

/** A test sheet that could not be opened, or whose sheet could not. */
export interface UnopenedSheet {
  readonly file: string;
  readonly message: string;
}

/** The results of all test sheets, and the sheets without tests. */
export interface TestReport {
  readonly outcomes: readonly SheetOutcome[];
  readonly unopened: readonly UnopenedSheet[];
  /** Empty unless the coverage of all is asked for. */
  readonly untested: readonly UntestedSheet[];
}

export const allCoverage = ({ outcomes, untested }: TestReport): readonly Coverage[] =>
  [...outcomes, ...untested].flatMap(({ coverage }) => coverage);

export const isPassed = ({ mismatches }: CaseResult): boolean => mismatches.length === 0;

/** Errors that no failed case shows: without them the test sheet would look valid. */
export function hiddenErrors({ results, unread, diagnostics }: SheetOutcome): readonly Diagnostic[] {
  if (unread > 0 || !results.every(isPassed)) return [];
  return diagnostics.filter(({ severity }) => severity === "error");
}

/** The texts that diagnostics of test sheets point into: theirs, and those of the sheets that they test. */
export const sourcesOf = (outcomes: readonly SheetOutcome[]): ReadonlyMap<string, string> =>
  new Map(
    outcomes.flatMap(({ tests: { workflow, tests, text } }) => [
      ...(workflow.sheet === null ? [] : [[workflow.file, workflow.sheet.text] as const]),
      [tests.file, text] as const,
    ]),
  );

export const hasErrors = ({ diagnostics }: SheetOutcome): boolean =>
  diagnostics.some(({ severity }) => severity === "error");

export function totalsOf(outcomes: readonly SheetOutcome[]) {
  const all = outcomes.flatMap(({ results }) => results);
  const passed = all.filter(isPassed).length;
  const unread = outcomes.reduce((sum, one) => sum + one.unread, 0);
  return { passed, failed: all.length - passed + unread };
}
