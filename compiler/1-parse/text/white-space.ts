import type { Range } from "../../ir.js";

/** White space as Unicode has it, and U+FEFF: JavaScript's `\s` lacks only U+0085. */
const SPACE = /[\s\u0085]/u;

/** True for one character that is trimmed from names and lists. */
export function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  return code >= 0x85 && SPACE.test(text.charAt(at));
}

/** The stretch of `text` between two offsets without white space at its ends; of nothing else, its beginning. */
export function trimRange(text: string, from = 0, to: number = text.length): Range {
  let start = from;
  let end = to;
  while (start < end && isSpace(text, start)) start++;
  if (start === end) return { start: from, end: from };
  while (end > start && isSpace(text, end - 1)) end--;
  return { start, end };
}

export function trimText(text: string): string {
  const { start, end } = trimRange(text);
  return end - start === text.length ? text : text.slice(start, end);
}

export function isBlank(text: string): boolean {
  if (text === "") return true;
  for (let i = 0; i < text.length; i++) if (!isSpace(text, i)) return false;
  return true;
}
