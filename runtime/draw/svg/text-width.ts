export interface Font {
  /** In pixels. */
  readonly size: number;
  readonly bold: boolean;
}

const NARROW = /[ijltfrI.,:;'|!()[\]/\\ ]/;
const WIDE = /[mwMW@%&]/;
const CAPITAL = /[A-Z]/;
const SIGN = /[=+<>~#^]/;
const MARK = /\p{M}/u;
const EMOJI = /\p{Emoji_Presentation}/u;
const IDEOGRAPH = /[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3fffd}]/u;

/** Scripts whose widths the table below covers. */
const KNOWN =
  /^[ -~\u00a0-\u024f\u0370-\u052f\u2010-\u2027\u2030-\u203a\u2190-\u21ff\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3fffd}\p{Emoji_Presentation}]*$/u;

/** In units of the font size: the width in the widest of the usual sans-serif fonts. */
function unitsOf(character: string): number {
  if (character < "\x7f") {
    if (NARROW.test(character)) return 0.45;
    if (WIDE.test(character)) return 1;
    if (SIGN.test(character)) return 0.85;
    return CAPITAL.test(character) ? 0.79 : 0.64;
  }
  if (character < "\u0250") return 1.05;
  if (MARK.test(character)) return 0;
  if (EMOJI.test(character)) return 1.4;
  return IDEOGRAPH.test(character) ? 1.02 : 1.15;
}

/** An upper bound in pixels. Linear. */
export function textWidth(text: string, { size, bold }: Font): number {
  let units = 0;
  for (const character of text) units += unitsOf(character);
  return units * size * (bold ? 1.13 : 1);
}

/** False for scripts with letters so wide that `textWidth` may fall short. */
export const isWidthKnown = (text: string): boolean => KNOWN.test(text);

/** Graphemes, so that emoji of several parts and letters with marks are never cut. */
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

function* charactersOf(text: string): Iterable<string> {
  if (/^[ -~]*$/.test(text)) yield* text;
  else for (const { segment } of characters.segment(text)) yield segment;
}

/** More of a text than this never fits a line. */
const LONGEST = 400;

/** Text cut to a width, `…` for what is left out. Reads no more than may fit. */
export function cutText(text: string, font: Font, width: number): string {
  if (text.length <= LONGEST && textWidth(text, font) <= width) return text;
  const room = width - textWidth("…", font);
  let kept = "";
  let used = 0;
  for (const character of charactersOf(text.slice(0, LONGEST))) {
    used += textWidth(character, font);
    if (used > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Text on at most `lines` lines of a width, broken at spaces and inside long words, `…` for what is left out. */
export function wrapText(
  text: string,
  font: Font,
  { width, lines }: { width: number; lines: number },
): readonly string[] {
  const wrapped: string[] = [];
  let rest = text.trim();
  while (rest !== "" && wrapped.length < lines - 1) {
    const end = breakAt(rest, font, width);
    wrapped.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === "" ? wrapped : [...wrapped, cutText(rest, font, width)];
}

/** Offset of the first character that goes to the next line. */
function breakAt(text: string, font: Font, width: number): number {
  let used = 0;
  let at = 0;
  let word = 0;
  for (const character of charactersOf(text.slice(0, LONGEST))) {
    used += textWidth(character, font);
    if (used > width) return word > 0 ? word : Math.max(at, character.length);
    at += character.length;
    if (/[\s_\-./]/.test(character)) word = at;
  }
  return at;
}
