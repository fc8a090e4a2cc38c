import { basename } from "node:path";
import type { WriteSheet } from "hucre/xlsx";
import { indexOf } from "../../compiler/1-parse/text/page.js";
import { cellText } from "../../compiler/1-parse/text/scan.js";
import { isSkipped } from "../../compiler/1-parse/text/skipped-rows.js";
import { escapedText } from "../../compiler/1-parse/workbook/write-cells.js";
import type { Page } from "../../compiler/ir.js";

/** A worksheet to be written: its rows are texts. */
export interface NewSheet {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

/** The rows of a sheet of text, skipped ones too, so that each keeps its number. */
export function rowsOf(page: Page): readonly (readonly string[])[] {
  const { records, recordAt } = indexOf(page);
  return records.map((_, record) => (recordAt(record)?.cells ?? []).map((cell) => cellText(page.text, cell)));
}

const LONGEST_NAME = 31;

/** A name that a worksheet may have, from the name of a file. */
export function worksheetName(file: string): string {
  const name = basename(file)
    .replace(/(?:\.test)?\.csv$/i, "")
    .replace(/[[\]:*?/\\]/g, "_")
    .replace(/^'+|'+$/g, "")
    .slice(0, LONGEST_NAME);
  return name === "" ? "Sheet" : name;
}

/** A workbook of these worksheets; the header of each stays in view. */
export async function newBook(sheets: readonly NewSheet[]): Promise<Uint8Array> {
  const { writeXlsx } = await import("hucre/xlsx");
  return writeXlsx({ sheets: sheets.map(sheetOf) });
}

function sheetOf({ name, rows }: NewSheet): WriteSheet {
  const header = Math.max(
    0,
    rows.findIndex((cells) => !isSkipped(cells)),
  );
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  const columns = Array.from({ length: width }, (_, column) => ({ width: widthOf(rows, column) }));
  const cells = new Map(
    (rows[header] ?? []).map((_, column) => [`${header},${column}`, { style: { font: { bold: true } } }]),
  );
  return {
    name,
    rows: rows.map((row) => row.map((text) => (text === "" ? null : escapedText(text)))),
    columns,
    cells,
    freezePane: { rows: header + 1 },
  };
}

/** As wide as its longest word or short text, within what can be read. */
function widthOf(rows: readonly (readonly string[])[], column: number): number {
  const longest = rows
    .slice(0, 200)
    .reduce(
      (most, cells) => Math.max(most, ...(cells[column] ?? "").split("\n").map((line) => line.length)),
      0,
    );
  return Math.min(60, Math.max(10, longest + 2));
}
