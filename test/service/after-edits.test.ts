import fc from "fast-check";
import { expect, test } from "vitest";
import { complete } from "../../compiler/service/complete/complete.js";
import { SheetDocument, type View } from "../../compiler/service/document.js";
import { folding } from "../../compiler/service/folding.js";
import { hints } from "../../compiler/service/hints.js";
import { tokens } from "../../compiler/service/tokens/tokens.js";
import { howMany } from "../how-many.js";
import { awkward } from "./awkward.js";
import { serviceWorld } from "./complete/at-caret.js";
import { ownSheets } from "./sheets.js";

const SIGNS = ['"', ",", "\n", "|", "{", "a", "B", " ", ":", "?", "x,", "\r\n"];
const typed = fc.record({
  at: fc.nat(1_000_000),
  gone: fc.constantFrom(0, 0, 0, 1, 3),
  sign: fc.constantFrom(...SIGNS),
});

/** All that is answered of a text and a place in it. */
const answers = (view: View, offset: number): unknown => ({
  completions: complete(view, offset),
  tokens: [...tokens(view)],
  hints: hints(view, { start: 0, end: view.text.length }),
  folds: folding(view),
});

test("after any edits completion, tokens, hints and folds are those of the same text at once", () => {
  const sheets = [...awkward, ...ownSheets()];
  const property = fc.property(
    fc.constantFrom(...sheets),
    fc.array(typed, { maxLength: 8 }),
    ({ file, text, tested }, all) => {
      const world = serviceWorld(tested ?? undefined);
      const document = SheetDocument.open(file, text, world);
      for (const { at, gone, sign } of all) {
        const start = at % (document.text.length + 1);
        document.edit([{ start, end: Math.min(start + gone, document.text.length), text: sign }]);
        const fresh = SheetDocument.open(file, document.text, world);
        const caret = start + sign.length;
        expect(answers(document.view(), caret)).toEqual(answers(fresh.view(), caret));
      }
    },
  );
  fc.assert(property, { numRuns: howMany(400, 30) });
});
