import { columnsOf, layOut } from "../../compiler/diagnostics/layout.js";
import type { Style } from "../../compiler/diagnostics/paint.js";
import { clip } from "../../compiler/diagnostics/visible.js";

/** One line of any text in at most `width` columns of a terminal, harmless, `…` for what is left out. */
export function fit(text: string, width: number): string {
  // A column holds a few code units at most, so a long text is cut before it is measured.
  const glyphs = layOut(clip(text, width * 8 + 16));
  const last = glyphs.at(-1);
  const shown = (part: typeof glyphs): string => part.map((glyph) => glyph.text).join("");
  if (last === undefined || last.column + last.width <= width) return shown(glyphs);
  const kept = glyphs.filter((glyph) => glyph.column + glyph.width < width);
  // A joiner has no meaning after an emoji was cut.
  return `${shown(kept).replace(/[\u200c\u200d]+$/, "")}…`;
}

/** Harmless text with spaces behind it up to a width. */
export const pad = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - columnsOf(text)));

export interface Piece {
  readonly text: string;
  readonly style: Style | null;
}

/** Puts pieces on lines of at most `width` columns, two spaces apart; a piece is never cut. Linear. */
export function flowPieces(pieces: readonly Piece[], width: number): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [];
  let room = 0;
  for (const piece of pieces) {
    const wide = columnsOf(piece.text);
    const line = lines.at(-1);
    if (line !== undefined && wide + 2 <= room) {
      line.push(piece);
      room -= wide + 2;
    } else {
      lines.push([piece]);
      room = width - wide;
    }
  }
  return lines;
}

/** Any text on lines of at most `width` columns, harmless, broken at spaces; a longer word is cut. Linear. */
export function wrapColumns(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const shown = fit(word, width);
    const wide = columnsOf(shown);
    if (used > 0 && used + 1 + wide > width) {
      lines.push(line);
      line = "";
      used = 0;
    }
    line += used === 0 ? shown : ` ${shown}`;
    used += wide + (used === 0 ? 0 : 1);
  }
  return [...lines, line];
}
