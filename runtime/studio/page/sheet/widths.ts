import type { Column, TableRow } from "../engine/messages.js";

const LETTER = 7.6;
/** Names of nodes are bold. */
const BOLD_LETTER = 8.6;
const LEAST = 84;
const MOST = 280;
/** So many rows are looked at. */
const LOOKED_AT = 200;

/** How wide each column is shown, by the texts in it. */
export function widthsOf(columns: readonly Column[], rows: readonly TableRow[]): readonly number[] {
  const some = rows.filter(({ node }) => node !== null).slice(0, LOOKED_AT);
  return columns.map(({ index, name, isNode }) => {
    const longest = some.reduce(
      (most, { cells }) => Math.max(most, cells[index]?.length ?? 0),
      name.length + 1,
    );
    return Math.round(Math.min(MOST, Math.max(LEAST, longest * (isNode ? BOLD_LETTER : LETTER) + 22)));
  });
}
