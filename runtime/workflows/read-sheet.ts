import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Understanding, understandSheet } from "../../compiler/compile.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { Place } from "../../compiler/ir.js";
import type { World } from "../../compiler/world.js";
import { type SheetPath, sheetsInFolder } from "./find-sheets.js";
import { MAX_SHEET, type Opened, openSheet } from "./open-sheet.js";
import { WorkflowError } from "./workflow-error.js";

/** A sheet's bytes, or what is known of it when it is too large to be read. */
export type SheetContent =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "too-large"; readonly understanding: Understanding };

/** Reads a sheet's file; throws when it cannot be opened. */
export function readSheetFile(sheet: SheetPath & { readonly path: string }): SheetContent {
  return contentOf(openSheet(sheet.path), sheet);
}

/** What was opened, as a sheet's content. */
export function contentOf(opened: Opened, sheet: SheetPath): SheetContent {
  if (opened.kind === "bytes") return opened;
  if (opened.kind === "too-large")
    return { kind: "too-large", understanding: tooLarge(sheet.shown, opened.size) };
  throw new WorkflowError("sheet_unreadable", `cannot open ${sheet.shown}: ${opened.why}`, {
    help: opened.missing ? otherName(sheet) : null,
  });
}

export interface Reading {
  readonly shown: string;
  readonly encoding: string | null;
  readonly world: World;
}

/** Understands a sheet that was read. */
export function understandContent(content: SheetContent, { shown, encoding, world }: Reading): Understanding {
  if (content.kind === "too-large") return content.understanding;
  const source = { file: shown, bytes: content.bytes, ...(encoding === null ? {} : { encoding }) };
  return understandSheet(source, world);
}

function tooLarge(file: string, size: number | null): Understanding {
  const problems = new Problems(file);
  const what = size === null ? "it goes on past the limit" : `it has ${megabytes(size)}`;
  problems.report("sheet-too-large", { what, limit: megabytes(MAX_SHEET) }, { place: beginningOf(file) });
  return { file, sheet: null, graphs: [], diagnostics: problems.sorted() };
}

/** Where all that concerns a file as a whole stands. */
const beginningOf = (file: string): Place => ({
  file,
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  cell: "A1",
});

const megabytes = (size: number): string => `${Math.ceil(size / (1024 * 1024))} MB`;

/** A sheet of this name one folder below, or else the one of the same folder whose name is nearest. */
function otherName({ path, shown }: SheetPath): string | null {
  if (path === null) return null;
  const folder = dirname(path);
  try {
    const below = foldersIn(folder).map((name) => join(name, basename(path)));
    const known = sheetsInFolder(folder, folder, false).sheets.map((sheet) => sheet.shown);
    const near = below.find((one) => existsSync(join(folder, one))) ?? suggest(basename(path), known);
    return near === null ? null : `did you mean ${join(dirname(shown), near)}?`;
  } catch {
    return null;
  }
}

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
