import { indexOf } from "../1-parse/text/page.js";
import { scanRecord } from "../1-parse/text/scan.js";
import { isComment } from "../1-parse/text/skipped-rows.js";
import type { Page, Range, Row } from "../ir.js";
import type { View } from "./document.js";
import { layoutOf } from "./layout.js";

/** A stretch of several lines that an editor can fold. */
export interface Fold extends Range {
  readonly kind: "graph" | "comment" | "cell";
}

/** The rows of each graph that stand together, comments that do, and cells of several lines, in the order of the text. */
export function folding(view: View): readonly Fold[] {
  const page = layoutOf(view)?.page;
  if (page === undefined) return [];
  const rows = view.sheet?.rows ?? [];
  const folds = [...graphFolds(page, rows), ...commentFolds(page), ...cellFolds(page)];
  return folds.sort((a, b) => a.start - b.start || b.end - a.end);
}

function graphFolds(page: Page, rows: readonly Row[]): readonly Fold[] {
  return runsOf(rows.length, (i) => (rows[i] as Row).graph.name || null).map(([first, last]) => ({
    kind: "graph",
    start: recordStart(page, (rows[first] as Row).record),
    end: recordEnd(page, (rows[last] as Row).record),
  }));
}

/** Blank lines and rows between them part comments. */
function commentFolds(page: Page): readonly Fold[] {
  const { records } = indexOf(page);
  const isNote = (record: number): boolean => {
    const at = records[record] as number;
    return isComment(page.text.slice(page.text[at] === '"' ? at + 1 : at, at + 3));
  };
  return runsOf(records.length, (record) => (isNote(record) ? "" : null)).map(([first, last]) => ({
    kind: "comment",
    start: recordStart(page, first),
    end: recordEnd(page, last),
  }));
}

function cellFolds(page: Page): readonly Fold[] {
  const { records } = indexOf(page);
  return records.flatMap((begin, record): readonly Fold[] => {
    const end = records[record + 1] ?? page.text.length;
    if (!holdsLineEnd(page.text, begin, end)) return [];
    const { cells } = scanRecord(page.text, begin, page.delimiter);
    const long = cells.filter((cell) => holdsLineEnd(page.text, cell.start, cell.end));
    return long.map(({ start, end }) => ({ kind: "cell", start, end }));
  });
}

/** Whether a line ends before the last character of a stretch, which may itself end a line. */
function holdsLineEnd(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const sign = text.charCodeAt(at);
    if (sign !== 10 && sign !== 13) continue;
    const next = sign === 13 && text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
    return next < end;
  }
  return false;
}

/** The first and last index of each run of two or more that share a name; null belongs to none. */
function runsOf(
  size: number,
  nameOf: (index: number) => string | null,
): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (let first = 0; first < size; ) {
    const name = nameOf(first);
    let last = first;
    while (name !== null && last + 1 < size && nameOf(last + 1) === name) last++;
    if (last > first) runs.push([first, last]);
    first = last + 1;
  }
  return runs;
}

const recordStart = (page: Page, record: number): number => indexOf(page).records[record] ?? page.text.length;

function recordEnd(page: Page, record: number): number {
  return scanRecord(page.text, recordStart(page, record), page.delimiter).end;
}
