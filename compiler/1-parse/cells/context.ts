import type { Json, Range } from "../../ir.js";
import { trimRange } from "../text/white-space.js";
import { DEEPEST_SETTING, type JsonReading, NO_JSON, parseNumber, readJson } from "./json-spots.js";

/** The settings of a cell, or free text. Offsets count in the cell's text. */
export interface ContextReading extends JsonReading {
  /** Free text, trimmed; empty when the cell holds settings. */
  readonly description: string;
}

const NOTHING: ContextReading = { ...NO_JSON, description: "" };

/** Reads a context cell: text that starts with `{` is JSON, all other text describes the node. Linear. */
export function parseContext(text: string): ContextReading {
  const range = trimRange(text);
  if (range.start === range.end) return NOTHING;
  if (text[range.start] !== "{") return { ...NOTHING, description: text.slice(range.start, range.end) };
  return readSettings(text, range);
}

/**
 * Reads the cell of a `context.<setting>` column: numbers, true and false (spreadsheets write them in capitals),
 * lists and objects are JSON, anything else is text.
 */
export function parseSetting(text: string): ContextReading {
  const { start, end } = trimRange(text);
  const word = text.slice(start, end);
  const structured =
    (word.startsWith("{") && word.endsWith("}")) || (word.startsWith("[") && word.endsWith("]"));
  if (structured) return readSettings(text, { start, end });
  return { ...NOTHING, spot: { value: plainValue(word), start, end } };
}

const readSettings = (text: string, range: Range): ContextReading => ({
  ...readJson(text, range, DEEPEST_SETTING),
  description: "",
});

function plainValue(word: string): Json {
  if (/^true$/i.test(word)) return true;
  if (/^false$/i.test(word)) return false;
  return parseNumber(word) ?? word;
}
