import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { mayBe } from "../../compiler/diagnostics/explanations/fixable.js";
import { applyFixes } from "../../compiler/service/fix-rounds.js";
import { type CaseSheet, caseFolders, understandCase, understandCaseWith } from "./case-folder.js";

/** Every fix of every case, with what the case looked like before it. */
interface Mended {
  readonly folder: string;
  readonly diagnostic: Diagnostic;
  readonly before: CaseSheet;
}

const ALL = { unsafe: true, codes: null };

const fixesOf = (folder: string): readonly Mended[] => {
  const before = understandCase(folder, "input.csv");
  return before.diagnostics
    .filter(({ fix }) => fix !== null)
    .map((diagnostic) => ({ folder, diagnostic, before }));
};

const folders = caseFolders().filter((folder) => folder.startsWith("diagnostics/"));
const named = folders.flatMap(fixesOf).map((one) => [nameOf(one), one] as const);

function nameOf({ folder, diagnostic: { code, place, fix } }: Mended): string {
  return `${folder}: ${code} ${place?.cell}: ${fix?.title}`;
}

/** Diagnostics of one code in one cell. */
const keyOf = ({ code, file, place }: Diagnostic): string => `${code} ${file} ${place?.cell}`;
const count = ({ diagnostics }: CaseSheet, key: string): number =>
  diagnostics.filter((one) => keyOf(one) === key).length;

describe.each(named)("%s", (_, { folder, diagnostic, before }) => {
  const file = diagnostic.file;
  const text = before.tests?.get(file) ?? before.text;
  const mended = applyFixes(text, [diagnostic], ALL);
  const after = understandCaseWith(folder, "input.csv", new Map([[file, mended.text]]));

  test("is as safe as its explanation says", () => {
    expect(mayBe(diagnostic.code, diagnostic.fix?.safe ?? false)).toBe(true);
  });

  test("can be applied", () => {
    expect(mended.applied).toEqual([diagnostic]);
    expect(mended.text).not.toBe(text);
  });

  test("leaves every other byte alone", () => {
    const edits = [...(diagnostic.fix?.edits ?? [])].sort((a, b) => a.start - b.start);
    let [from, to] = [0, 0];
    for (const edit of edits) {
      const kept = edit.start - from;
      expect(mended.text.slice(to, to + kept)).toBe(text.slice(from, edit.start));
      expect(mended.text.slice(to + kept, to + kept + edit.text.length)).toBe(edit.text);
      [from, to] = [edit.end, to + kept + edit.text.length];
    }
    expect(mended.text.slice(to)).toBe(text.slice(from));
  });

  test("ends its diagnostic", () => {
    expect(count(after, keyOf(diagnostic))).toBeLessThan(count(before, keyOf(diagnostic)));
  });

  test("makes no error of another code elsewhere", () => {
    // A file that could not be read as a sheet has told nothing of its cells before.
    if (before.sheet === null) return;
    const known = new Set(before.diagnostics.map(keyOf));
    const news = after.diagnostics.filter(
      (one) =>
        one.severity === "error" &&
        one.code !== diagnostic.code &&
        one.place?.cell !== diagnostic.place?.cell &&
        !known.has(keyOf(one)),
    );
    expect(news.map(keyOf)).toEqual([]);
  });
});

test.each(folders)("%s: what a message suggests can be written", (folder) => {
  const { diagnostics } = understandCase(folder, "input.csv");
  const suggesting = diagnostics.filter(
    ({ message, label, help }) =>
      // The prompt stands in a file of its own.
      !folder.endsWith("unknown-placeholder/in-a-file") &&
      [message, label, help].some((text) => text?.includes("did you mean") === true),
  );
  expect(suggesting.filter(({ fix }) => fix === null).map(keyOf)).toEqual([]);
});
