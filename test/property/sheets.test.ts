import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Understanding, understandSheet } from "../../compiler/compile.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { applyFixes } from "../../compiler/service/fix-rounds.js";
import { fingerprintOf } from "../../runtime/graph/link/fingerprint.js";
import { CASES, caseFolders } from "../cases/case-folder.js";
import { howMany } from "../how-many.js";
import { testWorld, understandText } from "../world.js";

const examples = readdirSync("examples")
  .filter((name) => name.endsWith(".csv"))
  .map((name) => readFileSync(join("examples", name)));
const cases = caseFolders().map((folder) => readFileSync(join(CASES, folder, "input.csv")));

const understandBytes = (bytes: Uint8Array): Understanding =>
  understandSheet({ file: "sheet.csv", bytes }, testWorld());

/** What every understanding of a file must keep to. */
function expectSound({ sheet, graphs, diagnostics }: Understanding): void {
  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  expect(graphs.length > 0 || hasErrors).toBe(true);
  for (const { place, message } of diagnostics) {
    expect(message).not.toBe("");
    if (place === null) continue;
    expect(place.line).toBeGreaterThan(0);
    expect(place.column).toBeGreaterThan(0);
    expect(place.endLine).toBeGreaterThanOrEqual(place.line);
    if (place.endLine === place.line) expect(place.endColumn).toBeGreaterThanOrEqual(place.column);
  }
  for (const graph of graphs) {
    for (const node of graph.nodes) expect(sheet?.rows[node.index]?.node.name).toBe(node.name);
  }
}

/** A file with some bytes changed, taken out, or put in twice. */
const mutated = (files: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(
      fc.constantFrom(...files),
      fc.array(
        fc.record({
          at: fc.nat(),
          kind: fc.constantFrom("change", "remove", "insert", "repeat", "swap"),
          byte: fc.oneof(fc.constantFrom(34, 44, 10, 13, 123, 125, 124, 35, 0, 255, 61), fc.nat(255)),
          length: fc.integer({ min: 1, max: 40 }),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    )
    .map(([file, edits]) => {
      let bytes = Buffer.from(file);
      for (const { at, kind, byte, length } of edits) {
        const i = at % (bytes.length + 1);
        const [before, part, after] = [
          bytes.subarray(0, i),
          bytes.subarray(i, i + length),
          bytes.subarray(i + length),
        ];
        if (kind === "change") bytes = Buffer.concat([before, Buffer.from([byte]), bytes.subarray(i + 1)]);
        if (kind === "remove") bytes = Buffer.concat([before, after]);
        if (kind === "insert") bytes = Buffer.concat([before, Buffer.from([byte]), part, after]);
        if (kind === "repeat") bytes = Buffer.concat([before, part, part, after]);
        if (kind === "swap") bytes = Buffer.concat([before, after, part]);
      }
      return bytes;
    });

describe("any file is understood or explained", () => {
  test("any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => expectSound(understandBytes(bytes))),
      { numRuns: howMany(800, 80) },
    );
  });

  test("sheets with bytes changed", () => {
    fc.assert(
      fc.property(mutated([...examples, ...cases]), (bytes) => expectSound(understandBytes(bytes))),
      { numRuns: howMany(1_500, 150) },
    );
  });
});

describe("fixes", () => {
  /** The codes alone, since a fix moves what comes after it. */
  const codesOf = ({ diagnostics }: Understanding): readonly string[] =>
    diagnostics.map(({ code }) => code).sort();

  const expectFewer = (code: string, before: Understanding, after: Understanding): void => {
    const [was, is] = [before, after].map((one) => codesOf(one).filter((each) => each === code).length);
    expect(is).toBeLessThan(was ?? 0);
  };

  /** Beside these nobody knows for sure where cells begin and end. */
  const UNSURE = ["not-utf8", "bad-quote"];

  const standsTwice = ({ diagnostics }: Understanding, { place }: Diagnostic): boolean =>
    diagnostics.some((other) => other.code === "duplicate-target" && other.place?.cell === place?.cell);

  /** What they hide shows when they are mended. */
  const HIDING = ["long-row", "unknown-placeholder", "unknown-output", "unknown-input", "bad-setting"];

  test("a safe fix makes its problem go away and adds none", () => {
    fc.assert(
      fc.property(mutated([...examples, ...cases]), (bytes) => {
        const before = understandBytes(bytes);
        const { sheet } = before;
        const fixable = before.diagnostics.filter(({ fix }) => fix?.safe === true);
        if (
          sheet === null ||
          fixable.length === 0 ||
          before.diagnostics.some(({ code }) => UNSURE.includes(code))
        )
          return;
        for (const diagnostic of fixable) {
          // Of a name that stands twice, the second place is told of when the first is mended.
          if (diagnostic.code === "unknown-node" && standsTwice(before, diagnostic)) continue;
          const { text } = applyFixes(sheet.text, [diagnostic]);
          if (HIDING.includes(diagnostic.code)) {
            expectFewer(diagnostic.code, before, understandText(text));
            continue;
          }
          const rest = [...codesOf(before)];
          rest.splice(rest.indexOf(diagnostic.code), 1);
          // Writing a cell may cure more than the one problem, such as a row that was too short.
          const added = codesOf(understandText(text)).filter((code) => {
            const known = rest.indexOf(code);
            if (known !== -1) rest.splice(known, 1);
            return known === -1;
          });
          expect(added, `${diagnostic.code} in ${JSON.stringify(sheet.text)}`).toEqual([]);
        }
      }),
      { numRuns: howMany(800, 80) },
    );
  });
});

test("row order of other graphs changes nothing", () => {
  const [header = "", ...support] = readFileSync("examples/support.csv", "utf8").trimEnd().split("\n");
  const rows = support.filter((line) => line.startsWith("Support"));
  const others = rows.map((line) => line.replace(/^Support/, "Other"));
  const alone = understandText(`${header}\n${rows.join("\n")}\n`).graphs[0];
  fc.assert(
    fc.property(
      fc.shuffledSubarray(others, { minLength: others.length }),
      fc.array(fc.nat(rows.length), { minLength: others.length, maxLength: others.length }),
      (shuffled, places) => {
        const mixed = rows.flatMap((row, i) => [row, ...shuffled.filter((_, k) => places[k] === i)]);
        const found = understandText(`${header}\n${mixed.join("\n")}\n`).graphs.find(
          ({ name }) => name === "Support",
        );
        const plain = (graph: typeof alone): unknown =>
          graph?.nodes.map(({ row, index, ...rest }) => ({ ...rest, known: row > 0 && index >= 0 }));
        expect(plain(found)).toEqual(plain(alone));
        expect(found?.fields).toEqual(alone?.fields);
        expect(found === undefined ? "" : fingerprintOf(found)).toBe(
          alone === undefined ? "-" : fingerprintOf(alone),
        );
      },
    ),
    { numRuns: howMany(200, 50) },
  );
});
