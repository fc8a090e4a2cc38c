import { accessSync, constants, readFileSync } from "node:fs";
import type { Understanding } from "../../compiler/compile.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import { replaceContent } from "../../compiler/files/replace-file.js";
import { unifiedDiff } from "../../compiler/output/diff.js";
import type { World } from "../../compiler/world.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { reasonOf } from "../../runtime/workflows/open-sheet.js";
import type { Context } from "../process/context.js";
import { type FixedSheet, fixSheet } from "./fix-sheet.js";

/** The remaining problems, or that the sheet is left as it is, or that it could not be written. */
type Mended = { readonly understanding: Understanding; readonly text: string } | "left" | "unwritten";

/** More fixes than this are only counted. */
const TOLD = 100;

/** Mends a sheet's file, or shows how it would be mended, and says on stderr what was done. */
export async function mendSheet(
  sheet: SheetPath,
  bytes: Uint8Array,
  world: World,
  mode: "write" | "show",
  context: Context,
  found: readonly Diagnostic[] = [],
): Promise<Mended> {
  const fixed = fixSheet({ file: sheet.shown, bytes, encoding: context.encoding, world, found });
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
  const trouble = await replaceFile(sheet.path, bytes, fixed.bytes);
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
  { applied, converted }: FixedSheet,
  { tell }: Context,
  word: string,
): void {
  if (converted !== null) tell(word, `${shown}: write as UTF-8 what is ${converted}`);
  for (const diagnostic of applied.slice(0, TOLD)) tell(word, fixLine(diagnostic));
  if (applied.length > TOLD) tell(word, `${applied.length - TOLD} more in ${shown}`);
}

/** `support.csv:5:38 (F5): write "Answer"`. */
function fixLine({ file, place, fix }: Diagnostic): string {
  const cell = place?.cell == null ? "" : ` (${place.cell})`;
  const at = place === null ? "" : `:${place.line}:${place.column}${cell}`;
  return `${file}${at}: ${fix?.title ?? ""}`;
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
