import { parseNumber } from "../../1-parse/cells/json-spots.js";
import { isQuote } from "../../1-parse/cells/json-strings.js";
import type { JsonSpot, Range } from "../../ir.js";
import type { Writing } from "./mention.js";

/** A name inside a text of JSON: its own stretch, and how another is written there. */
export interface NameInJson extends Range {
  readonly writing: Extract<Writing, { kind: "json" }>;
}

/**
 * Where a name stands in a text of JSON that begins and ends at `token`. `value` is what the text says, `from` the
 * offset of the name in it where that is known.
 */
export function nameInJson(
  cell: string,
  token: Range,
  { value, name, from: known }: { readonly value: string; readonly name: string; readonly from?: number },
): NameInJson {
  const quoted = isQuote(cell[token.start] ?? "") && token.end - token.start >= 2;
  const inner = { start: token.start + (quoted ? 1 : 0), end: token.end - (quoted ? 1 : 0) };
  const written = cell.slice(inner.start, inner.end);
  const from = known ?? Math.max(0, placeIn(value, name));
  const writing = { kind: "json", token: { start: token.start, end: token.end }, value, from } as const;
  const at = known === undefined ? placeIn(written, name) : written === value ? known : -1;
  // With escapes, or in the words of another tool, the value is not what stands there.
  if (at < 0) return { ...inner, writing };
  return { start: inner.start + at, end: inner.start + at + name.length, writing };
}

/** The offset of a name in a text that is the name, ends with it, or is a list of names. */
function placeIn(text: string, name: string): number {
  const { length } = text.trimStart();
  const lead = text.length - length;
  if (text.trim() === name) return lead;
  let from = 0;
  for (const part of text.split(/[|,;\n]/)) {
    if (part.trim() === name) return from + part.length - part.trimStart().length;
    from += part.length + 1;
  }
  const trimmed = text.trimEnd();
  return trimmed.endsWith(name) ? trimmed.length - name.length : -1;
}

/** New text for a stretch of a cell. */
interface Rewritten extends Range {
  readonly text: string;
}

/** The name at `at` exchanged, in the quotes that stand there; the whole text as JSON where these cannot hold it. */
export function rewriteJson(
  cell: string,
  at: Range,
  { token, value, from }: Extract<Writing, { kind: "json" }>,
  { name, to }: { readonly name: string; readonly to: string },
): Rewritten {
  const first = cell[token.start] ?? "";
  const isWritten = cell.slice(at.start, at.end) === name;
  const spelled = isWritten ? spelledIn(isQuote(first) ? first : "", to) : null;
  if (spelled !== null) return { start: at.start, end: at.end, text: spelled };
  const whole = value.slice(0, from) + to + value.slice(from + name.length);
  return { ...token, text: JSON.stringify(whole) };
}

/** A name between quotes of a kind; null where these cannot hold it. */
function spelledIn(quote: string, name: string): string | null {
  if (quote === '"') return JSON.stringify(name).slice(1, -1);
  if (quote === "'") return name.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  if (quote !== "") return /["'\\“”„‟‘’‚‛]/.test(name) ? null : name;
  const isWord = /^[\p{L}_$][\p{L}\p{N}_$.-]*(?: +[\p{L}\p{N}_$.-]+)*$/u.test(name);
  return isWord && !WORDS.has(name) && parseNumber(name) === null ? name : null;
}

const WORDS = new Set(["true", "false", "null", "True", "False", "None"]);

/** The texts of a value that are meant as names: itself, or its entries. */
export const textsOf = (spot: JsonSpot): readonly (JsonSpot & { readonly value: string })[] =>
  [spot, ...(spot.items ?? [])].filter(
    (one): one is JsonSpot & { readonly value: string } => typeof one.value === "string",
  );
