import type { Range } from "../ir.js";
import { hiddenIn } from "./visible.js";

const TAB = 4;
const JOINER = "\u200d";
const EMOJI_STYLE = "\ufe0f";
/** East Asian wide and full-width characters, and those with emoji presentation. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d08}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
/** Combining marks, Hangul vowels and finals, joiners, and variation selectors. */
const ZERO = /[\p{M}\u1160-\u11ff]|\u200c|\u200d/u;
const PICTURE = /\p{ExtPict}/u;
const SKIN_TONE = /\p{EMod}/u;
const REGIONAL = /\p{RI}/u;

/** A displayed character: its position in the text and its columns. */
export interface Glyph extends Range {
  readonly text: string;
  readonly column: number;
  readonly width: number;
}

/** The columns of a printable character between its neighbours, as terminals count them. */
function widthOf(character: string, before: string, after: string): number {
  if (after === EMOJI_STYLE && PICTURE.test(character)) return before === JOINER ? 0 : 2;
  if (character < "\u0300") return 1;
  if (ZERO.test(character)) return 0;
  if (REGIONAL.test(character)) return 1;
  if (before === JOINER && PICTURE.test(character)) return 0;
  if (SKIN_TONE.test(character) && PICTURE.test(before)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/**
 * A line of text as a terminal shows it. Tabs become spaces, hidden characters become escapes, wide ones count two
 * columns, combining ones none. Cost: linear.
 */
export function layOut(text: string): readonly Glyph[] {
  const hidden = hiddenIn(text);
  const glyphs: Glyph[] = [];
  let start = 0;
  let column = 0;
  let before = "";
  for (const character of text) {
    const end = start + character.length;
    const escaped = hidden.get(start);
    const shown = escaped ?? (character === "\t" ? " ".repeat(TAB - (column % TAB)) : character);
    const width = shown === character ? widthOf(character, before, text.charAt(end)) : shown.length;
    glyphs.push({ start, end, text: shown, column, width });
    start = end;
    column += width;
    before = escaped === undefined ? character : "";
  }
  return glyphs;
}

export function columnsOf(text: string): number {
  const last = layOut(text).at(-1);
  return last === undefined ? 0 : last.column + last.width;
}
