import { worksheetNamed } from "../../compiler/diagnostics/worksheet.js";
import type { World } from "../../compiler/world.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import {
  contentsOf,
  filePathOf,
  isWorksheetPath,
  worksheetsBeside,
} from "../../runtime/workflows/workbooks.js";

/** Finds the worksheets that nothing reads: they are no sheets, and no table of a formula. */
export function createWorksheetWatch() {
  const asked = new Set<string>();
  return {
    /** The same world, which remembers the tables that formulas ask for. */
    watched: (sheet: SheetPath, world: World): World => {
      const { table } = world;
      const file = bookOf(sheet);
      if (file === null || table === undefined) return world;
      return {
        ...world,
        table: (name) => {
          asked.add(keyOf(file, name.trim()));
          return table(name);
        },
      };
    },
    /** A line for each workbook that has such worksheets. */
    passedOver: (sheets: readonly SheetPath[]): readonly string[] => {
      const books = new Map(sheets.map((sheet) => [bookOf(sheet), sheet.shown]));
      return [...books].flatMap(([file, shown]) => {
        const names = file === null ? [] : unreadIn(file, (name) => asked.has(keyOf(file, name)));
        return names.length === 0 ? [] : [lineFor(worksheetNamed(shown)?.book ?? shown, names)];
      });
    },
  };
}

const bookOf = ({ path }: SheetPath): string | null =>
  path !== null && isWorksheetPath(path) ? filePathOf(path) : null;

const keyOf = (file: string, name: string): string => `${file}!${name.toLowerCase()}`;

/** Where no worksheet is a sheet, the error names those that were looked at. */
function unreadIn(file: string, isTable: (name: string) => boolean): readonly string[] {
  const contents = contentsOf(file);
  const others = contents?.flows.length ? contents.others.filter((name) => !isTable(name)) : [];
  if (others.length === 0) return [];
  const filled = worksheetsBeside(file).filter(({ page }) => /[^\s,"]/.test(page));
  return others.filter((name) => filled.some((one) => one.name === name));
}

function lineFor(book: string, names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  const what = names.length === 1 ? "the worksheet" : "the worksheets";
  return `passed over ${what} ${shown}${more} of ${book}: no columns graph_name and node_name`;
}
