import type { ColumnName, Place, Range, RecordSpan, TestColumn } from "../ir.js";
import type { Severity } from "./catalogue/rule.js";
import type { Code } from "./catalogue.js";

export type { Severity };

/** A replacement by offsets in the decoded text. */
export interface Edit extends Range {
  readonly text: string;
}

export interface Fix {
  /** The fix as an instruction: `write "Answer"`. */
  readonly title: string;
  /** `--fix` applies only safe fixes: they cannot change the meaning. */
  readonly safe: boolean;
  readonly edits: readonly Edit[];
}

/** A problem with its place and its cure. Files that are no sheets have their own codes and fields. */
export interface Diagnostic<C extends string = Code, F extends string = ColumnName | TestColumn> {
  readonly code: C;
  readonly severity: Severity;
  readonly message: string;
  readonly file: string;
  readonly place: Place | null;
  /** The same stretch by its cell; null for a problem that stands in no cell. */
  readonly span: RecordSpan | null;
  readonly graph: string | null;
  readonly node: string | null;
  /** The canonical name of the column, if any. */
  readonly column: F | null;
  /** Shown below the marked text, so it is short: `did you mean "Answer" (row 6)?` */
  readonly label: string | null;
  /** The cure in one sentence. */
  readonly help: string | null;
  readonly fix: Fix | null;
}

export type AnyDiagnostic = Diagnostic<string, string>;
