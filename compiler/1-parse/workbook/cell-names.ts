import { bad } from "./refusal.js";

export interface CellAt {
  /** Both count from 0. */
  readonly row: number;
  readonly column: number;
}

/** A rectangle of cells; the last row and column belong to it. */
export interface CellRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

const NAME = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/;

/** The cell that a name such as `F5` means. */
export function cellNamed(name: string): CellAt {
  const [, letters, digits] = NAME.exec(name) ?? [];
  if (letters === undefined || digits === undefined || Number(digits) === 0)
    throw bad(`${JSON.stringify(name.slice(0, 40))} is no name of a cell`);
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits) - 1, column: column - 1 };
}

export function rangeNamed(name: string): CellRange {
  const [from = "", to = from] = name.split(":");
  const first = cellNamed(from);
  const last = cellNamed(to);
  return {
    top: Math.min(first.row, last.row),
    left: Math.min(first.column, last.column),
    bottom: Math.max(first.row, last.row),
    right: Math.max(first.column, last.column),
  };
}
