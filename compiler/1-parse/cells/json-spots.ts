import type { Json, JsonEntry, JsonSpot, Range } from "../../ir.js";
import { isSpace, trimRange } from "../text/white-space.js";
import { isQuote, type LenientToken, readStringToken } from "./json-strings.js";
import { isReserved } from "./name-rules.js";

/** Offsets count in the whole text. */
export interface JsonReading {
  /** Null for faulty JSON. */
  readonly spot: JsonSpot | null;
  /** The stretch at which the text stops being JSON. */
  readonly fault: (Range & { readonly why: string }) | null;
  readonly lenient: readonly LenientToken[];
  /** Keys that are refused; they are not in the value. */
  readonly reserved: readonly JsonKey[];
  /** Keys that stood in the same object before; the last one counts. */
  readonly repeated: readonly JsonKey[];
}

interface JsonKey extends Range {
  readonly key: string;
}

export const NO_JSON: JsonReading = { spot: null, fault: null, lenient: [], reserved: [], repeated: [] };

interface Reader {
  readonly text: string;
  readonly end: number;
  at: number;
  fault: JsonReading["fault"];
  /** A key without quotes was seen: words without quotes are text from there on. */
  loose: boolean;
  readonly deepest: number;
  readonly lenient: LenientToken[];
  readonly reserved: JsonKey[];
  readonly repeated: JsonKey[];
}

const DEEPEST = 64;

/** TypeScript gives up on a literal that is nested about 48 deep, and settings are printed as such. */
export const DEEPEST_SETTING = 40;

/**
 * Reads JSON with the place of each of its parts. Python's quotes, words and trailing commas, curly quotes, and keys
 * without quotes as in `{retry: 3}` or `{retry=3}` are understood and noted. Of two entries with one key the last
 * counts. Linear.
 */
export function readJson(text: string, { start, end }: Range, deepest = DEEPEST): JsonReading {
  const reader: Reader = {
    text,
    end,
    at: start,
    fault: null,
    loose: false,
    deepest,
    lenient: [],
    reserved: [],
    repeated: [],
  };
  const spot = readValue(reader, 1);
  skipSpace(reader);
  if (spot === null || reader.at < end) {
    unexpected(reader, "the end after the last bracket");
    return { ...NO_JSON, fault: reader.fault };
  }
  const { lenient, reserved, repeated } = reader;
  return { spot, fault: null, lenient: lenient.sort((a, b) => a.start - b.start), reserved, repeated };
}

function readValue(reader: Reader, depth: number): JsonSpot | null {
  skipSpace(reader);
  const character = peek(reader);
  if (isQuote(character)) return readString(reader);
  if (character !== "{" && character !== "[") return reader.loose ? readLooseWord(reader) : readWord(reader);
  if (depth > reader.deepest)
    return fail(reader, `it is nested more than ${reader.deepest} deep`, reader.at + 1);
  return character === "{" ? readObject(reader, depth) : readList(reader, depth);
}

function readObject(reader: Reader, depth: number): JsonSpot | null {
  const start = reader.at++;
  const entries = new Map<string, JsonEntry>();
  for (let first = true; hasMore(reader, "}", first); first = false) {
    const key = isQuote(peek(reader)) ? readString(reader) : readBareKey(reader);
    if (key === null || !expectColon(reader)) return null;
    const spot = readValue(reader, depth + 1);
    if (spot === null) return null;
    addEntry(reader, entries, { key: key.value as string, start: key.start, end: key.end, spot });
  }
  if (reader.fault !== null) return null;
  const value: { [key: string]: Json } = Object.create(null);
  for (const { key, spot } of entries.values()) value[key] = spot.value;
  return { value, start, end: reader.at, entries: [...entries.values()] };
}

function addEntry(reader: Reader, entries: Map<string, JsonEntry>, entry: JsonEntry): void {
  const { key, start, end } = entry;
  if (isReserved(key)) reader.reserved.push({ key, start, end });
  else {
    if (entries.has(key)) reader.repeated.push({ key, start, end });
    entries.set(key, entry);
  }
}

const BARE_KEY = /[\p{L}_$][\p{L}\p{N}_$.-]*/uy;

/** A key without quotes: only where a colon or `=` follows can it be one. */
function readBareKey(reader: Reader): JsonSpot | null {
  const { text, at: start } = reader;
  BARE_KEY.lastIndex = start;
  const [value] = BARE_KEY.exec(text) ?? [];
  if (value === undefined) return fail(reader, 'a key must stand in quotes, as in "retry"');
  const end = start + value.length;
  let sign = end;
  while (sign < reader.end && isSpace(text, sign)) sign++;
  if (sign >= reader.end || !":=".includes(text[sign] as string))
    return fail(reader, 'a key must stand in quotes, as in "retry"');
  reader.loose = true;
  note(reader, start, end, "a key stands without quotes", JSON.stringify(value));
  reader.at = end;
  return { value, start, end };
}

function readList(reader: Reader, depth: number): JsonSpot | null {
  const start = reader.at++;
  const items: JsonSpot[] = [];
  for (let first = true; hasMore(reader, "]", first); first = false) {
    const item = readValue(reader, depth + 1);
    if (item === null) return null;
    items.push(item);
  }
  if (reader.fault !== null) return null;
  return { value: items.map(({ value }) => value), start, end: reader.at, items };
}

