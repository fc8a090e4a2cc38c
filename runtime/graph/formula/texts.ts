import { text } from "../values/values.js";
import { dateOf } from "./dates.js";
import { checkFinite, finite, round } from "./numbers.js";
import { refuse, shown, textOfLength } from "./refuse.js";

/** Blanks alone, as spreadsheets do it. */
export const trim = (value: string): string => value.replace(/^ +| +$/g, "").replace(/ {2,}/g, " ");

/** No spreadsheet counts further. */
const MOST = 2 ** 31 - 1;

const countOf = (name: string, count: number): number =>
  count >= 0 && count <= MOST ? Math.trunc(count) : refuse(`${name} is asked for ${count} characters`);

export const left = (value: string, count = 1): string => value.slice(0, countOf("LEFT", count));

export function right(value: string, count = 1): string {
  return value.slice(Math.max(0, value.length - countOf("RIGHT", count)));
}

export function mid(value: string, start: number, count: number): string {
  const from = Math.trunc(start);
  if (!(from >= 1)) return refuse(`MID begins at ${from}: the first character has the number 1`);
  return value.slice(from - 1, from - 1 + countOf("MID", count));
}

export const contains = (value: string, part: string): boolean =>
  value.toLowerCase().includes(part.toLowerCase());

export function substitute(value: string, old: string, fresh: string, number?: number): string {
  if (old === "") return value;
  const parts = value.split(old);
  if (number === undefined) {
    const size = value.length + (parts.length - 1) * (fresh.length - old.length);
    return size > 0 ? textOfSize(size, () => parts.join(fresh)) : parts.join(fresh);
  }
  const nth = Math.trunc(finite(number, "SUBSTITUTE"));
  if (nth < 1) return refuse(`SUBSTITUTE is asked for part ${nth}: the first one has the number 1`);
  if (nth >= parts.length) return value;
  return textOfLength(`${parts.slice(0, nth).join(old)}${fresh}${parts.slice(nth).join(old)}`);
}

/** A text that is too long is not made at all. */
function textOfSize(size: number, make: () => string): string {
  return size > 1_048_576 ? refuse("a formula makes a text of more than 1 MB") : make();
}

export function split(value: string, separator: string): readonly string[] {
  return separator === "" ? refuse("SPLIT has no separator") : value.split(separator);
}

export function textJoin(separator: string, skipEmpty: boolean, ...values: readonly unknown[]): string {
  const all = values.flat(1);
  for (const value of all) checkFinite("TEXTJOIN", value);
  const texts = all.map(text);
  const kept = skipEmpty ? texts.filter((one) => one !== "") : texts;
  const size = kept.reduce((total, one) => total + one.length + separator.length, 0);
  return textOfSize(size, () => kept.join(separator));
}

/** A number or a date by a format. */
export function formatted(value: unknown, format: string): string {
  const kind = format.toLowerCase();
  if (kind === "yyyy-mm-dd" || kind === "dd.mm.yyyy") return formatDate(value, kind);
  if (typeof value !== "number")
    return refuse(`TEXT needs a number for the format ${format}, not ${shown(value)}`);
  const shape = NUMBER_FORMAT.exec(format);
  if (shape === null) return refuse(`TEXT does not know the format ${shown(format)}`);
  const { zeros = "", thousands, fraction = "", percent } = shape.groups ?? {};
  const number = finite(value, "TEXT");
  const rounded = round(percent === undefined ? number : round(number * 100, 13), fraction.length);
  const [whole = "0", digits] = plainDigits(Math.abs(rounded), fraction.length).split(".");
  const padded = whole.padStart(zeros.length, "0");
  const grouped = thousands === undefined ? padded : padded.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${rounded < 0 ? "-" : ""}${grouped}${digits === undefined ? "" : `.${digits}`}${percent ?? ""}`;
}

const NUMBER_FORMAT = /^(?:(?<thousands>#,##0)|(?<zeros>0+))(?:\.(?<fraction>0+))?(?<percent>%)?$/;

/** Digits without an exponent, however large the number: those that it is written with, then zeros. */
function plainDigits(value: number, digits: number): string {
  if (value < Number.MAX_SAFE_INTEGER) return value.toFixed(digits);
  const [number = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = number.split(".");
  const places = Number(exponent);
  const shown = `${whole}${fraction.padEnd(places, "0")}`;
  return digits === 0 ? shown : `${shown}.${"0".repeat(digits)}`;
}

function formatDate(value: unknown, format: string): string {
  if (typeof value !== "string")
    return refuse(`TEXT needs a date for the format ${format}, not ${shown(value)}`);
  const { year, month, day } = dateOf("TEXT", value);
  const [y, m, d] = [String(year).padStart(4, "0"), two(month), two(day)];
  return format === "yyyy-mm-dd" ? `${y}-${m}-${d}` : `${d}.${m}.${y}`;
}

const two = (number: number): string => String(number).padStart(2, "0");
