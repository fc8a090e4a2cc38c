/** What `explain` and the reference say of one code: prose in which backticks stand around what is typed. */
export interface Explanation {
  /** Only `--types` finds it: the example is understood without a problem. */
  readonly typesOnly?: true;
  /** The rule in one sentence. */
  readonly summary: string;
  /** What is reported, and what would happen if it were not, in paragraphs. */
  readonly rule: readonly string[];
  /** A whole sheet that is reported with this code and no other. */
  readonly example: string;
  /** A test sheet beside the example, where that is what is reported. */
  readonly tests?: string;
  /** What the example's text cannot show. */
  readonly note?: string;
  /** The example as a file, where that is more than its text in UTF-8. */
  readonly bytes?: () => Uint8Array;
  /** How to mend it, in words. */
  readonly cure: string;
  /** The mended sheet, free of diagnostics; null when nothing in the sheet has to change. */
  readonly cured: string | null;
  /** The mended test sheet. */
  readonly curedTests?: string;
}

/** An explanation as it is written here: a rule of one paragraph is its text. */
export type Written = Omit<Explanation, "rule"> & { readonly rule: string | readonly string[] };

/** A sheet's text from its rows. */
export function sheetOf(...rows: readonly string[]): string {
  return rows.map((row) => `${row}\n`).join("");
}

/** Prose for where backticks are no markup. */
export function plainProse(text: string): string {
  return text.replaceAll("`", "");
}

/** A sheet and how it is mended, as a diff: rows behind `- ` are only in the first, those behind `+ ` in the second. */
export function sheets(
  ...rows: readonly string[]
): Pick<Explanation, "example"> & { readonly cured: string } {
  const without = (mark: string): readonly string[] =>
    rows.filter((row) => !row.startsWith(mark)).map((row) => row.replace(/^[-+] /, ""));
  return { example: sheetOf(...without("+ ")), cured: sheetOf(...without("- ")) };
}
