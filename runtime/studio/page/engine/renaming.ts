import { indexOf } from "../../../../compiler/1-parse/text/page.js";
import type { View } from "../../../../compiler/service/document.js";
import { nameAt, occurrences } from "../../../../compiler/service/names.js";
import { rename } from "../../../../compiler/service/rename.js";
import type { CellPlace, Renamed } from "./messages.js";

/** How many other cells hold the name in a cell. */
export function mentionsOf(view: View, cell: CellPlace): number {
  const offset = offsetOf(view, cell);
  const name = offset === null ? null : nameAt(view, offset);
  if (name === null) return 0;
  return new Set(occurrences(view, name).map((one) => one.cell)).size - 1;
}

/** The text with the name of a cell exchanged wherever it stands. */
export function renamed(view: View, cell: CellPlace, to: string): Renamed {
  const offset = offsetOf(view, cell);
  const found = offset === null ? null : rename(view, offset, to);
  if (found === null || found.kind === "refused") return { why: found?.why ?? "no name stands here" };
  const edits = found.files.find(({ file }) => file === view.file)?.edits ?? [];
  return {
    text: edits.reduceRight(
      (text, { start, end, text: now }) => text.slice(0, start) + now + text.slice(end),
      view.text,
    ),
  };
}

function offsetOf({ sheet }: View, { record, column }: CellPlace): number | null {
  return sheet === null ? null : (indexOf(sheet).recordAt(record)?.cells[column]?.from ?? null);
}
