import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unifiedDiff } from "../../compiler/output/diff.js";
import { howMany } from "../how-many.js";

const names = { from: "a.csv", to: "b.csv" };

describe("unified diff", () => {
  test("of equal texts is empty", async () => {
    expect(await unifiedDiff("a\nb\n", "a\nb\n", names)).toBe("");
  });

  test("shows a change with three lines around it", async () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    expect(await unifiedDiff(before, before.replace("5", "five"), names)).toBe(
      "--- a.csv\n+++ b.csv\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  test("puts distant changes in hunks of their own", async () => {
    const before = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
    const after = before.with(2, "two\n").with(27, "twenty-seven\n");
    const diff = await unifiedDiff(before.join(""), after.join(""), names);
    expect(diff.match(/^@@.*$/gm)).toEqual(["@@ -1,6 +1,6 @@", "@@ -25,6 +25,6 @@"]);
  });

  test("says that a last line has no end", async () => {
    expect(await unifiedDiff("a", "a\n", names)).toBe(
      "--- a.csv\n+++ b.csv\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
    );
  });

  test("counts from nothing and to nothing", async () => {
    expect(await unifiedDiff("", "a\nb\n", names)).toContain("@@ -0,0 +1,2 @@");
    expect(await unifiedDiff("a\n", "", names)).toContain("@@ -1 +0,0 @@");
  });

  test("tells lines apart by their ends", async () => {
    expect(await unifiedDiff("a\r\nb\r\n", "a\nb\r\n", names)).toContain("-a\r\n+a\n b\r\n");
  });

  test("turns any text into any other", async () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "d", "e,f"), { maxLength: 40 })
      .map((lines) => lines.join("\n"));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        expect(patched(before, await unifiedDiff(before, after, names))).toBe(after);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["every seventh line changed", (line: string, index: number) => (index % 7 === 3 ? `${line},x` : line)],
    ["every line changed", (line: string) => `${line},x`],
    ["every line the same", () => "same"],
  ])("of very many lines takes no minutes: %s", async (_name, change) => {
    const before = Array.from(
      { length: howMany(100_000, 20_000) },
      (_, index) => `Graph,Node ${index % 5_000},`,
    );
    const started = performance.now();
    const after = before.map(change).join("\n");
    const diff = await unifiedDiff(before.join("\n"), after, names);
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(patched(before.join("\n"), diff) === after).toBe(true);
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
      if (from[at] !== line) throw new Error(`line ${at + 1} is not ${JSON.stringify(line)}`);
      if (raw.startsWith(" ")) result.push(line);
      at++;
    }
  }
  return result.join("") + from.slice(at).join("");
}

const linesOf = (text: string): string[] => text.split(/(?<=\n)/).filter((line) => line !== "");
