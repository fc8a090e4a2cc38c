import { isBlank } from "./white-space.js";

/** True for a record that is no row: a comment (`# ` or `//` begins its first cell), or nothing but empty cells. */
export function isSkipped(cells: readonly string[]): boolean {
  return isComment(cells[0] ?? "") || cells.every(isBlank);
}

export function isComment(first: string): boolean {
  return first.startsWith("# ") || first.startsWith("//");
}
