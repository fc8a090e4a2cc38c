import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellText, scanRecord } from "../../../compiler/1-parse/text/scan.js";
import type { Page } from "../../../compiler/ir.js";
import { complete } from "../../../compiler/service/complete/complete.js";
import type { Completion } from "../../../compiler/service/complete/completion.js";
import type { View } from "../../../compiler/service/document.js";
import { layoutOf } from "../../../compiler/service/layout.js";
import { howMany } from "../../how-many.js";
import { awkward } from "../awkward.js";
import { knownView, type OpenSheet, ownSheets, viewOf } from "../sheets.js";

const all = [...awkward, ...ownSheets()];
/** The cells of each record, and whether its quotes are in order. */
function cut(text: string, { delimiter, start }: { delimiter: "," | ";" | "\t"; start: number }) {
  const records: {
    readonly begin: number;
    readonly end: number;
    readonly cells: readonly string[];
    readonly isWhole: boolean;
  }[] = [];
  for (let at = start; at < text.length; ) {
    const { cells, end, next } = scanRecord(text, at, delimiter);
    const texts = cells.map((cell) => cellText(text, cell));
    records.push({ begin: at, end, cells: texts, isWhole: cells.every(({ fault }) => fault === null) });
    at = next;
  }
  return records;
}

const known = new WeakMap<View, ReturnType<typeof cut>>();

function recordsOf(view: View, page: Page): ReturnType<typeof cut> {
  const records = known.get(view) ?? cut(view.text, page);
  known.set(view, records);
  return records;
}

/** What is wrong with a sheet after an item was chosen; null when the cut is the same and the cell holds the name. */
function faultOf(view: View, offset: number, { label, edit }: Completion): string | null {
  const { range, text } = edit;
  if (range.start > offset || range.end < offset) return "the caret is not inside of the range";
  const layout = layoutOf(view);
  if (layout === null) return "it is no sheet";
  const before = recordsOf(view, layout.page);
  const edited = view.text.slice(0, range.start) + text + view.text.slice(range.end);
  const after = cut(edited, layout.page);
  const at = before.findLastIndex(({ begin }) => begin <= offset);
  const isNew = before.length < after.length && offset === view.text.length;
  if (after.length !== before.length + Number(isNew))
    return `${before.length} records became ${after.length}`;
  const record = isNew ? before.length : at;
  for (const [i, { cells }] of before.entries())
    if (i !== record && cells.join("\0") !== after[i]?.cells.join("\0")) return `record ${i} is another`;
  const old = isNew ? [""] : (before[record]?.cells ?? []);
  const now = after[record]?.cells ?? [];
  if (!isNew && before[record]?.isWhole !== true) return null;
  if (old.length !== now.length) return `${old.length} cells became ${now.length}`;
  const changed = now.filter((cell, column) => cell !== old[column]);
  if (changed.length > 1) return "several cells are others";
  const name = label.replace(/=$/, "");
  const holds = (cell: string): boolean =>
    cell.includes(name) || cell.includes(JSON.stringify(name).slice(1, -1));
  return (changed.length === 0 ? now : changed).some(holds) ? null : `no cell holds ${label}`;
}

function problemAt(view: View, offset: number): string | null {
  const items = complete(view, offset);
  // The first and the last, and some between them.
  const step = Math.max(1, Math.floor(items.length / 5));
  for (const item of items.filter((_, i) => i % step === 0 || i === items.length - 1)) {
    const fault = faultOf(view, offset, item);
    if (fault !== null) return `${item.label}: ${fault}`;
  }
  return null;
}

const place = fc.record({ sheet: fc.constantFrom(...all), at: fc.nat(1_000_000) });

describe("completion", () => {
  test.each(awkward.map((sheet) => [sheet.file, sheet] as const))(
    "every offset of an awkward sheet: %s",
    (_, sheet) => {
      const view = knownView(sheet);
      const found: string[] = [];
      for (let offset = 0; offset <= view.text.length; offset++)
        found.push(
          ...[problemAt(view, offset)].flatMap((fault) => (fault === null ? [] : [`${offset}: ${fault}`])),
        );
      expect(found).toEqual([]);
    },
  );

  test("an item that is chosen leaves the cut into cells as it was, and the cell holds it", () => {
    const property = fc.property(place, ({ sheet, at }) => {
      const view = knownView(sheet);
      expect(problemAt(view, at % (view.text.length + 1))).toBe(null);
    });
    fc.assert(property, { numRuns: howMany(4_000, 150) });
  });

  const SIGNS = [
    '"',
    ",",
    ";",
    "\n",
    "\r\n",
    "|",
    "{",
    "}",
    "'",
    ":",
    "=",
    "\\",
    "[",
    "\t",
    "🚚",
    "a",
    "$",
    ".",
  ];
  const change = fc.record({ at: fc.nat(1_000_000), gone: fc.nat(6), sign: fc.constantFrom(...SIGNS) });

  test("no text and no offset makes it throw", () => {
    const property = fc.property(
      place,
      fc.array(change, { minLength: 1, maxLength: 4 }),
      ({ sheet, at }, changes) => {
        let { text } = sheet;
        for (const one of changes) {
          const from = one.at % (text.length + 1);
          text = text.slice(0, from) + one.sign + text.slice(from + one.gone);
        }
        const view = viewOf({ ...sheet, text });
        for (const offset of [at % (text.length + 1), text.length, (changes[0]?.at ?? 0) % (text.length + 1)])
          expect(problemAt(view, offset)).toBe(null);
      },
    );
    fc.assert(property, { numRuns: howMany(4_000, 150) });
  });

  test("what is asked of an offset that is none is nothing", () => {
    const view = knownView(all[0] as OpenSheet);
    for (const offset of [-1, view.text.length + 1, Number.NaN, 1e9])
      expect(complete(view, offset)).toEqual([]);
  });
});
