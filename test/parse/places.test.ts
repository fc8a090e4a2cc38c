import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editCell, editCellParts } from "../../compiler/1-parse/text/edit-cell.js";
import { cellName, cellSpan, locate } from "../../compiler/1-parse/text/places.js";
import type { CellSpan, Row, Sheet } from "../../compiler/ir.js";
import { applyFixes } from "../../compiler/service/fix-rounds.js";
import { howMany } from "../how-many.js";
import { anySheet, writeCell } from "./random-sheets.js";
import { applyFix, HEADER, lineStart, read, textAt } from "./read-sheet.js";

test.each<[number, number, string]>([
  [0, 0, "A1"],
  [5, 4, "F5"],
  [25, 9, "Z10"],
  [26, 0, "AA1"],
  [51, 0, "AZ1"],
  [52, 0, "BA1"],
  [199, 99_999, "GR100000"],
  [701, 0, "ZZ1"],
  [702, 0, "AAA1"],
])("column %i of record %i is %s", (column, record, name) => {
  expect(cellName(column, record)).toBe(name);
});

/** Every name and item of a row with the text it stands for. */
function* named(row: Row): Generator<readonly [CellSpan, string]> {
  for (const item of [row.graph, row.node, row.agent, ...row.next, ...row.onSuccess, ...row.onFailure]) {
    if (item.name !== "" && item.at.end > item.at.start) yield [item.at, item.name];
  }
  if (row.prompt !== null) {
    yield [row.prompt.at, row.prompt.text];
    for (const part of row.prompt.parts) {
      yield [
        { ...row.prompt.at, start: part.start, end: part.end },
        row.prompt.text.slice(part.start, part.end),
      ];
    }
  }
}

/** The text at a place, read from the raw file by line and column, with doubled quotes undone where they were. */
function textIn(sheet: Sheet, span: CellSpan, quoted: boolean): string {
  const raw = textAt(sheet.text, { place: locate(sheet, span) });
  return quoted ? raw.replaceAll('""', '"') : raw;
}

