import { indexOf, rawOffset } from "../../../../compiler/1-parse/text/page.js";
import { cellText, scanRecord } from "../../../../compiler/1-parse/text/scan.js";
import type { Fix } from "../../../../compiler/diagnostics/diagnostic.js";
import type { Page } from "../../../../compiler/ir.js";
import { complete } from "../../../../compiler/service/complete/complete.js";
import type { Completion } from "../../../../compiler/service/complete/completion.js";
import type { SheetDocument, View } from "../../../../compiler/service/document.js";
import { edited } from "../../../../compiler/service/fix-rounds.js";
import type { CellPlace, Judged, Offered, Splice, Written } from "./messages.js";
import { problemOf } from "./understood.js";

/** So many offers are shown. */
const MOST_OFFERED = 60;

/** What is said of a cell while it is written. The document is left as it was. */
export function judge(document: SheetDocument, { made, record, column, text, caret }: Written): Judged {
  const back = withEdits(document, made);
  const edit = document.editCell({ record, column }, text);
  const view = document.view();
  const own = view.diagnostics.filter(({ span }) => span?.record === record && span.column === column);
  const offers = view.sheet === null ? [] : offersAt(view, view.sheet, { record, column, text, caret });
  const fixes =
    view.sheet === null ? [] : own.flatMap(({ fix }) => fixOf(view.sheet as Page, fix, { record, column }));
  const before = back.text.slice(edit.start, edit.end);
  document.edit([{ start: edit.start, end: edit.start + edit.text.length, text: before }, ...back.edits]);
  return { problems: own.map(problemOf), offers, fixes };
}

/** A fix that stays within its cell, as the cell's text. */
function fixOf(page: Page, fix: Fix | null, { record, column }: CellPlace): Judged["fixes"] {
  const scan = indexOf(page).recordAt(record);
  const cell = scan?.cells[column];
  if (fix === null || fix.edits.length === 0 || cell === undefined || scan === null) return [];
  if (fix.edits.some(({ start, end }) => start < cell.start || end > cell.end)) return [];
  const start = scan.cells[0]?.start ?? 0;
  const text = edited(
    page.text,
    [...fix.edits].sort((a, b) => a.start - b.start),
  );
  const made = scanRecord(text, start, page.delimiter).cells[column];
  return made === undefined ? [] : [{ title: fix.title, text: cellText(text, made) }];
}

/** Makes edits; gives the text that they make, and what takes them back. */
function withEdits(document: SheetDocument, splices: readonly Splice[]) {
  const edits = splices
    .map(({ start, end, text }) => {
      const before = document.text.slice(start, end);
      document.edit([{ start, end, text }]);
      return { start, end: start + text.length, text: before };
    })
    .reverse();
  return { text: document.text, edits };
}

type Place = Pick<Written, "record" | "column" | "text" | "caret">;

function offersAt(view: View, page: Page, place: Place): readonly Offered[] {
  const scan = indexOf(page).recordAt(place.record);
  const cell = scan?.cells[place.column];
  if (scan === null || scan === undefined || cell === undefined) return [];
  const offset = rawOffset(page.text, cell, place.caret);
  const start = scan.cells[0]?.start ?? 0;
  const found = complete(view, offset).flatMap((one) => {
    const fit = fitOf(one, page.text.slice(one.edit.range.start, offset));
    const offered = fit === null ? null : offeredOf(one, page, { ...place, start, end: scan.end });
    return fit === null || offered === null || offered.text === place.text ? [] : [{ fit, offered }];
  });
  return found
    .sort((a, b) => a.fit - b.fit)
    .slice(0, MOST_OFFERED)
    .map(({ offered }) => offered);
}

/** How well an offer fits what is typed: those that begin so come first. Null for those that do not hold it. */
function fitOf({ filter, label }: Completion, typed: string): number | null {
  const wanted = typed.toLowerCase();
  if (filter.toLowerCase().startsWith(wanted)) return 0;
  const [word = ""] = /[^|,;{}"'=:\s]*$/.exec(wanted) ?? [];
  return word !== "" && label.toLowerCase().includes(word) ? 1 : null;
}

function offeredOf(
  { label, kind, detail, edit }: Completion,
  page: Page,
  { column, text, start, end }: Place & { readonly start: number; readonly end: number },
): Offered | null {
  const { range } = edit;
  if (range.start < start || range.end > end) return null;
  const record = page.text.slice(start, range.start) + edit.text + page.text.slice(range.end, end);
  const cell = scanRecord(record, 0, page.delimiter).cells[column];
  if (cell === undefined) return null;
  const made = cellText(record, cell);
  return { label, kind, detail, text: made, caret: made.length - sameEnd(text, made) };
}

/** How many characters at the end of both texts are the same. */
function sameEnd(before: string, after: string): number {
  let tail = 0;
  while (tail < Math.min(before.length, after.length) && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return tail;
}
