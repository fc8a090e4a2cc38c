import { type EqualRun, equalRuns } from "./line-pairs.js";

export interface DiffNames {
  readonly from: string;
  readonly to: string;
}

/** Unchanged lines that are shown around a change. */
const CONTEXT = 3;

/** Lines that were removed and added between two equal stretches; the ends are exclusive. */
interface Change {
  readonly fromStart: number;
  readonly fromEnd: number;
  readonly toStart: number;
  readonly toEnd: number;
}

/** What must be changed in `before` to make it `after`, as a unified diff; empty when they are equal. */
export function unifiedDiff(before: string, after: string, names: DiffNames): string {
  if (before === after) return "";
  const from = linesOf(before);
  const to = linesOf(after);
  const changes = changesBetween(equalRuns(from, to), from.length, to.length);
  const hunks = grouped(changes).map((group) => hunkText(from, to, group));
  return [`--- ${names.from}\n`, `+++ ${names.to}\n`, ...hunks].join("");
}

/** Lines with their ends: LF, CRLF and CR each end one. */
const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.split(/(?<=\n|\r(?!\n))/));

function changesBetween(runs: readonly EqualRun[], fromLength: number, toLength: number): readonly Change[] {
  const changes: Change[] = [];
  let fromStart = 0;
  let toStart = 0;
  for (const run of [...runs, { from: fromLength, to: toLength, length: 0 }]) {
    if (run.from > fromStart || run.to > toStart) {
      changes.push({ fromStart, fromEnd: run.from, toStart, toEnd: run.to });
    }
    fromStart = run.from + run.length;
    toStart = run.to + run.length;
  }
  return changes;
}

/** Changes whose context lines touch stand in one hunk. */
function grouped(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && change.fromStart - last.fromEnd <= 2 * CONTEXT)
      group.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkText(from: readonly string[], to: readonly string[], changes: readonly Change[]): string {
  const first = changes[0];
  const last = changes.at(-1);
  if (first === undefined || last === undefined) return "";
  const lead = Math.min(CONTEXT, first.fromStart);
  const tail = Math.min(CONTEXT, from.length - last.fromEnd);
  const fromRange = rangeText(first.fromStart - lead, last.fromEnd + tail);
  const toRange = rangeText(first.toStart - lead, last.toEnd + tail);
  const body: string[] = [];
  let at = first.fromStart - lead;
  for (const { fromStart, fromEnd, toStart, toEnd } of changes) {
    for (; at < fromStart; at++) body.push(lineText(" ", from[at]));
    for (; at < fromEnd; at++) body.push(lineText("-", from[at]));
    for (let added = toStart; added < toEnd; added++) body.push(lineText("+", to[added]));
  }
  for (; at < last.fromEnd + tail; at++) body.push(lineText(" ", from[at]));
  return `@@ -${fromRange} +${toRange} @@\n${body.join("")}`;
}

/** A range as patches write it: the first line's number and, unless it is one, how many. */
function rangeText(start: number, end: number): string {
  const length = end - start;
  if (length === 0) return `${start},0`;
  return length === 1 ? `${start + 1}` : `${start + 1},${length}`;
}

function lineText(mark: string, line = ""): string {
  if (line.endsWith("\n")) return mark + line;
  return line.endsWith("\r") ? `${mark}${line}\n` : `${mark}${line}\n\\ No newline at end of file\n`;
}
