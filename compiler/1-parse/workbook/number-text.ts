/** What the number format of a cell makes of its number. */
export type NumberKind =
  | { readonly kind: "number" }
  /** Padded with zeros to this many digits. */
  | { readonly kind: "zeros"; readonly digits: number }
  | { readonly kind: "moment"; readonly time: boolean };

const PLAIN: NumberKind = { kind: "number" };
const between = (from: number, to: number) => (id: number) => id >= from && id <= to;
const DATES = [between(14, 17), between(27, 31), between(34, 36), between(50, 58)];
const TIMES = [between(18, 22), between(32, 33), between(45, 45), between(47, 47)];

/** The kind of a format: by its code, or by its number when it is built in. */
export function numberKind(id: number, code: string | null): NumberKind {
  if (code !== null) return kindOfCode(code);
  if (TIMES.some((has) => has(id))) return { kind: "moment", time: true };
  return DATES.some((has) => has(id)) ? { kind: "moment", time: false } : PLAIN;
}

/** What a format only shows: quoted words, single letters behind a sign, and names of colours and currencies. */
const SHOWN = /"[^"]*"?|\\.|[_*].|\[[^\]]*\]?/gs;
/** Hours, minutes or seconds that count on past a day. */
const ELAPSED = /\[(?:h+|m+|s+)\]/i;

function kindOfCode(code: string): NumberKind {
  if (/^0{2,100}$/.test(code)) return { kind: "zeros", digits: code.length };
  const signs = code
    .slice(0, 1000)
    .replace(SHOWN, "")
    .replace(/general|standard/gi, "");
  const isElapsed = ELAPSED.test(code.replace(/"[^"]*"?|\\./gs, ""));
  if (isElapsed || !/[ymdhs]/i.test(signs)) return PLAIN;
  return { kind: "moment", time: /[hs]/i.test(signs) };
}

/** The text of a number, as its format has it; dates by the workbook's own system. */
export function numberText(value: number, kind: NumberKind, is1904: boolean): string {
  if (kind.kind === "zeros") return padded(value, kind.digits);
  if (kind.kind === "moment") return momentText(value, kind.time, is1904) ?? plainNumber(value);
  return plainNumber(value);
}

const plainNumber = (value: number): string => String(value === 0 ? 0 : value);

function padded(value: number, digits: number): string {
  if (!Number.isSafeInteger(value)) return plainNumber(value);
  return (value < 0 ? "-" : "") + String(Math.abs(value)).padStart(digits, "0");
}

const DAY = 86_400;
/** The first day of the year 10000 in both systems: spreadsheets know no later one. */
const LAST = { 1900: 2_958_466, 1904: 2_957_004 };

/** A day, a day with a time, or a time; null for a number that is no moment. */
function momentText(serial: number, hasTime: boolean, is1904: boolean): string | null {
  if (serial < 0) return null;
  const seconds = secondsOf(serial * DAY);
  const days = Math.floor(seconds / DAY);
  if (days >= (is1904 ? LAST[1904] : LAST[1900])) return null;
  const rest = seconds - days * DAY;
  if (days === 0 && (hasTime || rest !== 0)) return clockText(rest);
  const date = new Date(epochOf(days, is1904) + days * DAY * 1000).toISOString().slice(0, 10);
  return rest === 0 ? date : `${date}T${clockText(rest)}`;
}

/** Whole seconds. The last half second of a clock stays within its day: what has no date gets none. */
export const secondsOf = (seconds: number): number =>
  seconds < DAY ? Math.min(Math.round(seconds), DAY - 1) : Math.round(seconds);

/** Day 60 of the older system is 29 February 1900, which never was: what is before it counts from a day later. */
function epochOf(days: number, is1904: boolean): number {
  if (is1904) return Date.UTC(1904, 0, 1);
  return days < 61 ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30);
}

export function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** The text of a cell that holds a date as text of ISO 8601; null for any other text. */
export function isoText(text: string): string | null {
  const found = /^(\d{4}-\d\d-\d\d)?(?:T?(\d\d:\d\d)(?::(\d\d))?(?:\.\d+)?)?Z?$/.exec(text.trim());
  if (found === null) return null;
  const [, date, minutes, seconds = "00"] = found;
  const time = minutes === undefined ? null : `${minutes}:${seconds}`;
  if (date === undefined) return time;
  return time === null || time === "00:00:00" ? date : `${date}T${time}`;
}
