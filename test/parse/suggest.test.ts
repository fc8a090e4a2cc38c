import fc from "fast-check";
import { expect, test } from "vitest";
import { createSuggester, oneEdit, suggest } from "../../compiler/diagnostics/suggest.js";

test.each<[string, string, boolean]>([
  ["answer", "answers", true],
  ["answers", "answer", true],
  ["answer", "anwser", true],
  ["answer", "onswer", true],
  ["answer", "answer", false],
  ["answer", "anwesr", false],
  ["answer", "answerss", false],
  ["ab", "ba", true],
  ["abc", "cba", false],
  ["", "a", true],
  ["", "", false],
])("one edit between %j and %j: %s", (a, b, expected) => {
  expect(oneEdit(a, b)).toBe(expected);
  expect(oneEdit(b, a)).toBe(expected);
});

test.each<[string, string[], string | null]>([
  ["Anwser", ["Ask", "Answer"], "Answer"],
  ["answer", ["Answers", "Answer"], "Answer"],
  ["next_row", ["Next Row"], "Next Row"],
  ["anwser", ["Answer"], "Answer"],
  ["A", ["B", "C"], null],
  ["Aks", ["Ask"], "Ask"],
  ["Unrelated", ["Answer", "Ask"], null],
  ["Answer", ["Answer"], null],
  ["x".repeat(1_000_000), ["x"], null],
])("%s", (name, candidates, expected) => {
  expect(suggest(name, candidates)).toBe(expected);
  expect(createSuggester(candidates)(name)).toBe(expected);
});

const letters = fc.string({ unit: fc.constantFrom("a", "b", "C", "_", " "), maxLength: 6 });

const others = Array.from({ length: 40 }, (_, i) => `another name ${i}`);

test("the suggester suggests what the slow search does, also by its index", () => {
  fc.assert(
    fc.property(letters, fc.array(letters, { maxLength: 8 }), (name, candidates) => {
      const slow = suggest(name, candidates);
      expect(createSuggester(candidates)(name)).toBe(slow);
      expect(createSuggester([...candidates, ...others])(name)).toBe(slow);
    }),
    { numRuns: 2000 },
  );
});
