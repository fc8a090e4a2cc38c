import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { decode } from "../../../compiler/1-parse/text/encoding.js";
import { cellText, scanRecord, skipLineEnd } from "../../../compiler/1-parse/text/scan.js";
import { wayInside } from "../../../compiler/files/inside.js";
import type { Delimiter, FoundTable, TableRow } from "../../../compiler/ir.js";
import { messageOf } from "../../graph/contract/errors.js";
import { faultOf, isEmpty, styleOf } from "../../storage/csv-rows.js";
import { isAllowed, parseFileName } from "../../storage/file-name.js";

const MOST_BYTES = 10_000_000;

/** Reads tables of the data folder for formulas, each once. A run reads them again. */
export function createTableReader(folder: string): (name: string) => FoundTable {
  const known = new Map<string, FoundTable>();
  return (name) => {
    const found = known.get(name) ?? readTable(folder, name);
    known.set(name, found);
    return found;
  };
}

/** Where a table of the data folder stands, whether it is there or not; null for a name that no file can have. */
export function tableFile(folder: string, name: string): string | null {
  try {
    return join(folder, ...parseFileName(name, ".csv"));
  } catch {
    return null;
  }
}

function readTable(folder: string, name: string): FoundTable {
  try {
    return readText(folder, parseFileName(name, ".csv"));
  } catch (thrown) {
    const { code } = thrown as { readonly code?: unknown };
    return { missing: code === "ENOENT" ? "there is no such file" : messageOf(thrown) };
  }
}

function readText(folder: string, parts: readonly string[]): FoundTable {
  const real = realpathSync(join(folder, ...parts));
  const way = wayInside(realpathSync(folder), real);
  if (way === null || !isAllowed(way.split(sep))) return { missing: "it leads out of the data folder" };
  const { size } = statSync(real);
  if (size > MOST_BYTES) return { missing: "it is larger than 10 MB" };
  const { text, fault } = decode(readFileSync(real));
  if (fault !== null) return { missing: "it is not in UTF-8" };
  const { delimiter, preamble } = styleOf(text);
  const rows = rowsIn(preamble === "" ? text : text.slice(skipLineEnd(text, preamble.length)), delimiter);
  return rows === null ? { missing: "its quotes are out of place" } : { rows, isWorksheet: false };
}

/** The rows of a text that are not empty; null where a quote is out of place. */
export function rowsIn(text: string, delimiter: Delimiter): readonly TableRow[] | null {
  const rows: TableRow[] = [];
  for (let at = 0, number = 1; at < text.length; number++) {
    const scan = scanRecord(text, at, delimiter);
    if (faultOf(scan) !== null) return null;
    if (!isEmpty(scan)) rows.push({ cells: scan.cells.map((cell) => cellText(text, cell)), number });
    at = scan.next;
  }
  return rows;
}
