import type { Tables } from "../contract/contract.js";
import { isMapping } from "../values/values.js";
import { compare, same } from "./compare.js";
import { toNumber } from "./numbers.js";
import { refuse, shown } from "./refuse.js";

/** Which row is meant, and which cell of it. */
interface Wanted {
  /** The name of the first column. */
  readonly key: string;
  readonly column: string;
  /** The last row that is not greater, where rows ascend. */
  readonly nearest?: boolean;
}

/** The text of a cell of a table: of the row whose first cell is a value, or of the last one that is not greater. */
export function lookup(
  tables: Tables,
  file: string,
  value: string | number,
  { key, column, nearest = false }: Wanted,
): string {
  const table = tables[file];
  const rows = Array.isArray(table) ? table : refuse(`${file} is no table`);
  let found: unknown;
  for (const row of rows as readonly unknown[]) {
    const cell = cellOf(row, key);
    if (cell === "") continue;
    const first = typeof value === "number" ? toNumber(cell) : cell;
    if (nearest ? compare(first, value) > 0 : !same(first, value)) continue;
    found = row;
    if (!nearest) break;
  }
  if (found === undefined) return refuse(`${file} has no row for ${shown(value)}`);
  return cellOf(found, column);
}

function cellOf(row: unknown, column: string): string {
  const cell: unknown = isMapping(row) && Object.hasOwn(row, column) ? row[column] : "";
  return typeof cell === "string" ? cell : "";
}
