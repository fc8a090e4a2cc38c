import { SHEET_WORDS } from "../1-parse/header/column-names.js";
import { type Format, findFormat } from "../1-parse/header/find-header.js";
import { TEST_WORDS } from "../1-parse/test-sheet.js";

/** What a file is to the service: a sheet of workflows, a test sheet, or a file that it says nothing of. */
export type DocumentKind = "sheet" | "tests" | "other";

/** A file that names one of these columns is meant as a sheet, so it is told what it lacks. */
const MEANT = /\b(?:graph|node)_name\b/i;

/** Test sheets are told by their names, as the commands tell them; other files by what their headers name. */
export function kindOf(file: string, text: string): DocumentKind {
  if (/\.test\.csv$/i.test(file)) return "tests";
  const { header, first } = findFormat(text, SHEET_WORDS);
  if (header !== null) return "sheet";
  if (isOfTests(text)) return "tests";
  return first?.cells.some((cell) => cell.length < 5000 && MEANT.test(cell)) ? "sheet" : "other";
}

/** The word "case" alone is a column of many files. */
function isOfTests(text: string): boolean {
  const { header, first }: Format<string> = findFormat(text, TEST_WORDS);
  return header !== null && header === first && header.known > 1;
}