describe("a place points at the text it names", () => {
  const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
  const inner = fc
    .array(fc.constantFrom("a", "B", "é", "😀", '"', ",", ";", "\n", "\r\n", "\r", " ", "|", "{x}", "."), {
      minLength: 1,
      maxLength: 8,
    })
    .map((pieces) => pieces.join(""));
  const plain = fc
    .array(fc.constantFrom("a", "b", " ", "é", "😀", "|"), { maxLength: 6 })
    .map((pieces) => pieces.join(""));
  const row = fc.record({
    lineEnd,
    comment: fc.constantFrom("", "# note", "\n", '"# a\nb"'),
    name: plain,
    cells: fc.array(fc.record({ text: fc.oneof(inner, plain), quoted: fc.boolean() }), {
      minLength: 5,
      maxLength: 5,
    }),
  });
  const file = fc.record({
    bom: fc.boolean(),
    sep: fc.boolean(),
    semicolon: fc.boolean(),
    lineEnd,
    rows: fc.array(row, { minLength: 1, maxLength: 5 }),
  });

  test("names, targets, prompts and placeholders, in any file", () => {
    fc.assert(
      fc.property(file, ({ bom, sep, semicolon, lineEnd: first, rows }) => {
        const delimiter = semicolon ? ";" : ",";
        const header = ["graph", "node", "next", "on_success", "prompt", "agent"].join(delimiter);
        const body = rows.map(({ cells, comment, lineEnd: end, name }) => {
          const line = [
            writeCell(`n${name}n`, false, delimiter),
            ...cells.map(({ text, quoted }) => writeCell(text, quoted, delimiter)),
          ];
          return (comment === "" ? "" : comment + end) + line.join(delimiter) + end;
        });
        const text = `${sep ? `sep=${delimiter}${first}` : ""}${header}${first}${body.join("")}`;
        const { sheet, found } = read((bom ? "\ufeff" : "") + text);
        if (sheet === null) throw new Error(found.join("; "));
        expect(sheet.text).toBe(text);
        expect(sheet.rows.map(({ graph }) => graph.name)).toEqual(rows.map(({ name }) => `n${name}n`));
        for (const each of sheet.rows) {
          for (const [span, expected] of named(each)) {
            const place = locate(sheet, span);
            const isQuoted = sheet.text[offsetOf(sheet, { ...span, start: 0 }) - 1] === '"';
            expect(textIn(sheet, span, isQuoted)).toBe(expected);
            expect(place.cell).toBe(cellName(span.column, each.record));
          }
        }
      }),
      { numRuns: howMany(300, 40) },
    );
  });

  const offsetOf = (sheet: Sheet, span: CellSpan): number => {
    const { line, column } = locate(sheet, span);
    return lineStart(sheet.text, line) + column - 1;
  };

  test("exactly, in one file with everything", () => {
    const text = 'sep=;\r\ngraph;node;prompt\r"G ""1""";A;"x\r\ny ""z"" {a}"\n# c\n\nH;B;{b}\r\n';
    const { sheet } = read(`\ufeff${text}`);
    if (sheet === null) throw new Error("no sheet");
    const [first, second] = sheet.rows;
    expect(first?.record).toBe(1);
    expect(locate(sheet, first?.graph.at as CellSpan)).toEqual({
      file: "test.csv",
      line: 3,
      column: 2,
      endLine: 3,
      endColumn: 9,
      cell: "A2",
    });
    const placeholder = first?.prompt?.parts[1];
    const at = {
      ...(first?.prompt?.at as CellSpan),
      start: placeholder?.start ?? 0,
      end: placeholder?.end ?? 0,
    };
    expect(locate(sheet, at)).toMatchObject({ line: 4, column: 9, endLine: 4, endColumn: 12, cell: "C2" });
    expect(locate(sheet, second?.prompt?.at as CellSpan)).toMatchObject({
      line: 7,
      column: 5,
      endColumn: 8,
      cell: "C5",
    });
    expect(cellSpan(sheet, 0, "prompt")).toEqual({ row: 0, column: 2, start: 0, end: 12 });
    expect(cellSpan(sheet, 0, "context")).toBeNull();
    expect(locate(sheet, { row: -1, column: 1, start: 0, end: 4 })).toMatchObject({
      line: 2,
      column: 7,
      cell: "B1",
    });
  });

  test("a cell that is not there stands at the end of its row", () => {
    const { sheet } = read("graph,node,prompt\nG,A\n");
    expect(locate(sheet as Sheet, { row: 0, column: 2, start: 0, end: 0 })).toMatchObject({
      line: 2,
      column: 4,
      cell: "C2",
    });
  });

  test("a sheet that went through JSON has the same places", () => {
    const { sheet } = read('graph,node,prompt\nG,A,"x ""y"" {z}"\n');
    const copy = JSON.parse(JSON.stringify(sheet)) as Sheet;
    const span = { row: 0, column: 2, start: 6, end: 9 };
    expect(locate(copy, span)).toEqual(locate(sheet as Sheet, span));
    expect(locate(copy, span).column).toBe(14);
  });
});

describe("editing a cell", () => {
  const cell = fc
    .array(fc.constantFrom("a", " ", '"', ",", ";", "\n", "\r", "é", "'"), { maxLength: 8 })
    .map((pieces) => `x${pieces.join("")}`);

  test("changes that cell and no other, whatever must be quoted", () => {
    const edited = fc.record({
      text: cell,
      quoted: fc.boolean(),
      column: fc.integer({ min: 0, max: 2 }),
      from: fc.nat(8),
      to: fc.nat(8),
      by: cell,
    });
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 3, maxLength: 3 }),
        edited,
        (cells, { quoted, column, from, to, by }) => {
          const text = `graph;node;prompt\n${cells.map((one) => writeCell(one, quoted, ";")).join(";")}\n`;
          const { sheet } = read(text);
          const old = cells[column] ?? "";
          const start = Math.min(from, to, old.length);
          const end = Math.min(Math.max(from, to), old.length);
          const edit = editCell(sheet as Sheet, { row: 0, column, start, end }, by);
          const after = read(applyFix(text, { title: "", safe: true, edits: [edit] }));
          const expected = cells.map((one, i) =>
            i === column ? old.slice(0, start) + by + old.slice(end) : one,
          );
          const trimmed = (one: string | undefined): string | undefined => one?.trim();
          expect(after.rows[0]?.graph.name).toBe(trimmed(expected[0]));
          expect(after.rows[0]?.node.name).toBe(trimmed(expected[1]));
          expect(after.rows[0]?.prompt?.text).toBe(expected[2]);
        },
      ),
      { numRuns: howMany(700, 80) },
    );
  });

  test("several parts of one cell at once", () => {
    const span = { row: 0, column: 2, start: 0, end: 0 };
    const parts = [
      { start: 0, end: 1, text: "1" },
      { start: 2, end: 3, text: '"2"' },
    ];
    const plain = "graph,node,prompt\nG,A,abc\n";
    const quoted = 'graph,node,prompt\nG,A,"abc"\n';
    const apply = (text: string): string =>
      applyFix(text, { title: "", safe: true, edits: editCellParts(read(text).sheet as Sheet, span, parts) });
    expect(apply(plain)).toBe('graph,node,prompt\nG,A,"1b""2"""\n');
    expect(apply(quoted)).toBe('graph,node,prompt\nG,A,"1b""2"""\n');
  });

  test("a cell that is not there is added to its row", () => {
    const text = "graph,node,context,prompt\nG,A\r\nG,B,,\n";
    const edit = editCell(read(text).sheet as Sheet, { row: 0, column: 3, start: 0, end: 0 }, "x, y");
    expect(applyFix(text, { title: "", safe: true, edits: [edit] })).toBe(
      'graph,node,context,prompt\nG,A,,"x, y"\r\nG,B,,\n',
    );
  });
});

