import { type ColumnType, type DatePart, readDateFormat } from "../../compiler/types/column-types.js";
import { yesOrNo } from "../../compiler/types/yes-no.js";
import type { Json } from "../graph/contract/contract.js";
import type { StorageColumns } from "../graph/contract/services.js";
import { failure } from "./failure.js";

/** `no` says why the text does not fit. */
type Read = (text: string) => { readonly value: Json } | { readonly no: string };

/** By column name; columns without a type have no reader. */
export type ColumnReaders = ReadonlyMap<string, Read>;

export function createReaders(columns: StorageColumns): ColumnReaders {
  const byType: { readonly [type in ColumnType]: () => Read } = {
    string: () => (text) => ({ value: text }),
    number: () => numberReader(columns),
    boolean: () => readBoolean,
    date: () => dateReader(columns.dateFormat),
  };
  return new Map(Object.entries(columns.types).map(([name, type]) => [name, byType[type]()]));
}

export interface CellPlace {
  readonly shown: string;
  readonly row: number;
  readonly column: string;
}

const LONGEST = 100;

/** Undefined for an empty cell, which is omitted. */
export function readTyped(read: Read, text: string, { shown, row, column }: CellPlace): Json | undefined {
  if (text.trim() === "") return undefined;
  const found = read(text);
  if ("value" in found) return found.value;
  // Never a part of the text: redaction finds whole secrets only.
  const told = text.length > LONGEST ? `a text of ${text.length} characters` : JSON.stringify(text);
  throw failure(shown, `row ${row}, column ${JSON.stringify(column)}: ${told} is ${found.no}`);
}

const SPACES = /[ \u00a0\u2009\u202f]/g;

/** For `1.200,50` the decimal is a comma, and thousands are separated by points. */
function numberReader({ decimal, thousands: sign }: StorageColumns): Read {
  const thousands: string = sign ?? "";
  const point = decimal ?? (thousands === "." ? "," : ".");
  const escaped = (sign: string): string => sign.replace(/[.]/, "\\.");
  const whole = thousands === "" ? "\\d+" : `(?:\\d+|\\d{1,3}(?:${escaped(thousands)}\\d{3})+)`;
  const pattern = new RegExp(
    `^[+-]?(?:${whole}(?:${escaped(point)}\\d*)?|${escaped(point)}\\d+)(?:[eE][+-]?\\d{1,3})?$`,
  );
  const example = `1${thousands}234${point}5`;
  return (text) => {
    const spaced = thousands === " " ? text.trim().replace(SPACES, " ") : text.trim().replaceAll("’", "'");
    if (spaced.length > LONGEST || !pattern.test(spaced)) return { no: `no number as in ${example}` };
    const plain = (thousands === "" ? spaced : spaced.replaceAll(thousands, "")).replace(point, ".");
    const value = Number(plain);
    if (!Number.isFinite(value)) return { no: "too large for a number" };
    // Longer digit strings are ids, and a number would round them.
    const isExact = !/^[+-]?\d+$/.test(plain) || Number.isSafeInteger(value);
    return isExact ? { value } : { no: "too long for a number: read the column as string" };
  };
}

function readBoolean(text: string): ReturnType<Read> {
  const value = yesOrNo(text);
  return value === undefined ? { no: "neither yes nor no" } : { value };
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** ISO dates stay as they are. Other formats are converted to ISO. */
function dateReader(format: string | undefined): Read {
  const parts = format === undefined ? null : readDateFormat(format);
  if (format === undefined || parts === null) {
    return (text) => {
      const plain = text.trim();
      const [, ...numbers] = ISO.exec(plain) ?? [];
      const isDate = numbers.length > 0 && isOnCalendar(numbers.map((one) => Number(one ?? 0)));
      return isDate
        ? { value: plain }
        : { no: 'no date as in 2026-01-31; another way of writing is named by "date_format"' };
    };
  }
  const pattern = new RegExp(`^${parts.map(patternOf).join("")}$`);
  const hasTime = parts.some((part) => typeof part !== "string" && "Hms".includes(part.letter));
  return (text) => {
    const found = pattern.exec(text.trim());
    const numbers = "yMdHms".split("").map((letter) => Number(found?.groups?.[letter] ?? 0));
    const [year = 0] = numbers;
    // The POSIX rule for years of two digits.
    if (found?.groups?.["y"]?.length === 2) numbers[0] = year + (year < 69 ? 2000 : 1900);
    if (found === null || !isOnCalendar(numbers)) return { no: `no date as in ${format}` };
    return { value: isoText(numbers, hasTime) };
  };
}

function patternOf(part: DatePart): string {
  if (typeof part === "string") return part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const { letter, count } = part;
  return `(?<${letter}>\\d{${count === 1 ? "1,2" : count}})`;
}

function isOnCalendar(numbers: readonly number[]): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= ([31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0);
}

function isoText([year = 0, ...rest]: readonly number[], hasTime: boolean): string {
  const [month, day, ...time] = rest.map((number) => String(number).padStart(2, "0"));
  const date = `${String(year).padStart(4, "0")}-${month}-${day}`;
  return hasTime ? `${date}T${time.join(":")}` : date;
}
