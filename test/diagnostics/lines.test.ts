import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineIndex } from "../../compiler/diagnostics/lines.js";

const text = fc
  .array(fc.constantFrom("a", "bc", "\n", "\r", "\r\n", "\u2028", "漢", "😀", "y".repeat(1000)), {
    maxLength: 40,
  })
  .map((parts) => parts.join(""));

test("lines are found as a plain split finds them", () => {
  fc.assert(
    fc.property(text, (sample) => {
      const expected = sample.split(/\r\n|\n|\r/);
      const { lineAt } = createLineIndex(sample);
      const found = Array.from({ length: expected.length + 3 }, (_, index) => lineAt(index + 1));
      const texts = found.map((line) => (line === null ? null : sample.slice(line.start, line.end)));
      expect(texts).toEqual([...expected, null, null, null]);
    }),
  );
});

test("an offset's position leads back to the offset", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(3000), { maxLength: 10 }), (sample, offsets) => {
      const { positionOf, lineAt } = createLineIndex(sample);
      for (const offset of offsets) {
        const { line, column } = positionOf(offset);
        expect((lineAt(line)?.start ?? NaN) + column - 1).toBe(Math.min(offset, sample.length));
      }
    }),
  );
});

test("a file of nothing but line breaks, asked for its last line, is read once", () => {
  const start = performance.now();
  expect(createLineIndex("\n".repeat(2_000_000)).lineAt(2_000_001)).toEqual({
    start: 2_000_000,
    end: 2_000_000,
  });
  expect(performance.now() - start).toBeLessThan(20_000);
});
