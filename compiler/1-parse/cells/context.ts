import type { Json, JsonSpot } from "../../ir.js";
import { trimRange } from "../text/white-space.js";
import { DEEPEST_SETTING, type JsonFault, type JsonKey, parseNumber, readJson } from "./json-spots.js";
import type { LenientToken } from "./json-strings.js";

/** Offsets count in the cell's text. */
export interface ContextReading {
  /** Free text, trimmed; empty when the cell holds settings. */
  readonly description: string;
  /** The object of settings; null for free text and for faulty JSON. */
  readonly spot: JsonSpot | null;
  readonly fault: JsonFault | null;
  readonly lenient: readonly LenientToken[];
  readonly reserved: readonly JsonKey[];
  readonly repeated: readonly JsonKey[];
}

const NOTHING: ContextReading = {
  ...{ description: "", spot: null, fault: null },
  ...{ lenient: [], reserved: [], repeated: [] },
};

/** Reads a context cell: text that starts with `{` is JSON, all other text describes the node. Linear. */
export function parseContext(text: string): ContextReading {
  const range = trimRange(text);
  if (range.start === range.end) return NOTHING;
  if (text[range.start] !== "{") return { ...NOTHING, description: text.slice(range.start, range.end) };
  return readSettings(text);
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
  if (structured) return readSettings(text);
  return { ...NOTHING, spot: { value: plainValue(word), start, end } };
}

function readSettings(text: string): ContextReading {
  const reading = readJson(text, trimRange(text), DEEPEST_SETTING);
  if (reading.kind === "fault") return { ...NOTHING, fault: reading };
  const { spot, lenient, reserved, repeated } = reading;
  return { ...NOTHING, spot, lenient, reserved, repeated };
}

function plainValue(word: string): Json {
  if (/^true$/i.test(word)) return true;
  if (/^false$/i.test(word)) return false;
  return parseNumber(word) ?? word;
}
