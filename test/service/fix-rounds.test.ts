import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Diagnostic, Edit } from "../../compiler/diagnostics/diagnostic.js";
import { applyFixes } from "../../compiler/service/fix-rounds.js";

const problem = (edits: readonly Edit[], safe = true): Diagnostic => ({
  code: "missing-name",
  severity: "error",
  message: "",
  file: "a.csv",
  place: null,
  graph: null,
  node: null,
  column: null,
  label: null,
  help: null,
  fix: { title: "", safe, edits },
  span: null,
});
const edit = (start: number, end: number, text: string): Edit => ({ start, end, text });

describe("a round of fixes", () => {
  test("applies what is apart, in any order", () => {
    const round = applyFixes("0123456789", [
      problem([edit(8, 9, "H")]),
      problem([edit(2, 4, "C"), edit(0, 1, "A")]),
    ]);
    expect(round.text).toBe("A1C4567H9");
    expect(round.applied).toHaveLength(2);
  });

  test("leaves fixes out that are not safe", () => {
    expect(applyFixes("abc", [problem([edit(0, 1, "x")], false)])).toEqual({ text: "abc", applied: [] });
  });

  test("never applies half of a fix", () => {
    const round = applyFixes("0123456789", [
      problem([edit(4, 6, "x")]),
      problem([edit(1, 2, "y"), edit(5, 7, "z")]),
    ]);
    expect(round.text).toBe("0y234z789");
    expect(round.applied).toHaveLength(1);
  });

  test("makes one of two insertions at the same place", () => {
    expect(applyFixes("ab", [problem([edit(1, 1, "x")]), problem([edit(1, 1, "y")])]).text).toBe("axb");
  });

  test("ignores edits outside the text", () => {
    expect(applyFixes("ab", [problem([edit(1, 9, "x")]), problem([edit(-1, 0, "y")])]).text).toBe("ab");
  });

  test("agrees with a naive reference on random fixes", () => {
    const edits = fc
      .record({ start: fc.nat(30), length: fc.nat(4), text: fc.string({ maxLength: 3 }) })
      .map(({ start, length, text }) => edit(start, start + length, text));
    const fixes = fc.array(fc.array(edits, { minLength: 1, maxLength: 3 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.string({ minLength: 34, maxLength: 40 }), fixes, (text, all) => {
        const diagnostics = all.map((one) => problem(one));
        expect(applyFixes(text, diagnostics).text).toBe(naive(text, diagnostics));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** One fix after the other, each against all that were taken before; applied from the end of the text. */
function naive(text: string, diagnostics: readonly Diagnostic[]): string {
  const first = (one: Diagnostic): number => Math.min(...(one.fix?.edits ?? []).map(({ start }) => start));
  let taken: Edit[] = [];
  for (const one of [...diagnostics].sort((a, b) => first(a) - first(b))) {
    const edits = one.fix?.edits ?? [];
    const free = edits.every((mine, index) =>
      [...taken, ...edits.slice(0, index)].every((other) => apart(mine, other)),
    );
    if (free) taken = [...taken, ...edits];
  }
  return [...taken]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (result, { start, end, text: inserted }) => result.slice(0, start) + inserted + result.slice(end),
      text,
    );
}

function apart(a: Edit, b: Edit): boolean {
  if (a.start === b.start) return false;
  const [left, right] = a.start < b.start ? [a, b] : [b, a];
  const touches = left.end === right.start && (left.start === left.end || right.start === right.end);
  return left.end <= right.start && !touches;
}
