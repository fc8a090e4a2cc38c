import { suggest } from "../../../compiler/diagnostics/suggest.js";
import type { FoundTable, TableRow } from "../../../compiler/ir.js";
import { worksheetsBeside } from "../workbooks.js";
import { createTableReader, rowsIn, tableFile } from "./table-files.js";

type Tables = (name: string) => FoundTable;

/** The tables of formulas: the worksheets beside a sheet, then the files of the data folder. Each is read once. */
export function createTables(folder: string) {
  const fileNamed = createTableReader(folder);
  const files = new Set<string>();
  return {
    around,
    /** The files that were asked for, whether they are there or not. */
    files: (): ReadonlySet<string> => files,
  };

  function around(path: string | null): Tables {
    const known = new Map<string, FoundTable>();
    return (name) => {
      const found = known.get(name) ?? tableNamed(name);
      known.set(name, found);
      return found;
    };

    function tableNamed(name: string): FoundTable {
      const own = path === null ? null : worksheetTable(path, name);
      const file = own === null ? tableFile(folder, name) : null;
      if (file !== null) files.add(file);
      const found = own ?? fileNamed(name);
      if (!("missing" in found)) return found;
      if (path !== null) return nearWorksheet(path, name, found);
      return /\.csv$/i.test(name) ? found : { missing: `${found.missing}; ${NO_BOOK}` };
    }
  }
}

/** What comes on standard input is one sheet. */
const NO_BOOK = "worksheets beside it are found when the file itself is given";

/** Null for a sheet that stands in no workbook, or beside no such worksheet. Excel takes capitals and small letters for alike, too. */
function worksheetTable(path: string, name: string): FoundTable | null {
  const found = worksheetsBeside(path).find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  if (found === undefined) return null;
  if (found.hidden) return { missing: "the worksheet is hidden" };
  if (found.excess !== null) return { missing: found.excess.what };
  const [valueless] = found.valueless;
  if (valueless !== undefined)
    return { missing: `the formula in its cell ${valueless} has no value: open and save it in Excel` };
  const rows = rowsIn(found.page, ",") ?? [];
  return { rows: withoutTitle(rows), isWorksheet: true };
}

/** A title above a table is alone in its row, and a table may begin at any column. */
function withoutTitle(rows: readonly TableRow[]): readonly TableRow[] {
  const filled = (row: TableRow): number => row.cells.filter((cell) => cell.trim() !== "").length;
  const at = rows.findIndex((row) => filled(row) > 1);
  const table = rows.slice(Math.max(at, 0));
  const first = table[0]?.cells.findIndex((cell) => cell.trim() !== "") ?? 0;
  return first <= 0 ? table : table.map(({ cells, number }) => ({ cells: cells.slice(first), number }));
}

function nearWorksheet(
  path: string,
  name: string,
  found: Extract<FoundTable, { missing: string }>,
): FoundTable {
  const others = worksheetsBeside(path).filter(({ hidden }) => !hidden);
  const meant = suggest(
    name,
    others.map((one) => one.name),
  );
  return meant === null || meant === name ? found : { ...found, meant };
}
