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

interface MendRequest {
  readonly sheet: SheetPath;
  readonly bytes: Uint8Array;
  readonly world: World;
  readonly mode: "write" | "show";
  /** Diagnostics that come from elsewhere, such as the type check. */
  readonly found?: readonly Diagnostic[];
}

/** The remaining problems, or the reason why the sheet cannot be fixed. */
export type Mended =
  | { readonly kind: "mended"; readonly understanding: Understanding; readonly text: string }
  | { readonly kind: "left" | "unwritten" };

/** More fixes than this are only counted. */
const TOLD = 100;

/** Mends a sheet's file, or shows how it would be mended, and says on stderr what was done. */
export async function mendSheet(request: MendRequest, context: Context): Promise<Mended> {
  const { sheet, bytes, world, mode, found = [] } = request;
  const fixed = fixSheet({ file: sheet.shown, bytes, encoding: context.encoding, world, found });
  if ("refused" in fixed) {
    context.note(`${sheet.shown} is left as it is: ${fixed.refused}`);
    return { kind: "left" };
  }
  const mended: Mended = { kind: "mended", understanding: fixed.understanding, text: fixed.after };
  if (fixed.bytes === null) return mended;
  if (mode === "show") {
    await showDifference(sheet, fixed, context);
    tellFixes(sheet, fixed, context, "would fix:");
    return mended;
  }
  const trouble = await replaceFile(sheet.path, bytes, fixed.bytes);
  if (trouble !== null) {
    context.fail(`cannot write ${sheet.shown}: ${trouble}`);
    return { kind: "unwritten" };
  }
  tellFixes(sheet, fixed, context, "fixed:");
  return mended;
}

async function showDifference(
  { shown }: SheetPath,
  { before, after }: FixedSheet,
  { stdout }: Context,
): Promise<void> {
  const diff = await unifiedDiff(before, after, { from: shown, to: shown });
  // Control characters are escaped on a terminal. A patch needs every byte.
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
  const at =
    place === null ? "" : `:${place.line}:${place.column}${place.cell === null ? "" : ` (${place.cell})`}`;
  return `${file}${at}: ${fix?.title ?? ""}`;
}

/** Does not write when the file has changed since it was read. Returns the reason. */
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
