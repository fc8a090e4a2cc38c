import { type Glyph, layOut } from "./layout.js";
import type { Line } from "./lines.js";

/** One source line cut to a width, and where the mark stands under it. */
export interface Strip {
  readonly text: string;
  /** Columns before the carets, and how many carets. */
  readonly indent: number;
  readonly carets: number;
}

/** What is marked in a line, by offsets in the text. */
export interface Mark {
  readonly start: number;
  readonly end: number;
}

/** Columns kept before a mark when the line's beginning must go. */
const LEAD = 24;
/** Stands for what was cut off before the shown glyphs, and after them. */
const BEFORE: Glyph = { start: -1, end: -1, text: "…", column: 0, width: 1 };
const AFTER: Glyph = { ...BEFORE, start: Infinity, end: Infinity };

/**
 * Shows a line around a mark in at most `width` columns, `…` for what is cut off.
 * Only the neighbourhood of the mark is read: the cost does not grow with the line.
 */
export function stripOf(text: string, line: Line, mark: Mark, width: number): Strip {
  const near = neighbourhood(text, line, mark, width);
  const glyphs = layOut(text.slice(near.start, near.end));
  const whole = { left: near.start === line.start, right: near.end === line.end };
  const first = firstShown(glyphs, mark.start - near.start, width, whole);
  const shown = cut(glyphs, first, width, whole);
  return underlined(shown, { start: mark.start - near.start, end: mark.end - near.start });
}

/** A stretch of the line that surely fills the width on both sides, and ends between characters. */
function neighbourhood(text: string, line: Line, mark: Mark, width: number): Line {
  const start = Math.max(line.start, mark.start - 4 * width);
  const end = Math.min(line.end, mark.start + 4 * width);
  return { start: wholeCharacter(text, start, line), end: wholeCharacter(text, end, line) };
}

function wholeCharacter(text: string, offset: number, line: Line): number {
  const inside = offset > line.start && offset < line.end;
  const low = inside && /[\udc00-\udfff]/.test(text.charAt(offset));
  return low && /[\ud800-\udbff]/.test(text.charAt(offset - 1)) ? offset - 1 : offset;
}

interface Whole {
  readonly left: boolean;
  readonly right: boolean;
}

/** The column of the first glyph to show: 0 when the mark can be seen without a cut on the left. */
function firstShown(glyphs: readonly Glyph[], start: number, width: number, whole: Whole): number {
  const last = glyphs.at(-1);
  const total = last === undefined ? 0 : last.column + last.width;
  const marked = glyphs.find(({ end }) => end > start);
  const column = marked?.column ?? total;
  if (whole.left && (total <= width || column < width - LEAD)) return 0;
  const lead = Math.max(0, column - LEAD);
  return whole.right ? Math.max(0, Math.min(lead, total + 1 - width)) : lead;
}

/** The glyphs from a column on that fit the width, with an ellipsis at each side that lost something. */
function cut(glyphs: readonly Glyph[], first: number, width: number, whole: Whole): readonly Glyph[] {
  const left = first > 0 || !whole.left;
  // What takes no column at the cut belongs to a character that is cut off.
  const begin = glyphs.findIndex(({ column, width }) => column >= first && (width > 0 || !left));
  const rest = begin === -1 ? [] : glyphs.slice(begin);
  const room = width - (left ? 1 : 0);
  const origin = rest[0]?.column ?? first;
  const fits = (limit: number) => (glyph: Glyph) => glyph.column + glyph.width - origin <= limit;
  const right = !whole.right || !rest.every(fits(room));
  const kept = right ? withoutJoiner(rest.filter(fits(room - 1))) : rest;
  return [...(left ? [BEFORE] : []), ...kept, ...(right ? [AFTER] : [])];
}

/** A joiner at the end would join the ellipsis. */
function withoutJoiner(glyphs: readonly Glyph[]): readonly Glyph[] {
  return /^[\u200c\u200d]$/.test(glyphs.at(-1)?.text ?? "") ? glyphs.slice(0, -1) : glyphs;
}

function underlined(shown: readonly Glyph[], mark: Mark): Strip {
  let indent = 0;
  let carets = 0;
  for (const { start, end, width } of shown) {
    if (end <= mark.start) indent += width;
    else if (start < mark.end) carets += width;
  }
  return { text: shown.map(({ text }) => text).join(""), indent, carets: Math.max(1, carets) };
}
