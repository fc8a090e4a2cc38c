import { fitOf, typeWords } from "../types/kinds.js";
import type { Checking } from "./checking.js";
import type { Expression } from "./tree.js";
import { clipped, type Typed } from "./typed.js";

type Binary = Extract<Expression, { kind: "binary" }>;

const CLOCKS: ReadonlySet<string> = new Set(["$today", "$now"]);

const isText = ({ type }: Typed): boolean => fitOf(type, "text") === "all";

/** What is a date for sure. */
function isDate({ tree }: Typed): boolean {
  if (tree.is === "read") return tree.path.length === 0 && CLOCKS.has(tree.param);
  if (tree.is === "call") return tree.name === "dateAdd";
  return tree.is === "value" && /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(String(tree.value));
}

/** A field of text may hold one. */
const mayBeDate = (one: Typed): boolean => isText(one) && (one.tree.is === "read" || isDate(one));

/**
 * In a spreadsheet a date is a number of days, which is added to and taken away; here functions do both. True after a
 * report.
 */
export function reportDates(
  checker: Checking,
  tree: Binary,
  [left, right]: readonly [Typed, Typed],
): boolean {
  if ([left, right].some(({ isBroken, mayBeUnset }) => isBroken || mayBeUnset)) return false;
  if (tree.sign === "-" && mayBeDate(left) && mayBeDate(right)) {
    const days = `DATEDIF(${checker.shown(right.at)}, ${checker.shown(left.at)}, "D")`;
    report(checker, tree, left, {
      days,
      why: "the days between two dates",
      areDates: isDate(left) || isDate(right),
    });
    return true;
  }
  const isTurned = tree.sign === "+" && !mayBeDate(left);
  const [date, count] = isTurned ? [right, left] : [left, right];
  if (!mayBeDate(date) || fitOf(count.type, "number") === "none") return false;
  const shown = checker.shown(count.at);
  const signed = tree.sign === "+" ? shown : /^[\p{L}\p{Nd}_.]+$/u.test(shown) ? `-${shown}` : `-(${shown})`;
  const days = `DATEADD(${checker.shown(date.at)}, ${signed}, "D")`;
  report(checker, tree, date, { days, why: "a date", areDates: isDate(date) });
  return true;
}

function report(
  checker: Checking,
  tree: Binary,
  one: Typed,
  { days, why, areDates }: { readonly days: string; readonly why: string; readonly areDates: boolean },
): void {
  const shown = checker.shown(one.at);
  const message = `${clipped(shown)} is ${typeWords(one.type)}, ${tree.sign} needs a number`;
  const number = `VALUE(${shown})`;
  const help = areDates ? `write ${days}` : `write ${number} for text that is a number, ${days} for ${why}`;
  const fix = areDates ? { text: days, safe: false, at: tree } : { text: number, safe: false };
  checker.report("formula-type", one.at, message, help, fix);
}
