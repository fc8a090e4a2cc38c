import type { Diagnostic, Edit, Fix } from "../diagnostics/diagnostic.js";
import { createLineIndex, type Position } from "../diagnostics/lines.js";
import type { Place, Range } from "../ir.js";
import { SheetDocument, type View } from "./document.js";
import { fixInRounds, MAX_ROUNDS, SAFE_FIXES } from "./fix-rounds.js";
import { EDITOR_LIMITS } from "./limits.js";

/** A fix, and what it mends. */
export interface OfferedFix extends Fix {
  readonly diagnostic: Diagnostic;
}

/** The fixes of the diagnostics that touch a range of the text, in the order of the text. */
export function fixes(view: View, range: Range): readonly OfferedFix[] {
  const fixable = view.diagnostics.filter(({ fix }) => fix !== null && fix.edits.length > 0);
  if (fixable.length === 0) return [];
  const { positionOf } = createLineIndex(view.text);
  const asked = { start: positionOf(range.start), end: positionOf(range.end) };
  return fixable.flatMap((diagnostic) => {
    const { fix, place } = diagnostic;
    return fix !== null && touches(place ?? TOP, asked) ? [{ ...fix, diagnostic }] : [];
  });
}

type Lines = Pick<Place, "line" | "column" | "endLine" | "endColumn">;

/** Where a diagnostic of the whole file stands. */
const TOP: Lines = { line: 1, column: 1, endLine: 1, endColumn: 1 };

const touches = ({ line, column, endLine, endColumn }: Lines, { start, end }: Asked): boolean =>
  !isAfter({ line, column }, end) && !isAfter(start, { line: endLine, column: endColumn });

interface Asked {
  readonly start: Position;
  readonly end: Position;
}

const isAfter = (one: Position, other: Position): boolean =>
  one.line > other.line || (one.line === other.line && one.column > other.column);

/** So many characters are read again for the rounds after the first: each understands the whole text. */
const MOST_READ = 300_000;

/** The text with the safe fixes that its problems offer, in rounds as `validate --fix` does; in a long text in fewer. */
export function mendAll(view: View): string {
  const understand = (text: string): View => SheetDocument.open(view.file, text, view.world).view();
  const most = 1 + Math.floor(MOST_READ / Math.max(1, view.text.length));
  return fixInRounds(view.text, understand, SAFE_FIXES, { first: view, most: Math.min(most, MAX_ROUNDS) })
    .text;
}

/** The edits that apply all safe fixes of a document. */
export const fixAll = (view: View): readonly Edit[] => editsBetween(view.text, mendAll(view));

/** How many safe fixes are at hand, and whether the problems that are not told have more of them. */
export function safeFixes({ diagnostics }: View): { readonly count: number; readonly areMore: boolean } {
  const safe = diagnostics.filter(({ fix }) => fix?.safe === true);
  const counts = new Map<string, number>();
  for (const { code } of safe) counts.set(code, (counts.get(code) ?? 0) + 1);
  return {
    count: safe.length,
    areMore: [...counts.values()].some((count) => count >= EDITOR_LIMITS.problems),
  };
}

const LINE = /[^\n]*\n|[^\n]+$/g;

/** The edits that make one text of another: one for each line that differs, or one for all when lines came or went. */
export function editsBetween(before: string, after: string): readonly Edit[] {
  const [old, now] = [before.match(LINE) ?? [], after.match(LINE) ?? []];
  if (old.length !== now.length) return editBetween(before, after, 0);
  let start = 0;
  return old.flatMap((line, index) => {
    const edits = editBetween(line, now[index] ?? "", start);
    start += line.length;
    return edits;
  });
}

/** None for equal texts. */
function editBetween(before: string, after: string, offset: number): readonly Edit[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const text = after.slice(head, after.length - tail);
  return [{ start: offset + head, end: offset + before.length - tail, text }];
}
