import { folded } from "../../../compiler/types/yes-no.js";
import { text } from "../values/values.js";

/**
 * True when a value meets a criterion as in COUNTIF: a value, or an operator and an operand (`>100`, `<>DE`). Text
 * may use `*` and `?`, with `~` before a literal one. Text that reads as a number is one, unless `~` stands before
 * it.
 */
export function meets(value: unknown, criterion: unknown): boolean {
  if (Array.isArray(criterion)) return criterion.some((one) => meets(value, one));
  if (typeof criterion !== "string") return equals(value, text(criterion));
  const [, operator = "=", operand = ""] = /^(<>|<=|>=|=|<|>)?([\s\S]*)$/.exec(criterion.trim()) ?? [];
  if (operator === "=") return equals(value, operand);
  if (operator === "<>") return !equals(value, operand);
  const order = compare(value, operand.trim());
  if (order === null) return false;
  if (operator === "<") return order < 0;
  if (operator === ">") return order > 0;
  return operator === "<=" ? order <= 0 : order >= 0;
}

/** A value as an operand without special meaning: neither wildcards, nor text that counts as a number. */
export function literal(value: unknown): string {
  const plain = text(value).trim().replace(/[~*?]/g, "~$&");
  return typeof value === "string" && numberOf(value) !== null ? `~${plain}` : plain;
}

/** An empty operand fits only an empty value. `*` fits any text but an empty value. */
function equals(value: unknown, operand: string): boolean {
  if (value === undefined || value === null) return operand.trim() === "";
  const wanted = numberOf(operand);
  const number = numberOf(value);
  const areTexts = typeof value === "string" && (isLong(value) || isLong(operand));
  if (wanted !== null && number !== null && !areTexts) return number === wanted;
  return fitsPattern(folded(text(value)), partsOf(folded(operand)));
}

/** Compares numbers with numbers and texts with texts; null for other pairs. */
function compare(value: unknown, operand: string): number | null {
  if (value === undefined || value === null || value === "") return null;
  const wanted = numberOf(operand);
  const number = numberOf(value);
  if (wanted !== null) return number === null ? null : number - wanted;
  if (typeof value !== "string" || number !== null) return null;
  const [left, right] = [folded(value), folded(operand)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function numberOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !NUMBER.test(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Decimal numbers only: 0x10 is text. */
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** Such texts would be rounded as numbers, and then equal to others. They are ids or card numbers. */
const isLong = (value: string): boolean => value.replace(/\D/g, "").length > 15;

/**
 * True when values fit a pattern with `ANY` (any number of values) and `ONE` (one value). It backtracks only to the
 * last `ANY`, so the cost is at most the product of both lengths.
 */
export function fitsPattern(values: ArrayLike<string>, pattern: readonly (string | symbol)[]): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let resume = 0;
  while (at < values.length) {
    const wanted = pattern[part];
    if (wanted === ANY) {
      star = part++;
      resume = at;
    } else if (wanted === ONE || wanted === values[at]) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[part] === ANY) part++;
  return part === pattern.length;
}

export const ANY = Symbol("any number");
const ONE = Symbol("one");

function partsOf(pattern: string): readonly (string | symbol)[] {
  const parts: (string | symbol)[] = [];
  const first = /^~(?![*?~])/.test(pattern) ? 1 : 0;
  for (let i = first; i < pattern.length; i++) {
    const unit = pattern[i]!;
    const next = pattern[i + 1];
    if (unit === "~" && (next === "*" || next === "?" || next === "~")) {
      parts.push(next);
      i += 1;
    } else parts.push(unit === "*" ? ANY : unit === "?" ? ONE : unit);
  }
  return parts;
}
