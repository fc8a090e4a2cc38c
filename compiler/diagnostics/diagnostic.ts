import type { ColumnName, Place, TestColumn } from "../ir.js";
import type { Code } from "./catalogue.js";

export type Severity = "error" | "warning";

/** A replacement in the file's text, by offsets in the decoded text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Fix {
  /** What the fix does, as an order: `write "Answer"`. */
  readonly title: string;
  /** Only a safe fix is applied by `--fix`: it cannot change what the author meant. */
  readonly safe: boolean;
  readonly edits: readonly Edit[];
}

/** One problem with its place and its cure; other files than sheets have codes and fields of their own. */
export interface Diagnostic<C extends string = Code, F extends string = ColumnName | TestColumn> {
  readonly code: C;
  readonly severity: Severity;
  readonly message: string;
  readonly file: string;
  readonly place: Place | null;
  readonly graph: string | null;
  readonly node: string | null;
  /** The canonical name of the column, where one applies. */
  readonly column: F | null;
  /** Stands under the marked text, so it is short: `did you mean "Answer" (row 6)?` */
  readonly label: string | null;
  /** The cure in a sentence. */
  readonly help: string | null;
  readonly fix: Fix | null;
}

/** A problem of any file. */
export type AnyDiagnostic = Diagnostic<string, string>;
