import { parseTests, type TestSheet } from "./1-parse/test-sheet.js";
import { type SheetSource, textOf } from "./1-parse/text/file-text.js";
import type { PageSource } from "./1-parse/text/open-page.js";
import { spareFormulas } from "./1-parse/workbook/spare-formulas.js";
import type { CaseIR } from "./2-analyze/tests/case-ir.js";
import { analyzeTests, type Tested } from "./2-analyze/tests/test-cases.js";
import { Problems } from "./diagnostics/collect.js";
import type { Diagnostic } from "./diagnostics/diagnostic.js";

/** All that is known of one test sheet. */
export interface TestUnderstanding {
  readonly file: string;
  /** Null when the file is no test sheet at all. */
  readonly sheet: TestSheet | null;
  /** The cases that are in order. */
  readonly cases: readonly CaseIR[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a test sheet once, for everybody, and checks it against the graphs of its sheet. */
export function understandTests(source: SheetSource, tested: Tested): TestUnderstanding {
  const problems = new Problems(source.file);
  const text = textOf(source, problems);
  if (text === null) return { file: source.file, sheet: null, cases: [], diagnostics: problems.sorted() };
  const understood = understandTestText(text, tested, problems);
  return { ...understood, diagnostics: spareFormulas(understood.diagnostics, source, understood.sheet) };
}

/** Understands the text of one that is open. */
export function understandTestText(
  source: PageSource,
  tested: Tested,
  problems = new Problems(source.file),
): TestUnderstanding {
  const sheet = parseTests(source, problems);
  const cases = sheet === null ? [] : analyzeTests(sheet, { ...tested, problems });
  return { file: source.file, sheet, cases, diagnostics: problems.sorted() };
}
