import { SHEET_WORDS } from "../../compiler/1-parse/header/column-names.js";
import { indexOf } from "../../compiler/1-parse/text/page.js";
import { cellName } from "../../compiler/1-parse/text/places.js";
import { cellText } from "../../compiler/1-parse/text/scan.js";
import type { BookPage } from "../../compiler/1-parse/workbook/book-page.js";
import { preparedText } from "../../compiler/1-parse/workbook/book-page.js";
import { Refusal } from "../../compiler/1-parse/workbook/refusal.js";
import type { Worksheet } from "../../compiler/1-parse/workbook/worksheet.js";
import { type CellEdit, writeCells } from "../../compiler/1-parse/workbook/write-cells.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import type { Page } from "../../compiler/ir.js";
import { type FixChoice, fixInRounds } from "../../compiler/service/fix-rounds.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { openFile } from "../../runtime/workflows/open-file.js";
import { filePathOf } from "../../runtime/workflows/workbooks.js";
import type { FixedSheet, Understood } from "./fix-sheet.js";

interface OpenedBook {
  readonly path: string;
  /** The workbook's own bytes. */
  readonly bytes: Uint8Array;
  readonly worksheet: Worksheet;
}

/** The file of a workbook, or why its cells are not written. */
export function openBook(
  { path }: SheetPath,
  worksheet: Worksheet,
): OpenedBook | { readonly refused: string } {
  if (path === null) return { refused: "standard input is no file" };
  const file = filePathOf(path);
  const opened = openFile(file);
  if (opened.kind !== "bytes") return { refused: "it cannot be read any more" };
  return { path: file, bytes: opened.bytes, worksheet };
}

interface FixRequest<U extends Understood> extends OpenedBook {
  readonly understand: (bytes: Uint8Array, book?: BookPage) => U;
  readonly choice: FixChoice;
  readonly found?: readonly Diagnostic[];
}

/** Applies the chosen fixes to a worksheet. Only cells that change are written, and none that holds a formula. */
export function fixWorksheet<U extends Understood>({
  bytes,
  worksheet,
  understand,
  choice,
  found,
}: FixRequest<U>): FixedSheet<U> | { readonly refused: string } {
  const before = preparedText(worksheet, SHEET_WORDS);
  if (before === null) return { refused: "it is too large" };
  const read = (page: string): U =>
    understand(Buffer.from(`\ufeff${page}`), { kind: "worksheet", worksheet: pageAlone(worksheet, page) });
  const { text, understanding, applied } = fixInRounds(before, read, choice, { ...(found && { found }) });
  const written = writtenCells(bytes, worksheet, before, text);
  if ("refused" in written) return written;
  return {
    understanding: understanding(),
    before,
    after: text,
    bytes: written.bytes,
    applied,
    converted: null,
  };
}

/** The workbook with another text of a worksheet's page, null when no cell changes; or why it cannot be written. */
export function writtenCells(
  bytes: Uint8Array,
  worksheet: Worksheet,
  before: string,
  after: string,
): { readonly bytes: Uint8Array | null } | { readonly refused: string } {
  const edits = changedCells(worksheet, before, after);
  try {
    return { bytes: edits.length > 0 ? writeCells(bytes, edits) : null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: error.message };
  }
}

/** The merges and formulas are in the text already. */
const pageAlone = (worksheet: Worksheet, page: string): Worksheet => ({
  ...worksheet,
  page,
  merges: [],
});

function changedCells(
  { part, name, formulas }: Worksheet,
  before: string,
  after: string,
): readonly CellEdit[] {
  const [was, is] = [before, after].map(pageOf) as [Page, Page];
  const edits: CellEdit[] = [];
  const rows = Math.max(indexOf(was).records.length, indexOf(is).records.length);
  for (let row = 0; row < rows; row++) {
    const [old, now] = [cellsOf(was, row), cellsOf(is, row)];
    for (let column = 0; column < Math.max(old.length, now.length); column++) {
      const text = now[column] ?? "";
      if (text === (old[column] ?? "") || formulas.has(cellName(column, row))) continue;
      edits.push({ part, worksheet: name, row, column, text });
    }
  }
  return edits;
}

const pageOf = (text: string): Page => ({ file: "", text, delimiter: ",", start: 0 });

const cellsOf = (page: Page, record: number): readonly string[] =>
  (indexOf(page).recordAt(record)?.cells ?? []).map((cell) => cellText(page.text, cell));
