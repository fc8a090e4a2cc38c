/** The text on one code for `explain` and the reference. Backticks mark code. */
export interface Explanation {
  /** Only `--types` or a workbook shows it: as CSV the example has no problem. */
  readonly notInCsv?: true;
  readonly summary: string;
  /** The reported problem and its consequences, in paragraphs. */
  readonly rule: readonly string[];
  /** A whole sheet with exactly this problem. */
  readonly example: string;
  /** A test sheet for the example, when the problem is there. */
  readonly tests?: string;
  /** A fact that the example's text cannot show. */
  readonly note?: string;
  /** The bytes of the example, when they are not its text in UTF-8. */
  readonly bytes?: () => Uint8Array;
  readonly cure: string;
  /** The corrected sheet without problems; null when the sheet needs no change. */
  readonly cured: string | null;
  readonly curedTests?: string;
}

/** An explanation as the source has it. A rule of one paragraph is a plain text. */
export type Written = Omit<Explanation, "rule"> & { readonly rule: string | readonly string[] };

export function sheetOf(...rows: readonly string[]): string {
  return rows.map((row) => `${row}\n`).join("");
}

/** Text without backticks, for output without markup. */
export function plainProse(text: string): string {
  return text.replaceAll("`", "");
}

/**
 * A sheet and its correction as a diff: rows after `- ` are only in the first, rows after `+ ` only in the second.
 */
export function sheets(
  ...rows: readonly string[]
): Pick<Explanation, "example"> & { readonly cured: string } {
  const without = (mark: string): readonly string[] =>
    rows.filter((row) => !row.startsWith(mark)).map((row) => row.replace(/^[-+] /, ""));
  return { example: sheetOf(...without("+ ")), cured: sheetOf(...without("- ")) };
}
