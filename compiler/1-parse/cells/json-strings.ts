import type { Range } from "../../ir.js";
import { isSpace } from "../text/white-space.js";

/** A token that is no JSON but is understood, and how JSON writes it. */
export interface LenientToken extends Range {
  readonly what: string;
  readonly json: string;
}

export interface StringToken extends Range {
  readonly value: string;
  /** The reason why the token is no JSON; null when it is. */
  readonly what: string | null;
}

export interface StringFault extends Range {
  readonly why: string;
}

const CURLY_DOUBLE = "“”„‟";
const CURLY_SINGLE = "‘’‚‛";
const QUOTES = `"'${CURLY_DOUBLE}${CURLY_SINGLE}`;

/** True for the quotes that JSON, Python and spreadsheets put around text. */
export function isQuote(character: string): boolean {
  return character !== "" && QUOTES.includes(character);
}

/** Reads the string that begins at `start`. Linear in its length. */
export function readStringToken(text: string, { start, end }: Range): StringToken | StringFault {
  const quote = text[start] as string;
  const closing = closingOf(quote);
  const parts: string[] = [];
  let done = start + 1;
  for (let at = done; at < end; at++) {
    const character = text[at] as string;
    if (character === "\\") {
      const found = readEscape(text, { start: at, end }, quote);
      if (found === null)
        return {
          start: at,
          end: Math.min(at + 2, end),
          why: '\\ must be followed by one of " \\ / b f n r t u',
        };
      parts.push(text.slice(done, at), found.value);
      done = at + found.length;
      at = done - 1;
    } else if (character < " ") {
      return { start: at, end: at + 1, why: controlFault(character) };
    } else if (
      closing.includes(character) &&
      (closing.length === 1 || endsValue(text, { start: at + 1, end }))
    ) {
      return { start, end: at + 1, value: parts.join("") + text.slice(done, at), what: lenience(quote) };
    }
  }
  return { start, end: start + 1, why: "the text that begins here never ends" };
}

/** The characters that may close a string: a straight quote itself, a curly one any of its kind. */
function closingOf(quote: string): string {
  if (CURLY_DOUBLE.includes(quote)) return `${CURLY_DOUBLE}"`;
  if (CURLY_SINGLE.includes(quote)) return `${CURLY_SINGLE}'`;
  return quote;
}

/** A curly quote may stand inside text: one closes only where JSON goes on behind it. */
function endsValue(text: string, { start, end }: Range): boolean {
  let at = start;
  while (at < end && isSpace(text, at)) at++;
  return at >= end || ",:}]".includes(text[at] as string);
}

function lenience(quote: string): string | null {
  if (quote === '"') return null;
  return quote === "'" ? "text stands in single quotes" : "text stands in curly quotes";
}

function controlFault(character: string): string {
  if (character === "\n" || character === "\r") return "a line break inside text must be written \\n";
  return character === "\t"
    ? "a tab inside text must be written \\t"
    : "a control character inside text must be escaped";
}

const ESCAPES: { readonly [letter: string]: string } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function readEscape(
  text: string,
  { start, end }: Range,
  quote: string,
): { value: string; length: number } | null {
  const letter = start + 1 < end ? (text[start + 1] as string) : "";
  if (letter === "u") {
    const digits = text.slice(start + 2, Math.min(start + 6, end));
    return /^[\da-fA-F]{4}$/.test(digits)
      ? { value: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 }
      : null;
  }
  if (letter === "'" && quote !== '"') return { value: "'", length: 2 };
  const value = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
  return value === undefined ? null : { value, length: 2 };
}
