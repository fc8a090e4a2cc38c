import { STRING } from "../types/field-type.js";
import type { FormulaFunction } from "./function.js";
import { LOGIC } from "./logic.js";
import { LOOKUP } from "./lookup.js";
import { VALUES } from "./values.js";

/** A value of the run that a formula reads through an input of its own. */
const clock = (name: string, param: string, about: string, example: string): FormulaFunction => ({
  name,
  signature: `${name}()`,
  about,
  example: [`${name}()`, example],
  least: 0,
  most: 0,
  check: ({ checker, tree, facts }) =>
    checker.made({ is: "read", param, path: [] }, STRING, { at: tree, facts }),
});

const CLOCK: readonly FormulaFunction[] = [
  clock("TODAY", "$today", "The date of the visit, as `$today` is.", "2026-11-22"),
  clock("NOW", "$now", "The time of the visit in UTC, as `$now` is.", "2026-11-22T10:36:00.000Z"),
];

/** All functions of formulas by name. */
export const FUNCTIONS: ReadonlyMap<string, FormulaFunction> = new Map(
  [...LOGIC, ...VALUES, LOOKUP, ...CLOCK].map((row) => [row.name, row]),
);
