/** The cell that is at fault; row and column count from 0. */
export interface BadCell {
  readonly worksheet: string;
  readonly row: number;
  readonly column: number;
}

/** Why a file is not read as a workbook. It is thrown within this room only: `readWorkbook` returns it as data. */
export class Refusal extends Error {
  readonly code: "bad-workbook" | "sheet-too-large";
  /** What is exceeded, for `sheet-too-large`. */
  readonly limit: string;
  readonly at: BadCell | null;

  constructor(code: Refusal["code"], why: string, limit = "", at: BadCell | null = null) {
    super(why);
    this.code = code;
    this.limit = limit;
    this.at = at;
  }
}

export const bad = (why: string): Refusal => new Refusal("bad-workbook", why);
export const badCell = (why: string, at: BadCell): Refusal => new Refusal("bad-workbook", why, "", at);
export const tooLarge = (what: string, limit: string): Refusal => new Refusal("sheet-too-large", what, limit);
