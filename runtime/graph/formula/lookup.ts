import type { Tables } from "../contract/contract.js";
import { isMapping } from "../values/values.js";
import { compare, same } from "./compare.js";
import { checkFinite, toNumber } from "./numbers.js";
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
  checkFinite("LOOKUP", value);
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

/** The value beside one that is looked up, in rows that are a part of the graph. */
export function lookupRow<T>(
  rows: readonly (readonly [string | number, T])[],
  table: string,
  value: string | number,
  nearest = false,
): T {
  checkFinite("LOOKUP", value);
  let found: readonly [string | number, T] | undefined;
  for (const row of rows) {
    const [first] = row;
    if (first === "") continue;
    if (nearest ? compare(first, value) > 0 : !same(first, value)) continue;
    found = row;
    if (!nearest) break;
  }
  return found === undefined ? refuse(`${table} has no row for ${shown(value)}`) : found[1];
}

function cellOf(row: unknown, column: string): string {
  const cell: unknown = isMapping(row) && Object.hasOwn(row, column) ? row[column] : "";
  return typeof cell === "string" ? cell : "";
}
