/** A cell by its row and its column as they are shown. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

export interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** The rows of a screen. */
  readonly page: number;
}

type Move = (at: Cursor, extent: Extent) => Cursor;

const MOVES: { readonly [key: string]: Move } = {
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  PageUp: ({ row, column }, { page }) => ({ row: row - page, column }),
  PageDown: ({ row, column }, { page }) => ({ row: row + page, column }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, { columns }) => ({ row, column: columns - 1 }),
};

const FAR_MOVES: { readonly [key: string]: Move } = {
  ArrowUp: ({ column }) => ({ row: 0, column }),
  ArrowDown: ({ column }, { rows }) => ({ row: rows - 1, column }),
  ArrowLeft: ({ row }) => ({ row, column: 0 }),
  ArrowRight: ({ row }, { columns }) => ({ row, column: columns - 1 }),
  Home: () => ({ row: 0, column: 0 }),
  End: (_, { rows, columns }) => ({ row: rows - 1, column: columns - 1 }),
};

/** Where a key leads in the grid; null for a key that means nothing there. */
export function moved(key: string, isFar: boolean, at: Cursor, extent: Extent): Cursor | null {
  const to = (isFar ? FAR_MOVES : MOVES)[key]?.(at, extent);
  if (to === undefined) return null;
  const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));
  return { row: within(to.row, extent.rows), column: within(to.column, extent.columns) };
}
