/** Why a file is not read as a workbook. It is thrown within this room only: `readWorkbook` returns it as data. */
export class Refusal extends Error {
  readonly code: "bad-workbook" | "sheet-too-large";
  /** What is exceeded, for `sheet-too-large`. */
  readonly limit: string;

  constructor(code: Refusal["code"], why: string, limit = "") {
    super(why);
    this.code = code;
    this.limit = limit;
  }
}

export const bad = (why: string): Refusal => new Refusal("bad-workbook", why);
export const tooLarge = (what: string, limit: string): Refusal => new Refusal("sheet-too-large", what, limit);
