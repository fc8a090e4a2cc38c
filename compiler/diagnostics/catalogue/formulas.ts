import { bare, error, warning } from "./rule.js";

/** A problem that the check of formulas puts in words. */
export interface FormulaFault {
  readonly message: string;
  readonly help: string | null;
}

/** Formulas. */
export const ofFormulas = {
  "bad-formula": error<FormulaFault>(
    (p) => bare(p.message, 200),
    (p) => p.help,
  ),
  "unknown-function": error<FormulaFault>(
    (p) => bare(p.message, 200),
    (p) => p.help,
  ),
  "formula-type": error<FormulaFault>(
    (p) => bare(p.message, 200),
    (p) => p.help,
  ),
  "bad-table": error<FormulaFault>(
    (p) => bare(p.message, 200),
    (p) => p.help,
  ),
  "constant-condition": warning<{ text: string; value: boolean | null; why: string }>(
    (p) =>
      p.value === null
        ? `${bare(p.text)} never takes its second value: ${bare(p.why, 200)}`
        : `${bare(p.text)} is always ${p.value ? "TRUE" : "FALSE"}: ${bare(p.why, 200)}`,
    () => "remove what is never used, or correct the condition",
  ),
};
