import { pointed } from "../../../compiler/types/pointed.js";
import { isBlank } from "./check-value.js";
import { refuse, shown } from "./refuse.js";

export function divide(one: number, other: number): number {
  if (other === 0) return refuse("a division by zero");
  return finite(one / finite(other, "the division"), "the division");
}

export function power(base: number, exponent: number): number {
  if (base === 0 && exponent === 0) return refuse("0 ^ 0 has no value");
  const isPower = Number.isFinite(base) && Number.isFinite(exponent);
  return finite(isPower ? base ** exponent : Number.NaN, `${base} ^ ${exponent}`);
}

/** A sum or a product that is too large for a number is none. */
export const finite = (value: number, what = "a part of the formula"): number =>
  Number.isFinite(value) ? value : refuse(`${what} gives no number`);

/** The same for a value of any type. */
export function checkFinite(name: string, value: unknown): void {
  if (typeof value === "number") finite(value, name);
}

/**
 * The rest of a division, with the sign of the divisor. What is left only because a decimal cannot be held exactly
 * is nothing: `mod(0.3, 0.1)` is 0.
 */
export function mod(one: number, other: number): number {
  if (other === 0) return refuse("a division by zero");
  const rest = finite(one, "MOD") % finite(other, "MOD");
  const slack = Number.isInteger(one) && Number.isInteger(other) ? 0 : Math.abs(one) * Number.EPSILON;
  if (Math.abs(rest) <= slack || Math.abs(other) - Math.abs(rest) <= slack) return 0;
  return rest !== 0 && rest < 0 !== other < 0 ? rest + other : rest;
}

/** Half away from zero, by the digits that the number is written with: `round(1.005, 2)` is 1.01. */
export function round(value: number, digits: number): number {
  const places = Math.trunc(digits);
  const [number = "0", exponent = "0"] = Math.abs(value).toString().split("e");
  const decimals = (number.split(".")[1] ?? "").length - Number(exponent);
  // There are no more digits to round, and a very large number could not be moved.
  if (places >= decimals) return finite(value, "ROUND") + 0;
  const moved = Math.floor(Number(`${number}e${Number(exponent) + places}`) + 0.5);
  // The sum with a half is itself rounded where the last digit is all that a number can hold.
  const exactly = isHalfUp(number, Number(exponent) + places) ?? moved;
  const back = exactly.toString().split("e");
  const rounded = Number(`${back[0]}e${Number(back[1] ?? "0") - places}`);
  return finite(value < 0 ? -rounded : rounded, "ROUND");
}

/** The whole number that a decimal moved by places is nearest to; null where it has to be computed. */
function isHalfUp(number: string, places: number): number | null {
  const [whole = "", fraction = ""] = number.split(".");
  const digits = whole + fraction;
  const point = whole.length + places;
  if (point >= digits.length) return Number(`${number}e${places}`);
  if (point < 0) return 0;
  const up = digits.charCodeAt(point) >= 53 ? 1 : 0;
  return Number(digits.slice(0, point) || "0") + up;
}

/** The numbers of values and of lists among them. */
function numbersOf(name: string, values: readonly unknown[]): readonly number[] {
  return values
    .flat(1)
    .map((value) =>
      typeof value === "number"
        ? finite(value, name)
        : refuse(`${name} meets ${shown(value)}, which is no number`),
    );
}

export const sum = (...values: readonly unknown[]): number =>
  finite(
    numbersOf("SUM", values).reduce((total, value) => total + value, 0),
    "SUM",
  );

/** What is unset is no value. */
export function count(...values: readonly unknown[]): number {
  const all = values.flat(1);
  for (const value of all) checkFinite("COUNT", value);
  return all.filter((value) => !isBlank(value)).length;
}

export function min(...values: readonly unknown[]): number {
  return someOf("MIN", values).reduce((least, value) => (value < least ? value : least));
}

export function max(...values: readonly unknown[]): number {
  return someOf("MAX", values).reduce((most, value) => (value > most ? value : most));
}

export function average(...values: readonly unknown[]): number {
  const numbers = someOf("AVERAGE", values);
  return finite(numbers.reduce((total, value) => total + value, 0) / numbers.length, "AVERAGE");
}

function someOf(name: string, values: readonly unknown[]): readonly number[] {
  const numbers = numbersOf(name, values);
  return numbers.length === 0 ? refuse(`${name} finds no numbers`) : numbers;
}

/** Digits, one point, a sign, an exponent and blanks around; neither thousands nor percent. */
const NUMBER = /^ *[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)? *$/;

export function toNumber(text: string): number {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  const meant = pointed(text);
  return refuse(`VALUE finds no number in ${shown(text)}${meant === null ? "" : `: write ${meant}`}`);
}
