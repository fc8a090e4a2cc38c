import { folded } from "../../compiler/types/yes-no.js";
import { text } from "../graph/values/values.js";

/**
 * True when a value meets a criterion of COUNTIF: a value to equal, or an operator and an operand (`>100`,
 * `<>DE`), with `*` and `?` in text and `~` before a literal one. Numbers in text count as numbers, unless a `~` stands
 * before the operand.
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

/** A value as an operand in which nothing has a meaning of its own: neither `*`, nor that a text looks like a number. */
export function literal(value: unknown): string {
  const plain = text(value).trim().replace(/[~*?]/g, "~$&");
  return typeof value === "string" && numberOf(value) !== null ? `~${plain}` : plain;
}

/** An empty operand means an empty value, and nothing else does: `*` is any text, but not none. */
function equals(value: unknown, operand: string): boolean {
  if (value === undefined || value === null) return operand.trim() === "";
  const wanted = numberOf(operand);
  const number = numberOf(value);
  const areTexts = typeof value === "string" && (isLong(value) || isLong(operand));
  if (wanted !== null && number !== null && !areTexts) return number === wanted;
  return fitsPattern(folded(text(value)), partsOf(folded(operand)));
}

/** Numbers compare with numbers, texts with texts; null when the two cannot be compared. */
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

/** As people write them: 0x10 is none. */
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** As a number such a text would be rounded, and then equal to its neighbours: ids and card numbers are texts. */
const isLong = (value: string): boolean => value.replace(/\D/g, "").length > 15;

/**
 * Whether values fit a pattern, in which `ANY` stands for any number of them and `ONE` for one. Goes back to the last
 * `ANY` only, so that no pattern takes longer than the product of both lengths.
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
