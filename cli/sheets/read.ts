import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { openSheet, readPieces } from "../../runtime/workflows/open-sheet.js";
import { contentOf, type SheetContent } from "../../runtime/workflows/read-sheet.js";
import { WorkflowError } from "../../runtime/workflows/workflow-error.js";
import type { Context } from "../process/context.js";

/** Reads a sheet's file or standard input; null when that cannot be done, which has been said. */
export async function readSheet(sheet: SheetPath, context: Context): Promise<SheetContent | null> {
  try {
    return await readContent(sheet, context);
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    context.fail(error.message, error.help);
    return null;
  }
}

/** Reads a sheet's file or standard input; throws when that cannot be done. */
export async function readContent(sheet: SheetPath, { stdin, note }: Context): Promise<SheetContent> {
  if (sheet.path !== null) return contentOf(openSheet(sheet.path), sheet);
  if (stdin.isTerminal()) note("reading the sheet from the terminal; Ctrl-D ends it");
  return contentOf(await readPieces(stdin.chunks()), sheet);
}
