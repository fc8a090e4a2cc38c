import { accessSync, constants, readFileSync } from "node:fs";
import type { BookPage } from "../../compiler/1-parse/workbook/book-page.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import { cellOfPlace, fileItself } from "../../compiler/diagnostics/worksheet.js";
import { replaceContent } from "../../compiler/files/replace-file.js";
import { unifiedDiff } from "../../compiler/output/diff.js";
import type { FixChoice } from "../../compiler/service/fix-rounds.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { reasonOf } from "../../runtime/workflows/open-file.js";
import type { Context } from "../process/context.js";
import { type FixedSheet, fixSheet, type Understood } from "./fix-sheet.js";
import { fixWorksheet, openBook } from "./fix-worksheet.js";

/** The remaining problems, or that the sheet is left as it is, or that it could not be written. */
type Mended<U> = { readonly understanding: U; readonly text: string } | "left" | "unwritten";

/** What is mended: which fixes, in the files or only shown. */
export interface Mending {
  readonly mode: "write" | "show";
  readonly choice: FixChoice;
}

interface Mendable<U extends Understood> {
  readonly sheet: SheetPath;
  readonly bytes: Uint8Array;
  /** What the bytes were made of, when that is a workbook. */
  readonly book?: BookPage;
  readonly understand: (bytes: Uint8Array, book?: BookPage) => U;
  readonly found?: readonly Diagnostic[];
}

/** More fixes than this are only counted. */
const TOLD = 100;

/** Mends a sheet's file, or shows how it would be mended, and says on stderr what was done. */
export async function mendSheet<U extends Understood>(
  { sheet, ...request }: Mendable<U>,
  { mode, choice }: Mending,
  context: Context,
): Promise<Mended<U>> {
  const { book } = request;
  if (book !== undefined && book.kind !== "worksheet") return "left";
  const file = book === undefined ? null : openBook(sheet, book.worksheet);
  if (file !== null && "refused" in file) {
    context.note(`${sheet.shown} is left as it is: ${file.refused}`);
    return "left";
  }
  const fixed =
    file === null
      ? fixSheet({ ...request, choice, encoding: context.encoding })
      : fixWorksheet({ ...request, ...file, choice });
  if ("refused" in fixed) {
    context.note(`${sheet.shown} is left as it is: ${fixed.refused}`);
    return "left";
  }
  const mended = { understanding: fixed.understanding, text: fixed.after };
  if (fixed.bytes === null) return mended;
  if (mode === "show") {
    await showDifference(sheet.shown, fixed.before, fixed.after, context);
    tellFixes(sheet, fixed, context, "would fix:");
    return mended;
  }
  const trouble = await replaceFile(file?.path ?? sheet.path, file?.bytes ?? request.bytes, fixed.bytes);
  if (trouble !== null) {
    context.fail(`cannot write ${sheet.shown}: ${trouble}`);
    return "unwritten";
  }
  tellFixes(sheet, fixed, context, "fixed:");
  return mended;
}

/** Control characters are escaped on a terminal. A patch needs every byte. */
export async function showDifference(
  shown: string,
  before: string,
  after: string,
  { stdout }: Context,
): Promise<void> {
  const diff = await unifiedDiff(before, after, { from: shown, to: shown });
  stdout.write(stdout.isTerminal() ? diff.replace(/.+/g, visible) : diff);
}

function tellFixes(
  { shown }: SheetPath,
  { applied, converted }: FixedSheet<Understood>,
  { tell }: Context,
  word: string,
): void {
  if (converted !== null) tell(word, `${shown}: write as UTF-8 what is ${converted}`);
  for (const diagnostic of applied.slice(0, TOLD)) tell(word, fixLine(diagnostic));
  if (applied.length > TOLD) tell(word, `${applied.length - TOLD} more in ${shown}`);
}

/** `support.csv:5:38 (F5): write "Answer"`; of an unsafe fix it says so. */
function fixLine({ file, place, fix }: Diagnostic): string {
  if (place?.worksheet !== undefined)
    return `${fileItself(file)} ${cellOfPlace(place)}: ${fix?.title ?? ""}${fix?.safe === false ? " (unsafe)" : ""}`;
  const cell = place?.cell == null ? "" : ` (${place.cell})`;
  const at = place === null ? "" : `:${place.line}:${place.column}${cell}`;
  return `${file}${at}: ${fix?.title ?? ""}${fix?.safe === false ? " (unsafe)" : ""}`;
}

/** Replaces content that is still what was read; else, or when that fails, it returns the reason. */
export async function replaceFile(
  path: string | null,
  before: Uint8Array,
  after: Uint8Array,
): Promise<string | null> {
  if (path === null) return "standard input is no file";
  try {
    accessSync(path, constants.W_OK);
    if (!readFileSync(path).equals(before)) return "it was changed meanwhile; nothing was written";
    await replaceContent(path, after);
    return null;
  } catch (error) {
    return reasonOf(error).why;
  }
}
