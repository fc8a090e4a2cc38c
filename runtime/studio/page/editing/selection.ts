import { signal } from "@preact/signals";
import type { Column, TableRow } from "../engine/messages.js";
import type { ChosenCell } from "../state.js";
import { chosen } from "../state.js";

/** Where a range of cells began; null while one cell is chosen. */
export const anchor = signal<ChosenCell | null>(null);

/** The grid as it is shown. */
export interface Shown {
  readonly rows: readonly TableRow[];
  readonly columns: readonly Column[];
}

/** A block of cells, by their places as they are shown; both ends belong to it. */
export interface Block {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The cells that are chosen; null for none. */
export function chosenBlock({ rows, columns }: Shown): Block | null {
  const place = ({ record, column }: ChosenCell) => ({
    row: rows.findIndex((one) => one.record === record),
    column: Math.max(
      0,
      columns.findIndex(({ index }) => index === column),
    ),
  });
  const [end, begin] = [chosen.value, anchor.value ?? chosen.value];
  if (end === null || begin === null) return null;
  const [one, other] = [place(end), place(begin)];
  if (one.row < 0 || other.row < 0) return null;
  return {
    top: Math.min(one.row, other.row),
    bottom: Math.max(one.row, other.row),
    left: Math.min(one.column, other.column),
    right: Math.max(one.column, other.column),
  };
}

export const holds = ({ top, bottom }: Block, row: number): boolean => top <= row && row <= bottom;