/** True when another element follows. Eats the comma before it, or the closing bracket. */
function hasMore(reader: Reader, close: "}" | "]", first: boolean): boolean {
  skipSpace(reader);
  if (!first && (peek(reader) === "," || startsEntry(reader))) {
    const comma = reader.at++;
    if (reader.text[comma] === ";") note(reader, comma, comma + 1, '";" stands for ","', ",");
    skipSpace(reader);
    if (peek(reader) !== close) return true;
    note(reader, comma, comma + 1, "a comma stands after the last entry", "");
  }
  if (peek(reader) === close) {
    reader.at++;
    return false;
  }
  if (first && reader.at < reader.end) return true;
  unexpected(reader, `"," or "${close}"`);
  return false;
}

/** A semicolon parts entries where a key without quotes follows it. */
function startsEntry({ loose, text, at, end }: Reader): boolean {
  if (!loose || at >= end || text[at] !== ";") return false;
  return /^;\s*[\p{L}_$][\p{L}\p{N}_$.-]{0,100}\s*[:=]/u.test(text.slice(at, Math.min(end, at + 200)));
}

function expectColon(reader: Reader): boolean {
  skipSpace(reader);
  if (peek(reader) === "=") {
    note(reader, reader.at, reader.at + 1, '"=" stands for ":"', ":");
    reader.loose = true;
    reader.at++;
    return true;
  }
  if (peek(reader) !== ":") {
    unexpected(reader, '":" after the key');
    return false;
  }
  reader.at++;
  return true;
}

function readString(reader: Reader): JsonSpot | null {
  const token = readStringToken(reader.text, { start: reader.at, end: reader.end });
  if ("why" in token) {
    reader.fault ??= token;
    return null;
  }
  const { start, end, value, what } = token;
  if (what !== null) note(reader, start, end, what, JSON.stringify(value));
  reader.at = end;
  return { value, start, end };
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LONGEST_NUMBER = 400;

/** The number that a text is, as JSON writes it; null for any other text, and for numbers out of range. */
export function parseNumber(text: string): number | null {
  if (text.length > LONGEST_NUMBER || !NUMBER.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

const words: ReadonlyMap<string, { readonly value: Json; readonly json: string }> = new Map([
  ...[true, false, null].map((value) => [String(value), { value, json: String(value) }] as const),
  ["True", { value: true, json: "true" }],
  ["False", { value: false, json: "false" }],
  ["None", { value: null, json: "null" }],
]);

function readWord(reader: Reader, end = wordEnd(reader.text, reader)): JsonSpot | null {
  const start = reader.at;
  const word = reader.text.slice(start, end);
  if (word === "") return unexpected(reader, "a value");
  const known = words.get(word);
  const value = known === undefined ? parseNumber(word) : known.value;
  if (value === null && known === undefined) return fail(reader, wordFault(word), end);
  if (known !== undefined && known.json !== word)
    note(reader, start, end, `${word} stands for ${known.json}`, known.json);
  reader.at = end;
  return { value, start, end };
}

/** Text without quotes, up to the end of its entry; numbers and the words of JSON and Python are what they are. */
function readLooseWord(reader: Reader): JsonSpot | null {
  const { text, at } = reader;
  let stop = at;
  while (stop < reader.end && !",}]\r\n".includes(text[stop] as string)) {
    if (text[stop] === ";" && startsEntry({ ...reader, at: stop })) break;
    stop++;
  }
  const { start, end } = trimRange(text, at, stop);
  const word = text.slice(start, end);
  if (words.has(word) || parseNumber(word) !== null) return readWord(reader, end);
  // Signs of JSON inside it say that something is missing between two entries.
  if (word === "" || /[={}[\]"]|:(?![/\d\\])/.test(word)) return readWord(reader);
  note(reader, start, end, "text stands without quotes", JSON.stringify(word));
  reader.at = end;
  return { value: word, start, end };
}

function wordFault(word: string): string {
  const shown = word.length > 40 ? `${word.slice(0, 37)}...` : word;
  if (/^[-+.\d]/.test(word)) return `${shown} is no number`;
  return `${shown} is no value: text must stand in quotes`;
}

function wordEnd(text: string, { at, end }: { readonly at: number; readonly end: number }): number {
  let stop = at;
  while (stop < end && !isSpace(text, stop) && !isMark(text[stop] as string)) stop++;
  return stop;
}

const isMark = (character: string): boolean => ",:{}[]".includes(character) || isQuote(character);

const peek = (reader: Reader): string => (reader.at < reader.end ? (reader.text[reader.at] as string) : "");

/** Goes past white space; what JSON does not take for such is noted. */
function skipSpace(reader: Reader): void {
  for (; reader.at < reader.end && isSpace(reader.text, reader.at); reader.at++) {
    if (" \t\n\r".includes(peek(reader))) continue;
    note(reader, reader.at, reader.at + 1, "it holds white space that JSON does not know", " ");
  }
}

function unexpected(reader: Reader, wanted: string): null {
  const character = String.fromCodePoint(reader.text.codePointAt(reader.at) ?? 0);
  const found = reader.at < reader.end ? JSON.stringify(character) : "the end of the cell";
  return fail(reader, `expected ${wanted}, found ${found}`);
}

function note({ lenient }: Reader, start: number, end: number, what: string, json: string): void {
  lenient.push({ start, end, what, json });
}

function fail(reader: Reader, why: string, end = Math.min(reader.at + 1, reader.end)): null {
  reader.fault ??= { start: reader.at, end, why };
  return null;
}
