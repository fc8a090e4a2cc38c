import { refuse, shown } from "./refuse.js";

/** The `=` of formulas: small letters and capitals are alike, what is unset is empty text. */
export function same(one: unknown, other: unknown): boolean {
  const [left, right] = [one ?? "", other ?? ""];
  if (typeof left === "string" && typeof right === "string")
    return left.toLowerCase() === right.toLowerCase();
  for (const value of [left, right])
    if (typeof value === "object")
      refuse(`${shown(value)} cannot be compared: write JSON(…) to compare it as text`);
  return left === right;
}

/** Two texts in which small letters and capitals differ. */
export const exact = (one: string, other: string): boolean => one === other;

/** Below zero when the first one comes first: numbers by size, texts by their characters in small letters. */
export function compare(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one < other ? -1 : one > other ? 1 : 0;
  if (typeof one === "string" && typeof other === "string")
    return byCodePoint(one.toLowerCase(), other.toLowerCase());
  return refuse(`${shown(one)} and ${shown(other)} have no order`);
}

/** UTF-16 units have another order where characters need two of them. */
function byCodePoint(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  if (at > 0 && isLow(one.charCodeAt(at)) && isLow(other.charCodeAt(at))) at--;
  const [left, right] = [one.codePointAt(at) ?? -1, other.codePointAt(at) ?? -1];
  return left === right ? one.length - other.length : left - right;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
