import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { applyFixes } from "../../compiler/service/fix-rounds.js";
import { howMany } from "../how-many.js";
import { understandText } from "../world.js";

const sheets = ["examples", "test/real-sheets/sheets"]
  .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
  .filter((file) => file.endsWith(".csv") && !file.endsWith(".test.csv"))
  .map((file) => readFileSync(file, "utf8"));

/** How a letter may be mistyped. */
const SLIPS: readonly ((letter: string, next: string) => string)[] = [
  (_letter, next) => next,
  (letter, next) => letter + letter + next,
  (letter, next) => next + letter,
  (letter, next) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()) + next,
];

/** A sheet with up to three letters mistyped. */
const mistyped = fc
  .tuple(
    fc.constantFrom(...sheets),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...SLIPS)), { minLength: 1, maxLength: 3 }),
  )
  .map(([sheet, slips]) =>
    slips.reduce((text, [where, slip]) => {
      const at = where % text.length;
      if (!/^[a-z]/i.test(text.slice(at))) return text;
      return text.slice(0, at) + slip(text[at] ?? "", text[at + 1] ?? "") + text.slice(at + 2);
    }, sheet),
  );

const keyOf = ({ code, place }: Diagnostic): string => `${code} ${place?.cell}`;
const count = (text: string, key: string): number =>
  understandText(text).diagnostics.filter((one) => keyOf(one) === key).length;

test("a mistyped name has a fix, and each fix alone ends its diagnostic", () => {
  fc.assert(
    fc.property(mistyped, (text) => {
      const { diagnostics, sheet } = understandText(text);
      // Nobody knows which column the cells of a long row belong to: only its surplus is mended.
      const long = new Set(sheet?.rows.filter((row) => row.long !== null).map((row) => row.record + 1));
      const isLong = ({ place }: Diagnostic): boolean =>
        long.has(Number(/\d+$/.exec(place?.cell ?? "")?.[0]));
      // A name that a cell says twice is reported once, and mended once a round.
      const twice = new Set(
        diagnostics.filter(({ code }) => code.startsWith("duplicate-")).map(({ place }) => place?.cell),
      );
      for (const one of diagnostics) {
        const suggests = [one.message, one.label, one.help].some((said) => said?.includes("did you mean"));
        if (suggests && !isLong(one)) expect(one.fix, keyOf(one)).not.toBeNull();
        if (one.fix === null) continue;
        const mended = applyFixes(text, [one], { unsafe: true, codes: null });
        expect(mended.applied).toEqual([one]);
        if (!one.code.startsWith("duplicate-") && twice.has(one.place?.cell)) continue;
        expect(count(mended.text, keyOf(one)), one.fix.title).toBeLessThan(count(text, keyOf(one)));
      }
    }),
    { numRuns: howMany(400, 30) },
  );
});
