import { isQuote, readStringToken } from "../../1-parse/cells/json-strings.js";
import { isSpace, trimRange } from "../../1-parse/text/white-space.js";
import type { Range } from "../../ir.js";

/** Where the caret stands in JSON that somebody is writing. */
export interface JsonCaret {
  /** The keys and indexes that lead to the object of a key, or to a value. */
  readonly path: readonly (string | number)[];
  readonly role: "key" | "value";
  /** What is replaced: the text or word at the caret, with its quotes, or nothing. */
  readonly range: Range;
  /** The other keys of the object. */
  readonly keys: readonly string[];
  /** A colon stands behind the key. */
  readonly colon: boolean;
  /** The cell holds no object yet: it needs braces around the key. */
  readonly bare: boolean;
}

interface Token extends Range {
  readonly kind: "open" | "close" | "colon" | "comma" | "text";
  readonly value: string;
}

/** Null where neither a key nor a value can stand, and in a text that is no JSON. */
export function jsonCaret(text: string, at: number): JsonCaret | null {
  const { start, end } = trimRange(text);
  const isOpen = text[start] === "{" || text[start] === "[";
  if (isOpen) return at < start ? null : new Walk(text, at).run();
  // One word may be the beginning of a key.
  if (!/^["'\w.-]*$/.test(text.slice(start, end))) return null;
  const range = { start: Math.min(start, at), end: Math.max(end, at) };
  return { path: [], role: "key", range, keys: [], colon: false, bare: true };
}

interface Frame {
  readonly kind: "object" | "list";
  readonly keys: { readonly name: string; readonly token: Token }[];
  key: string;
  index: number;
  next: "key" | "colon" | "value" | "comma";
}

/** Reads tokens up to the end, however broken the text is, and notes what may stand at the caret. Linear. */
class Walk {
  readonly #at: number;
  readonly #tokens: readonly Token[];
  readonly #stack: Frame[] = [];
  #found: {
    readonly frame: Frame;
    readonly token: Token | null;
    readonly caret: Omit<JsonCaret, "keys">;
  } | null = null;
  #passed = false;

  constructor(text: string, at: number) {
    this.#at = at;
    this.#tokens = tokensOf(text);
  }

  run(): JsonCaret | null {
    this.#tokens.forEach((token, i) => {
      const isText = token.kind === "text";
      if (!this.#passed && (isText ? token.end >= this.#at : token.start >= this.#at))
        this.#note(isText && token.start <= this.#at ? token : null, this.#tokens[i + 1]?.kind === "colon");
      this.#step(token);
    });
    if (!this.#passed) this.#note(null, false);
    const found = this.#found;
    if (found === null) return null;
    const keys = found.frame.keys.flatMap(({ name, token }) => (token === found.token ? [] : [name]));
    return { ...found.caret, keys };
  }

  #note(token: Token | null, colon: boolean): void {
    this.#passed = true;
    const frame = this.#stack.at(-1);
    if (frame === undefined || (frame.next !== "key" && frame.next !== "value")) return;
    const above = this.#stack.slice(0, -1).map(placeIn);
    const path = frame.next === "key" ? above : [...above, placeIn(frame)];
    const range = token ?? { start: this.#at, end: this.#at };
    const caret = {
      path,
      role: frame.next,
      range: { start: range.start, end: range.end },
      colon,
      bare: false,
    };
    this.#found = { frame, token, caret };
  }

  #step(token: Token): void {
    const frame = this.#stack.at(-1);
    if (token.kind === "open") {
      if (frame !== undefined) frame.next = "comma";
      const isObject = token.value === "{";
      const kind = isObject ? "object" : "list";
      this.#stack.push({ kind, keys: [], key: "", index: 0, next: isObject ? "key" : "value" });
    } else if (token.kind === "close") this.#stack.pop();
    else if (frame !== undefined) stepIn(frame, token);
  }
}

const placeIn = (frame: Frame): string | number => (frame.kind === "object" ? frame.key : frame.index);

function stepIn(frame: Frame, token: Token): void {
  if (token.kind === "comma") {
    frame.index++;
    frame.next = frame.kind === "object" ? "key" : "value";
  } else if (token.kind === "colon") {
    if (frame.kind === "object") frame.next = "value";
  } else if (frame.next === "key") {
    frame.key = token.value;
    frame.keys.push({ name: token.value, token });
    frame.next = "colon";
  } else frame.next = "comma";
}

const SIGNS: { readonly [sign: string]: Token["kind"] } = {
  "{": "open",
  "[": "open",
  "}": "close",
  "]": "close",
  ":": "colon",
  "=": "colon",
  ",": "comma",
};

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const sign = text[at] as string;
    const kind = SIGNS[sign];
    if (isSpace(text, at)) at++;
    else if (kind !== undefined) tokens.push({ kind, value: sign, start: at, end: ++at });
    else {
      const token = isQuote(sign) ? quoted(text, at) : word(text, at, at);
      tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

/** A text in quotes; one without an end is a word up to the next sign. */
function quoted(text: string, start: number): Token {
  const quote = text[start] as string;
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === "\\") at++;
    else if (sign === "\n" || sign === "\r") break;
    else if (sign === quote || (quote !== "'" && quote !== '"' && isQuote(sign))) {
      if (!endsText(text, at + 1)) break;
      return { kind: "text", value: saidBy(text, { start, end: at + 1 }), start, end: at + 1 };
    }
  }
  return word(text, start, start + 1);
}

/** Text goes on behind a quote that closes no text: the one before was never closed. */
function endsText(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && isSpace(text, at)) at++;
  return at >= text.length || SIGNS[text[at] as string] !== undefined || isQuote(text[at] as string);
}

/** What a text in quotes says. */
function saidBy(text: string, range: Range): string {
  const token = readStringToken(text, range);
  return "value" in token ? token.value : text.slice(range.start + 1, range.end - 1);
}

function word(text: string, start: number, from: number): Token {
  let end = from;
  while (end < text.length && !/[{}[\],:=\r\n"]/.test(text[end] as string)) end++;
  const trimmed = trimRange(text, from, end);
  const last = Math.max(trimmed.end, from);
  return { kind: "text", value: text.slice(from, last), start, end: Math.max(last, start + 1) };
}
