import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outlinePage } from "../../compiler/1-parse/text/outline.js";
import { readHealthy, readRecords } from "../../compiler/1-parse/text/records.js";
import { cellText, type RecordScan, scanRecord } from "../../compiler/1-parse/text/scan.js";
import type { Delimiter, Page } from "../../compiler/ir.js";
import { howMany } from "../how-many.js";
import { anyBody, anyTable } from "./random-sheets.js";

function scanAll(text: string, delimiter: Delimiter): readonly RecordScan[] {
  const scans: RecordScan[] = [];
  for (let at = 0; at < text.length; at = scans.at(-1)?.next ?? text.length)
    scans.push(scanRecord(text, at, delimiter));
  return scans;
}

const cellsOf = (text: string, scans: readonly RecordScan[]): readonly (readonly string[])[] =>
  scans.map(({ cells }) => cells.map((cell) => cellText(text, cell)));

const hasFault = (scans: readonly RecordScan[]): boolean =>
  scans.some(({ cells }) => cells.some(({ fault }) => fault !== null));

describe("the scanner", () => {
  test("reads back every cell of a well-formed file, and so does csv-parse", () => {
    fc.assert(
      fc.property(anyTable(), ({ text, cells, delimiter }) => {
        const scans = scanAll(text, delimiter);
        expect(hasFault(scans)).toBe(false);
        expect(cellsOf(text, scans)).toEqual(cells);
        if (!text.includes('"\0')) expect(readHealthy(text, delimiter)).toEqual(cells);
      }),
      { numRuns: howMany(1_000, 100) },
    );
  });

  test("agrees with csv-parse on any text: the same cells, or bad quotes for both", () => {
    fc.assert(
      fc.property(anyBody, fc.constantFrom<Delimiter>(",", ";", "\t"), (text, delimiter) => {
        if (text.includes('"\0')) return;
        const scans = scanAll(text, delimiter);
        expect(readHealthy(text, delimiter)).toEqual(hasFault(scans) ? null : cellsOf(text, scans));
      }),
      { numRuns: howMany(2_000, 200) },
    );
  });

  test("is what every record is read as, in files of any size", () => {
    fc.assert(
      fc.property(
        anyBody,
        fc.constantFrom(0, 100),
        fc.constantFrom<Delimiter>(",", ";", "\t"),
        (body, lines, delimiter) => {
          const text = 'a,"b;c"\t"d"\r\nplain,text;d\te\n'.repeat(lines) + body;
          const page: Page = { file: "a.csv", text, delimiter, start: 0 };
          const read: (readonly string[])[] = [];
          readRecords(page, outlinePage(page, 0), 0, (cells, record) => {
            read[record] = cells;
          });
          expect(read).toEqual(cellsOf(text, scanAll(text, delimiter)));
        },
      ),
      { numRuns: howMany(1_000, 100) },
    );
  });

  test("covers any text: records follow each other, cells stand inside them", () => {
    fc.assert(
      fc.property(anyBody, (text) => {
        let at = 0;
        for (const { cells, end, next } of scanAll(text, ",")) {
          for (const cell of cells) {
            expect(cell.start).toBe(at);
            expect(cell.start <= cell.from && cell.from <= cell.to && cell.to <= cell.end).toBe(true);
            at = cell.end + 1;
          }
          expect(end).toBe(at - 1);
          expect(["", "\n", "\r", "\r\n"]).toContain(text.slice(end, next));
          at = next;
        }
        expect(at).toBe(text.length);
      }),
      { numRuns: howMany(1_000, 100) },
    );
  });

  test.each<[string, string]>([
    ["openings", '"\n'],
    ["openings with text", '"a,b\n'],
    ["closed and followed by text", '""x\n'],
    ["doubled", '""""\n'],
    ["odd and doubled", '"""x\n'],
    ["strays in text", 'x"y\n'],
    ["strays in quoted text", '"a "b" c\n'],
    ["pairs of lines", '"a\nb "c\n'],
    ["delimiters around quotes", '",",\n'],
    ["doubled ones around delimiters", '"",""x,\n'],
  ])("is linear on many bad quotes: %s", (_, line) => {
    const text = line.repeat(200_000);
    const start = performance.now();
    scanAll(text, ",");
    // A quadratic scan of as many lines takes minutes.
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});
