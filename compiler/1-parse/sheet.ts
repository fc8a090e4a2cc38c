import type { Problems } from "../diagnostics/collect.js";
import type { Sheet } from "../ir.js";
import { SHEET_WORDS } from "./header/column-names.js";
import { type Header, parseHeader } from "./header/header.js";
import { readRows, reportFaults } from "./rows/rows.js";
import { type SheetSource, textOf } from "./text/file-text.js";
import { openPage, type PageSource, reportEmpty } from "./text/open-page.js";
import { shareIndex } from "./text/page.js";

/** A sheet, and what it takes to read one of its records again. */
export interface SheetReading {
  readonly sheet: Sheet;
  readonly header: Header;
  /** Records of which the text behind them decides how they are cut, in order. */
  readonly unsure: readonly number[];
}

/** Reads a sheet: text to rows, every cell understood on its own. Null when the file is no sheet. Linear. */
export function readSheet(source: PageSource, problems: Problems): SheetReading | null {
  const opened = openPage(source, SHEET_WORDS, problems);
  if (opened === null) return null;
  const { page, format, outline } = opened;
  const header = parseHeader(page, format, problems);
  const rows = header === null ? [] : readRows({ page, header, outline, problems });
  if (header !== null && rows.length > 0) {
    const sheet: Sheet = { ...page, headerRecord: header.record, header: header.cells, rows };
    shareIndex(page, sheet);
    return { sheet, header, unsure: outline.unsure };
  }
  if (header === null) reportFaults({ page, problems }, outline.faults, null, null);
  reportEmpty(opened, "one row for each node", problems);
  return null;
}

export function parseSheet(source: SheetSource, problems: Problems): Sheet | null {
  const text = textOf(source, problems);
  return text === null ? null : (readSheet(text, problems)?.sheet ?? null);
}
