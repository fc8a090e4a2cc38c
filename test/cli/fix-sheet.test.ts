import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFileText } from "../../cli/fix/file-text.js";
import { fixSheet } from "../../cli/fix/fix-sheet.js";
import { understandSheet } from "../../compiler/compile.js";
import { unifiedDiff } from "../../compiler/output/diff.js";
import type { World } from "../../compiler/world.js";
import { agentFacts } from "../../runtime/agents/facts.js";
import { howMany } from "../how-many.js";
import { ANSWER, ASK, CLEAN, HEADER, MERGED, sheetOf } from "./sheets.js";

const world: World = {
  agents: agentFacts,
  customAgents: new Set(),
  unknownAgent: "warning",
  prompt: null,
  otherGraphs: new Set(),
  lacks: () => null,
};
const fixBytes = (bytes: Uint8Array) =>
  fixSheet({
    bytes,
    encoding: null,
    understand: (text) => understandSheet({ file: "a.csv", bytes: text }, world),
  });

const SEEDS = [
  CLEAN,
  MERGED,
  `Title,,\n,,\n${MERGED}`,
  sheetOf(HEADER, ASK, ANSWER.replace("Answer,,", "Answer,,{“retry”: 2}"), ",Third,,{'a': True},echo,,,,x,y"),
  sheetOf(HEADER, ASK.replace("question", "question:string|question"), `${ANSWER},,`, "short"),
  MERGED.replaceAll(",", ";").replaceAll("\n", "\r\n"),
];
const PIECES = [
  ",",
  ";",
  "\t",
  '"',
  '""',
  "\n",
  "\r",
  "|",
  "{",
  "}",
  "“",
  "'",
  ":",
  "=",
  "?",
  "é",
  "\u0000",
  "\ufeff",
  "#REF!",
  "# ",
  "//",
];

/** A sheet with some stretches taken out, doubled, or replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.constantFrom("", ...PIECES)), { maxLength: 6 }),
  )
  .map(([seed, changes]) =>
    changes.reduce((text, [at, length, piece]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + piece + text.slice(start + length);
    }, seed),
  );
const encoded = fc
  .tuple(mutated, fc.constantFrom("utf8", "latin1", "bom", "utf16le", "utf16be"))
  .map(([text, encoding]): Uint8Array => {
    if (encoding === "bom") return Buffer.from(`\ufeff${text}`);
    if (encoding === "utf16le") return Buffer.from(`\ufeff${text}`, "utf16le");
    if (encoding === "utf16be") return Buffer.from(`\ufeff${text}`, "utf16le").swap16();
    return Buffer.from(text, encoding as BufferEncoding);
  });

describe("mending a sheet", () => {
  test("any file: leaves no safe fix, and a second time there is nothing to do", () => {
    fc.assert(
      fc.property(encoded, (bytes) => {
        const fixed = fixBytes(bytes);
        if ("refused" in fixed) return;
        const { diagnostics, sheet } = fixed.understanding;
        if (sheet !== null) expect(diagnostics.filter(({ fix }) => fix?.safe === true)).toEqual([]);
        const again = fixBytes(fixed.bytes ?? bytes);
        expect("refused" in again ? null : again.bytes).toBeNull();
      }),
      { numRuns: howMany(1_000, 50) },
    );
  });

  test("any file: the text that is written is the text that was shown, in the same encoding", async () => {
    await fc.assert(
      fc.asyncProperty(encoded, async (bytes) => {
        const file = readFileText(bytes, null);
        if ("refused" in file) return;
        if (file.converted === null) expect(Buffer.from(file.encode(file.text)).equals(bytes)).toBe(true);
        const fixed = fixBytes(bytes);
        if ("refused" in fixed || fixed.bytes === null) return;
        expect(readFileText(fixed.bytes, null)).toMatchObject({ text: fixed.after, converted: null });
        const diff = await unifiedDiff(fixed.before, fixed.after, { from: "a", to: "a" });
        expect(diff === "").toBe(fixed.before === fixed.after);
      }),
      { numRuns: howMany(500, 40) },
    );
  });

  test("no error comes in by a fix", () => {
    const errorsIn = (bytes: Uint8Array): number =>
      understandSheet({ file: "a.csv", bytes }, world).diagnostics.filter(
        ({ severity }) => severity === "error",
      ).length;
    for (const bytes of SEEDS.map((seed) => Buffer.from(seed))) {
      const fixed = fixBytes(bytes);
      expect(fixed).toHaveProperty("bytes");
      if ("bytes" in fixed) expect(errorsIn(fixed.bytes ?? bytes)).toBeLessThanOrEqual(errorsIn(bytes));
    }
  });
});
