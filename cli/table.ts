import { columnsOf } from "../compiler/diagnostics/layout.js";

/** Rows with their cells one below the other. Every cell stands left in its column, or all but the first stand right. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  { gap = "  ", numbers = false }: { readonly gap?: string; readonly numbers?: boolean } = {},
): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => columnsOf(row[at] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, at) => {
        const space = " ".repeat((widths[at] ?? 0) - columnsOf(cell));
        return numbers && at > 0 ? space + cell : cell + space;
      })
      .join(gap)
      .trimEnd(),
  );
}
