import fc from "fast-check";
import { expect, test } from "vitest";
import { findLines, findPositions } from "../../compiler/diagnostics/lines.js";

const text = fc
  .array(fc.constantFrom("a", "bc", "\n", "\r", "\r\n", "\u2028", "漢", "😀"), { maxLength: 40 })
  .map((parts) => parts.join(""));

test("lines are found as a plain split finds them", () => {
  fc.assert(
    fc.property(text, (sample) => {
      const expected = sample.split(/\r\n|\n|\r/);
      const found = findLines(
        sample,
        Array.from({ length: expected.length + 3 }, (_, index) => index + 1),
      );
      expect([...found.values()].map(({ start, end }) => sample.slice(start, end))).toEqual(expected);
      expect([...found.keys()]).toEqual(expected.map((_, index) => index + 1));
    }),
  );
});

test("an offset's position leads back to the offset", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(60), { maxLength: 10 }), (sample, offsets) => {
      const positions = findPositions(sample, offsets);
      for (const offset of offsets) {
        const position = positions.get(offset);
        const line = findLines(sample, [position?.line ?? 0]).get(position?.line ?? 0);
        expect((line?.start ?? NaN) + (position?.column ?? NaN) - 1).toBe(Math.min(offset, sample.length));
      }
    }),
  );
});

test("a file of nothing but line breaks, asked for its last line, is read once", () => {
  const start = performance.now();
  expect(findLines("\n".repeat(2_000_000), [2_000_001]).get(2_000_001)).toEqual({
    start: 2_000_000,
    end: 2_000_000,
  });
  expect(performance.now() - start).toBeLessThan(20_000);
});
