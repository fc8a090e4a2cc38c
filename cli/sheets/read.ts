import { dirname, join } from "node:path";
import type { Understanding } from "../../compiler/compile.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { Context } from "../context.js";
import { type SheetPath, sheetsInFolder } from "./collect.js";
import { MAX_SHEET, type Opened, openSheet, readInput } from "./open.js";

/** A sheet's bytes; what is known when it is too large to be read; or null when it could not be opened. */
export type SheetContent =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "too-large"; readonly understanding: Understanding };

/** Reads a sheet's file or standard input, and says why when that cannot be done. */
export async function readSheet(sheet: SheetPath, context: Context): Promise<SheetContent | null> {
  const opened = sheet.path === null ? await readStandardInput(context) : openSheet(sheet.path);
  if (opened.kind === "bytes") return opened;
  if (opened.kind === "too-large")
    return { kind: "too-large", understanding: tooLarge(sheet.shown, opened.size) };
  context.fail(`cannot open ${sheet.shown}: ${opened.why}`, opened.missing ? otherName(sheet) : null);
  return null;
}

async function readStandardInput(context: Context): Promise<Opened> {
  if (context.stdin.isTerminal()) context.note("reading the sheet from the terminal; Ctrl-D ends it");
  return readInput(context.stdin);
}

function tooLarge(file: string, size: number | null): Understanding {
  const problems = new Problems(file);
  const what = size === null ? "it goes on past the limit" : `it has ${megabytes(size)}`;
  problems.report("sheet-too-large", { what, limit: megabytes(MAX_SHEET) }, { place: null });
  return { file, sheet: null, graphs: [], diagnostics: problems.sorted() };
}

const megabytes = (size: number): string => `${Math.ceil(size / (1024 * 1024))} MB`;

/** The sheet of the same folder whose name is nearest to one that is not there. */
function otherName({ path, shown }: SheetPath): string | null {
  if (path === null) return null;
  const folder = dirname(path);
  try {
    const known = sheetsInFolder(folder, folder, false).sheets.map((sheet) => sheet.shown);
    const near = suggest(shown.slice(shown.lastIndexOf("/") + 1), known);
    return near === null ? null : `did you mean ${join(dirname(shown), near)}?`;
  } catch {
    return null;
  }
}
