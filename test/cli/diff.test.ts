import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unifiedDiff } from "../../compiler/output/diff.js";
import { equalRuns } from "../../compiler/output/line-pairs.js";

const names = { from: "a.csv", to: "b.csv" };

describe("unified diff", () => {
  test("of equal texts is empty", () => {
    expect(unifiedDiff("a\nb\n", "a\nb\n", names)).toBe("");
  });

  test("shows a change with three lines around it", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    expect(unifiedDiff(before, before.replace("5", "five"), names)).toBe(
      "--- a.csv\n+++ b.csv\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  test("puts distant changes in hunks of their own", () => {
    const before = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
    const after = before.with(2, "two\n").with(27, "twenty-seven\n");
    expect(unifiedDiff(before.join(""), after.join(""), names).match(/^@@.*$/gm)).toEqual([
      "@@ -1,6 +1,6 @@",
      "@@ -25,6 +25,6 @@",
    ]);
  });

  test("says that a last line has no end", () => {
    expect(unifiedDiff("a", "a\n", names)).toBe(
      "--- a.csv\n+++ b.csv\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
    );
  });

  test("counts from nothing and to nothing", () => {
    expect(unifiedDiff("", "a\nb\n", names)).toContain("@@ -0,0 +1,2 @@");
    expect(unifiedDiff("a\n", "", names)).toContain("@@ -1 +0,0 @@");
  });

  test("tells lines apart by their ends", () => {
    expect(unifiedDiff("a\r\nb\r\n", "a\nb\r\n", names)).toContain("-a\r\n+a\n b\r\n");
  });

  test("turns any text into any other", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "d", "e,f"), { maxLength: 40 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(patched(before, unifiedDiff(before, after, names))).toBe(after);
      }),
      { numRuns: 2_000 },
    );
  });

  test("finds lines that truly are equal, in order", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (from, to) => {
        let before = { from: 0, to: 0 };
        for (const run of equalRuns(from, to)) {
          expect(run.from >= before.from && run.to >= before.to).toBe(true);
          for (let index = 0; index < run.length; index++)
            expect(from[run.from + index]).toBe(to[run.to + index]);
          before = { from: run.from + run.length, to: run.to + run.length };
        }
      }),
    );
  });

  test.each([
    ["every seventh line changed", (line: string, index: number) => (index % 7 === 3 ? `${line},x` : line)],
    ["every line changed", (line: string) => `${line},x`],
    ["every line the same", () => "same"],
  ])("of 100,000 lines takes no minutes: %s", (_name, change) => {
    const before = Array.from({ length: 100_000 }, (_, index) => `Graph,Node ${index % 5_000},`);
    const started = performance.now();
    const diff = unifiedDiff(before.join("\n"), before.map(change).join("\n"), names);
    expect(diff).not.toBe("");
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

/** Applies a unified diff, and checks that what it removes and keeps is there. */
function patched(before: string, diff: string): string {
  if (diff === "") return before;
  const from = linesOf(before);
  const result: string[] = [];
  let at = 0;
  const body = linesOf(diff).slice(2);
  for (const [index, raw] of body.entries()) {
    if (raw.startsWith("\\")) continue;
    const bare = body[index + 1]?.startsWith("\\") === true;
    const line = bare ? raw.slice(1, -1) : raw.slice(1);
    const hunk = /^@@ -(\d+)(,0)?/.exec(raw);
    if (hunk !== null) {
      const start = Number(hunk[1]) - (hunk[2] === undefined ? 1 : 0);
      while (at < start) result.push(from[at++] ?? "");
    } else if (raw.startsWith("+")) result.push(line);
    else {
      expect(from[at]).toBe(line);
      if (raw.startsWith(" ")) result.push(line);
      at++;
    }
  }
  return result.join("") + from.slice(at).join("");
}

const linesOf = (text: string): string[] => text.split(/(?<=\n)/).filter((line) => line !== "");
