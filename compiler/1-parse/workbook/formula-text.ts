/** What files write around the names of functions that are younger than their format. */
const PREFIX = /\b(?:_xl(?:fn|ws|udf|pm)|COM\.MICROSOFT|ORG\.LIBREOFFICE|ORG\.OPENOFFICE)\./gi;

/** Changes a formula outside of its texts. */
const outside = (formula: string, change: (part: string) => string): string =>
  formula
    .split(/("(?:[^"]|"")*")/)
    .map((part, i) => (i % 2 === 1 ? part : change(part)))
    .join("");

/** The formula of a cell of an Excel workbook as a person wrote it. */
export const xlsxFormula = (formula: string): string =>
  outside(formula.trim(), (part) => part.replace(PREFIX, ""));

/** The same of an OpenDocument file, in which `[.A1:.B2]` is A1:B2 and `[$Tariff.A1]` is Tariff!A1. */
export const odsFormula = (formula: string): string =>
  outside(formula.replace(/^\w*:?=/, ""), (part) =>
    part
      .replace(PREFIX, "")
      .replace(/\[([^[\]]*)\]/g, (_, cells: string) =>
        cells.replace(/(^|:)\$?([^.:]*)\./g, (_all, colon: string, sheet: string) =>
          sheet === "" ? colon : `${colon}${sheet}!`,
        ),
      ),
  );

/** The annotation of an input: no name of a formula. */
const TYPE = /:(?:[^'|,;\n]|'[^']*')*/g;

/**
 * Programs write names as they like, LibreOffice in small letters: a name that is no input but for capitals and small
 * letters is the one that stands in `input_fields`.
 */
export function withNames(formula: string, inputs: string): string {
  const plain = inputs.replace(TYPE, "");
  const names = new Set(plain.match(/[\p{L}_][\p{L}\p{M}\p{Nd}_]*/gu) ?? []);
  const folded = new Map([...names].map((name) => [name.toLowerCase(), name]));
  return outside(formula, (part) =>
    part.replace(/[\p{L}_][\p{L}\p{M}\p{Nd}_]*(?![\p{L}\p{Nd}_]*\s*\()/gu, (word) =>
      names.has(word) ? word : (folded.get(word.toLowerCase()) ?? word),
    ),
  );
}
