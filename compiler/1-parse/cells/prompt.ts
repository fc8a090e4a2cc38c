import type { PromptItem, PromptPart } from "../../ir.js";
import { isRunValue } from "../../types/run-values.js";
import { isSpace, trimText } from "../text/white-space.js";
import { fieldNameFault, isFieldCharacter } from "./name-rules.js";

/**
 * Cuts a prompt into text and placeholders. `{path}` is a placeholder, `{{path}}` the text `{path}`, every other
 * brace is text. One pass: an attempt at a placeholder ends before the next brace, so nothing is read twice.
 */
export function parsePromptText(text: string): Pick<PromptItem, "text" | "parts"> {
  const parts: PromptPart[] = [];
  let done = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", Math.max(at + 1, done))) {
    const escaped = text[at + 1] === "{";
    const found = readPath(text, escaped ? at + 2 : at + 1);
    if (found === null || (escaped && text[found.end] !== "}")) continue;
    if (at > done) parts.push(textPart(text.slice(done, at), done, at));
    done = escaped ? found.end + 1 : found.end;
    if (escaped) parts.push(textPart(text.slice(at + 1, done - 1), at, done));
    else parts.push({ kind: "field", path: found.path, start: at, end: done });
  }
  if (done < text.length) parts.push(textPart(text.slice(done), done, text.length));
  // A copy has room for its own elements only: prompts are most of what a large sheet keeps.
  return { text, parts: parts.slice() };
}

const textPart = (text: string, start: number, end: number): PromptPart => ({
  kind: "text",
  text,
  start,
  end,
});

interface FoundPath {
  readonly path: readonly string[];
  /** The offset after the closing brace. */
  readonly end: number;
}

/** The path from `from` to a closing brace, white space around it ignored; null when anything else stands there. */
function readPath(text: string, from: number): FoundPath | null {
  const start = skipSpace(text, from);
  const end = pathEnd(text, text[start] === "$" ? start + 1 : start);
  const close = skipSpace(text, end);
  if (end === start || text[close] !== "}") return null;
  const path = text.slice(start, end).split(".");
  return isRunValue(path.join(".")) || isPath(path) ? { path, end: close + 1 } : null;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text, at)) at++;
  return at;
}

function pathEnd(text: string, start: number): number {
  let end = start;
  for (let size = pathCharacter(text, end); size > 0; size = pathCharacter(text, end)) end += size;
  return end;
}

const ASCII_PATH = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** The number of UTF-16 units of the character at `at`; 0 when it may not stand in a path. */
function pathCharacter(text: string, at: number): number {
  const code = text.codePointAt(at);
  if (code === undefined) return 0;
  if (code < 128) return ASCII_PATH[code] ?? 0;
  const character = String.fromCodePoint(code);
  return isFieldCharacter(character) ? character.length : 0;
}

function isPath([field = "", ...rest]: readonly string[]): boolean {
  const isPart = (part: string): boolean => /^\d{1,128}$/.test(part) || fieldNameFault(part) === null;
  return fieldNameFault(field) === null && rest.every(isPart);
}

/** The prompt that a cell refers to, when it is wholly `file:PATH` or `prompt:NAME`. */
export function parseReference(text: string): PromptItem["reference"] {
  if (text.length > LONGEST_REFERENCE || !text.includes(":")) return null;
  const [, kind, name] = /^(file|prompt):(\S[^\r\n]*)$/.exec(trimText(text)) ?? [];
  return kind === undefined || name === undefined ? null : { kind: kind as "file" | "prompt", name };
}

const LONGEST_REFERENCE = 4096;
