import fc from "fast-check";
import { expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { createWalk, positionOf } from "../../cli/lsp/open/places.js";

const signs = fc.constantFrom("\n", "\r", "\r\n", "a", "ß", "🚚", ",");

/** Inside a line's end no token begins. */
const isInLine = (text: string, at: number): boolean => at === 0 || !/[\r\n]/.test(text[at] ?? "");

test("a walk over the lines tells the positions that the document tells", () => {
  const property = fc.property(fc.array(signs, { maxLength: 30 }), fc.nat(30), (parts, first) => {
    const text = parts.join("");
    const document = TextDocument.create("file:///a.csv", "csv", 1, text);
    const offsets = Array.from({ length: text.length + 1 }, (_, at) => at).slice(first);
    const asked = offsets.filter((at) => isInLine(text, at));
    const walk = createWalk(document);
    expect(asked.map(walk)).toEqual(asked.map((at) => positionOf(document, at)));
  });
  fc.assert(property, { numRuns: 500 });
});
