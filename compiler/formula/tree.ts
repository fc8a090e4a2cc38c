import type { Range } from "../ir.js";

/** A formula as it is written. Offsets count in the text that was read. */
export type Expression = Range &
  (
    | { readonly kind: "literal"; readonly value: string | number | boolean }
    /** The first part is an input, the others lead into its value. */
    | { readonly kind: "name"; readonly path: readonly string[] }
    | { readonly kind: "unary"; readonly sign: "-" | "+" | "%"; readonly of: Expression }
    | {
        readonly kind: "binary";
        readonly sign: BinarySign;
        /** Where the sign stands. */
        readonly at: Range;
        readonly left: Expression;
        readonly right: Expression;
      }
    | {
        readonly kind: "call";
        /** In capitals. */
        readonly name: string;
        readonly nameAt: Range;
        readonly args: readonly Expression[];
      }
  );

export type BinarySign = "+" | "-" | "*" | "/" | "^" | "&" | "=" | "<>" | "<" | "<=" | ">" | ">=";

/** A problem of a formula, at its stretch of the text. */
export interface Fault extends Range {
  readonly code: "bad-formula" | "unknown-function" | "formula-type" | "bad-table";
  readonly message: string;
  readonly help: string | null;
  /** The text that would mend it, over the stretch or over another one. */
  readonly fix?: { readonly text: string; readonly safe: boolean; readonly at?: Range } | undefined;
}

/** The text of a formula without the sign `=` may be as long as this. */
export const LONGEST_FORMULA = 4096;

/** Brackets, calls and signs inside of each other. */
export const DEEPEST = 64;

/** Signs between two values, in a whole formula. All that walks a tree may use recursion for this reason. */
export const MOST_SIGNS = 512;
