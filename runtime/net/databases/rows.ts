import type { Json } from "../../graph/contract/contract.js";
import { DEPTH_LIMIT } from "../../graph/values/values.js";

/** An answer that is not taken. */
export class Refused extends Error {}

const MOST_ROWS = 10_000;
export const MOST_CHARACTERS = 10_000_000;

export const tooLarge = (): Refused => new Refused("the rows are larger than 10 MB: ask for less");

/** Collects rows as the texts of one JSON list, so that what is too large is noticed while it is read. */
export class Rows {
  readonly #texts: string[] = [];
  #length = 0;
  readonly #most: number;
  constructor(most: number = MOST_ROWS) {
    this.#most = most;
  }
  add(row: Json): void {
    if (this.#texts.length >= this.#most)
      throw new Refused(`there are more than ${this.#most} rows: add a LIMIT, or raise "max_rows"`);
    const text = JSON.stringify(row);
    this.#length += text.length;
    if (this.#length > MOST_CHARACTERS) throw tooLarge();
    this.#texts.push(text);
  }
  get json(): string {
    return `[${this.#texts.join(",")}]`;
  }
}

/** The names of the columns. Two of one name would become one entry, and `__proto__` none. */
export function columnsOf(names: readonly string[]): readonly string[] {
  if (names.includes("__proto__"))
    throw new Refused('a column is named "__proto__", which no entry may be: name it otherwise with AS');
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new Refused(`two columns are named ${JSON.stringify(twice)}: name one of them with AS`);
  return names;
}

/** A number that a double cannot hold stays a text. */
export function numberOf(text: string): Json {
  const number = Number(text);
  const digits = text.replace(/e.*$/i, "").replace(/^[-+]?0*\.?0*|\./g, "");
  return Number.isFinite(number) && digits.length <= 15
    ? number
    : Number.isSafeInteger(number)
      ? number
      : text;
}

/** A value of a column as JSON. */
export function jsonOf(value: unknown, depth = 0): Json {
  if (depth > DEPTH_LIMIT) throw new Refused(`a value is nested more than ${DEPTH_LIMIT} deep`);
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return numberOf(value.toString());
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString("base64");
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
  if (Array.isArray(value)) return value.map((one) => jsonOf(one, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, jsonOf(one, depth + 1)]));
}
