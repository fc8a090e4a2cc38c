import type { Range } from "../ir.js";
import { type Glyph, layOut } from "./layout.js";
import { hideSecrets } from "./secret-forms.js";

/** A source line cut to a width, with the position of its mark. */
export interface Strip {
  readonly text: string;
  /** The columns before the carets, and the number of carets. */
  readonly indent: number;
  readonly carets: number;
}

/** The columns kept before a mark when the beginning is cut off. */
const LEAD = 24;
/** The ellipses for the parts that were cut off. */
const BEFORE: Glyph = { start: -1, end: -1, text: "…", column: 0, width: 1 };
const AFTER: Glyph = { ...BEFORE, start: Infinity, end: Infinity };

/**
 * A line around a mark in at most `width` columns, with `…` for cut parts. Only the text near the mark is read, so
 * long lines cost no more.
 */
export function stripOf(text: string, line: Range, mark: Range, width: number): Strip {
  const near = neighbourhood(text, line, mark, width);
  const glyphs = layOut(hideSecrets(text.slice(near.start, near.end)));
  const whole = { left: near.start === line.start, right: near.end === line.end };
  const first = firstShown(glyphs, mark.start - near.start, width, whole);
  const shown = cut(glyphs, first, width, whole);
  return underlined(shown, { start: mark.start - near.start, end: mark.end - near.start });
}

/** A part of the line that fills the width on both sides, and ends between characters. */
function neighbourhood(text: string, line: Range, mark: Range, width: number): Range {
  const start = Math.max(line.start, mark.start - 4 * width);
  const end = Math.min(line.end, mark.start + 4 * width);
  return { start: wholeCharacter(text, start, line), end: wholeCharacter(text, end, line) };
}

function wholeCharacter(text: string, offset: number, line: Range): number {
  const inside = offset > line.start && offset < line.end;
  const low = inside && /[\udc00-\udfff]/.test(text.charAt(offset));
  return low && /[\ud800-\udbff]/.test(text.charAt(offset - 1)) ? offset - 1 : offset;
}

interface Whole {
  readonly left: boolean;
  readonly right: boolean;
}

/** The first column to show: 0 when the mark is visible without a cut on the left. */
function firstShown(glyphs: readonly Glyph[], start: number, width: number, whole: Whole): number {
  const last = glyphs.at(-1);
  const total = last === undefined ? 0 : last.column + last.width;
  const marked = glyphs.find(({ end }) => end > start);
  const column = marked?.column ?? total;
  if (whole.left && (total <= width || column < width - LEAD)) return 0;
  const lead = Math.max(0, column - LEAD);
  return whole.right ? Math.max(0, Math.min(lead, total + 1 - width)) : lead;
}

/** The glyphs from a column on that fit the width, with an ellipsis at each cut side. */
function cut(glyphs: readonly Glyph[], first: number, width: number, whole: Whole): readonly Glyph[] {
  const left = first > 0 || !whole.left;
  // A glyph of zero width at the cut belongs to a character that is cut off.
  const begin = glyphs.findIndex(({ column, width }) => column >= first && (width > 0 || !left));
  const rest = begin === -1 ? [] : glyphs.slice(begin);
  const room = width - (left ? 1 : 0);
  const origin = rest[0]?.column ?? first;
  const fits = (limit: number) => (glyph: Glyph) => glyph.column + glyph.width - origin <= limit;
  const right = !whole.right || !rest.every(fits(room));
  const kept = right ? withoutJoiner(rest.filter(fits(room - 1))) : rest;
  return [...(left ? [BEFORE] : []), ...kept, ...(right ? [AFTER] : [])];
}

/** A joiner at the end would combine with the ellipsis. */
function withoutJoiner(glyphs: readonly Glyph[]): readonly Glyph[] {
  return /^[\u200c\u200d]$/.test(glyphs.at(-1)?.text ?? "") ? glyphs.slice(0, -1) : glyphs;
}

function underlined(shown: readonly Glyph[], mark: Range): Strip {
  let indent = 0;
  let carets = 0;
  for (const { start, end, width } of shown) {
    if (end <= mark.start) indent += width;
    else if (start < mark.end) carets += width;
  }
  return { text: shown.map(({ text }) => text).join(""), indent, carets: Math.max(1, carets) };
}
