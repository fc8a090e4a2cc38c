import { isSpace } from "../../1-parse/text/white-space.js";
import type { Range } from "../../ir.js";

/** The item of a list that the caret stands in, without the white space around it. */
export function itemAt(text: string, at: number, isSeparator: (sign: string) => boolean): Range {
  let start = at;
  while (start > 0 && !isSeparator(text[start - 1] as string)) start--;
  let end = at;
  while (end < text.length && !isSeparator(text[end] as string)) end++;
  return around(text, { start, end }, at);
}

/** A stretch without the white space at its ends, as far as the caret allows. */
export function around(text: string, { start, end }: Range, at: number): Range {
  let from = start;
  while (from < at && isSpace(text, from)) from++;
  let to = end;
  while (to > at && isSpace(text, to - 1)) to--;
  return { start: from, end: to };
}

/** The items of a list but the one at a range, trimmed. */
export function otherItems(text: string, { start, end }: Range, separators: RegExp): readonly string[] {
  const rest = `${text.slice(0, start)}|${text.slice(end)}`;
  return rest
    .split(separators)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
