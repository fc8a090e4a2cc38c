import type { StructuredPatchHunk } from "diff";

/** The number of unchanged lines around a change. */
const CONTEXT = 3;
/** A text with more edits is shown as rewritten: the time of the search grows with their square. */
const MAX_EDITS = 2500;
const NO_END = "\\ No newline at end of file";

/** Empty when both texts are equal. */
export async function unifiedDiff(
  before: string,
  after: string,
  names: { readonly from: string; readonly to: string },
): Promise<string> {
  if (before === after) return "";
  const { structuredPatch } = await import("diff");
  const [from, to] = [withLineFeeds(before), withLineFeeds(after)];
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS };
  const { hunks } = structuredPatch("", "", from, to, "", "", options) ?? { hunks: [rewritten(from, to)] };
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${rangeText(oldStart, oldLines)} +${rangeText(newStart, newLines)} @@`,
    ...lines,
  ]);
  return [`--- ${names.from}`, `+++ ${names.to}`, ...lines, ""].join("\n");
}

/** A carriage return alone ends a line, too. */
const withLineFeeds = (text: string): string => text.replace(/\r(?!\n)/g, "\r\n");

function rewritten(from: string, to: string): StructuredPatchHunk {
  const [removed, added] = [from, to].map((text) => text.split(/(?<=\n)/).filter((line) => line !== ""));
  const marked = (mark: string, lines: readonly string[] = []): readonly string[] =>
    lines.flatMap((line) => (line.endsWith("\n") ? mark + line.slice(0, -1) : [mark + line, NO_END]));
  return {
    oldStart: 1,
    oldLines: removed?.length ?? 0,
    newStart: 1,
    newLines: added?.length ?? 0,
    lines: [...marked("-", removed), ...marked("+", added)],
  };
}

/** Patches write the number of the first line, and the number of lines unless it is 1. */
function rangeText(start: number, length: number): string {
  if (length === 0) return `${start - 1},0`;
  return length === 1 ? `${start}` : `${start},${length}`;
}
