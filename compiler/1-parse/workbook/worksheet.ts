import type { CellRange } from "./cell-names.js";
import type { BadCell } from "./refusal.js";

/**
 * The text of a formula. A cell that was filled from another one has the formula of that cell, unless it names cells,
 * which would be others in each row, or that cell has none.
 */
export type CellFormula = string | { readonly filledFrom: "cells" | "nothing" };

/** A worksheet of a workbook, as the text of a CSV file: record n of its page is row n + 1. */
export interface Worksheet {
  readonly name: string;
  /** The part of the archive that holds it. */
  readonly part: string;
  readonly hidden: boolean;
  /** Empty for a hidden worksheet: it is not read. */
  readonly page: string;
  /** The formula of each cell that has one, without `=`. */
  readonly formulas: ReadonlyMap<string, CellFormula>;
  /** Cells whose formula has no value yet. */
  readonly valueless: readonly string[];
  readonly merges: readonly CellRange[];
  /** What of it is larger than a sheet may be; then its page ends there. */
  readonly excess: { readonly what: string; readonly limit: string } | null;
}

export type Workbook =
  | { readonly kind: "workbook"; readonly format: "xlsx" | "ods"; readonly worksheets: readonly Worksheet[] }
  | {
      readonly kind: "bad";
      readonly code: "bad-workbook" | "sheet-too-large";
      readonly why: string;
      readonly limit: string;
      readonly at: BadCell | null;
    };