describe("any sheet", () => {
  test("never throws; every place is in the file, and every cell's name is the one at its place", () => {
    fc.assert(
      fc.property(fc.oneof(anySheet, fc.string({ unit: "binary" })), (text) => {
        const { problems, sheet } = read(text);
        const lines = text.split(/\r\n|\n|\r/);
        for (const { place } of problems) {
          expect(place).not.toBeNull();
          expect(place?.line).toBeGreaterThanOrEqual(1);
          expect(place?.line).toBeLessThanOrEqual(lines.length);
          expect(place?.column).toBeGreaterThanOrEqual(1);
          expect(place?.column).toBeLessThanOrEqual((lines[(place?.line ?? 1) - 1]?.length ?? 0) + 1);
          expect(place?.cell).toMatch(/^[A-Z]+[1-9]\d*$/);
        }
        for (const row of sheet?.rows ?? []) {
          if (row.damaged) continue;
          for (const [span, expected] of named(row)) {
            const raw = textAt(sheet?.text ?? "", { place: locate(sheet as Sheet, span) });
            expect([raw, raw.replaceAll('""', '"')]).toContain(expected);
          }
        }
      }),
      { numRuns: howMany(700, 80) },
    );
  });

  test("any bytes are read or refused, in any encoding", () => {
    const bytes = fc.uint8Array({ maxLength: 80 });
    const header = [...new TextEncoder().encode(`${HEADER}\n`)];
    const source = fc.oneof(
      bytes,
      bytes.map((tail) => Uint8Array.from([...header, ...tail])),
      bytes.map((tail) => Uint8Array.from([0xff, 0xfe, ...tail])),
    );
    const encoding = fc.constantFrom(
      undefined,
      "windows-1252",
      "utf-16le",
      "shift_jis",
      "gb18030",
      "iso-2022-jp",
      "euc-kr",
    );
    fc.assert(
      fc.property(source, encoding, (file, label) => {
        const { sheet, problems } = read(file, label);
        expect(sheet !== null || problems.length > 0).toBe(true);
      }),
      { numRuns: howMany(700, 80) },
    );
  });
});

describe("fixes", () => {
  test("a safe fix makes its problem go away and adds none of another kind", () => {
    fc.assert(
      fc.property(anySheet, (text) => {
        const before = read(text);
        for (const { fix, code } of before.problems) {
          if (fix === null || !fix.safe) continue;
          const after = read(applyFix(before.sheet?.text ?? text.replace(/^\ufeff/, ""), fix));
          const count = (problems: readonly { code: string }[]): number =>
            problems.filter((each) => each.code === code).length;
          expect(count(after.problems)).toBeLessThan(count(before.problems));
          if (code === "missing-column") continue;
          const known = new Set(before.problems.map((each) => each.code));
          expect(after.problems.filter((each) => !known.has(each.code))).toEqual([]);
        }
      }),
      { numRuns: howMany(1_400, 150) },
    );
  });

  test("safe fixes, each whole or in a later round, leave none to do", () => {
    fc.assert(
      fc.property(anySheet, (source) => {
        let text = read(source).sheet?.text ?? null;
        if (text === null) return;
        for (let round = 0; round < 20; round++) text = applyFixes(text, read(text).problems).text;
        expect(read(text).problems.filter(({ fix }) => fix?.safe)).toEqual([]);
      }),
      { numRuns: howMany(700, 80) },
    );
  });
});
