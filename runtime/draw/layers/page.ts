import type { Figure } from "../svg/diagram.js";

/** The room between two rows, in which ways bend. */
export const GAP = 28;
/** About what a box takes with the space beside it. */
const BOX_WIDTH = 210;
/** About what a column takes for lanes and labels. */
const BESIDE = 200;
const LABEL_ROW = 18 + GAP;

/** The most of a picture's rows and columns before they are folded. */
export interface Paper {
  /** Figures in a row. */
  readonly wide: number;
  /** Pixels of a column. */
  readonly high: number;
}

/** Figures in rows, and rows in columns, as words are in lines and lines in columns. */
export interface Page {
  readonly rows: readonly (readonly number[])[];
  /** The row of each figure, and the column of each row. */
  readonly rowOf: Int32Array;
  readonly columnOf: Int32Array;
}

/** Paper on which a graph is about as wide as it is high. */
export function paperFor(figures: readonly Figure[], ranks: readonly (readonly number[])[]): Paper {
  const wide = Math.max(12, Math.ceil(Math.sqrt(figures.length / 2)));
  const area = ranks.reduce((sum, rank) => {
    const columns = Math.min(rank.length, wide);
    return sum + Math.ceil(rank.length / wide) * heightOf(rank, figures) * (columns * BOX_WIDTH + BESIDE);
  }, 0);
  return { wide, high: Math.max(1600, Math.sqrt(area)) };
}

/** Folds wide ranks into several rows, and long columns of rows into several columns. Linear. */
export function fold(
  figures: readonly Figure[],
  ranks: readonly (readonly number[])[],
  { wide, high }: Paper,
): Page {
  const rows = ranks.flatMap((rank) => evenly(rank, Math.ceil(rank.length / wide)));
  const rowOf = new Int32Array(figures.length);
  for (const [i, row] of rows.entries()) for (const v of row) rowOf[v] = i;
  const heights = rows.map((row) => heightOf(row, figures));
  const whole = heights.reduce((sum, height) => sum + height, 0);
  const each = whole / Math.ceil(whole / high);
  let [above, column] = [0, 0];
  const columnOf = Int32Array.from(heights, (height) => {
    if (above + height / 2 >= each * (column + 1)) column++;
    above += height;
    return column;
  });
  return { rows, rowOf, columnOf };
}

const heightOf = (row: readonly number[], figures: readonly Figure[]): number =>
  row.reduce((most, v) => Math.max(most, figures[v]?.height ?? 0), 0) + GAP + LABEL_ROW / 2;

function evenly(rank: readonly number[], count: number): readonly (readonly number[])[] {
  const at = (i: number): number => Math.round((rank.length * i) / count);
  return Array.from({ length: count }, (_, i) => rank.slice(at(i), at(i + 1)));
}
