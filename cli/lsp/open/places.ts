import type { Position, Range, TextEdit } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Range as Offsets, Place } from "../../../compiler/ir.js";

/** The one file that knows both: the service counts offsets, editors count lines and UTF-16 units, both from 0. */

export const rangeOf = (document: TextDocument, { start, end }: Offsets): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

export const offsetsOf = (document: TextDocument, { start, end }: Range): Offsets => ({
  start: document.offsetAt(start),
  end: document.offsetAt(end),
});

export const offsetOf = (document: TextDocument, position: Position): number => document.offsetAt(position);

export const positionOf = (document: TextDocument, offset: number): Position => document.positionAt(offset);

/** Positions of offsets that are asked for in their order: one walk over the lines. */
export function createWalk(document: TextDocument): (offset: number) => Position {
  const { lineCount } = document;
  let line = -1;
  let start = 0;
  let next = 0;
  return (offset) => {
    while (line < 0 || (next <= offset && line + 1 < lineCount)) {
      line = line < 0 ? document.positionAt(offset).line : line + 1;
      start = document.offsetAt({ line, character: 0 });
      next = document.offsetAt({ line: line + 1, character: 0 });
    }
    return { line, character: offset - start };
  };
}

/** Where the line of an offset begins. */
export const lineStart = (document: TextDocument, offset: number): number =>
  document.offsetAt({ line: document.positionAt(offset).line, character: 0 });

export const editOf = (
  document: TextDocument,
  { start, end, text }: Offsets & { readonly text: string },
): TextEdit => ({ range: rangeOf(document, { start, end }), newText: text });

const TOP: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Places of messages count from 1. What has no place stands at the top of the file. */
export const rangeOfPlace = (place: Place | null): Range =>
  place === null
    ? TOP
    : {
        start: { line: place.line - 1, character: place.column - 1 },
        end: { line: place.endLine - 1, character: place.endColumn - 1 },
      };
