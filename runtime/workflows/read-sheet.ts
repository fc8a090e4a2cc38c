import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { columnNamed, REQUIRED, SHEET_WORDS } from "../../compiler/1-parse/header/column-names.js";
import { findFormat } from "../../compiler/1-parse/header/find-header.js";
import { parseSheet } from "../../compiler/1-parse/sheet.js";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import type { BookPage } from "../../compiler/1-parse/workbook/book-page.js";
import { type Understanding, understandSheet } from "../../compiler/compile.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { foldName, suggest } from "../../compiler/diagnostics/suggest.js";
import type { Sheet } from "../../compiler/ir.js";
import type { World } from "../../compiler/world.js";
import { type SheetPath, sheetsInFolder } from "./find-sheets.js";
import { MAX_SHEET, type Opened } from "./open-file.js";
import { openSheet } from "./workbooks.js";
import { WorkflowError } from "./workflow-error.js";

/** The bytes of a sheet; with `book` they are the text of a page of a workbook. */
export interface SheetBytes {
  readonly kind: "bytes";
  readonly bytes: Uint8Array;
  readonly book?: BookPage;
}

export type SheetContent = SheetBytes | { readonly kind: "too-large"; readonly understanding: Understanding };

export function readSheetFile(sheet: SheetPath & { readonly path: string }): SheetContent {
  return contentOf(openSheet(sheet.path), sheet);
}

export function contentOf(opened: Opened, sheet: SheetPath): SheetContent {
  if (opened.kind === "bytes") return opened;
  if (opened.kind === "too-large")
    return { kind: "too-large", understanding: tooLarge(sheet.shown, opened.size) };
  throw new WorkflowError("sheet_unreadable", `cannot open ${sheet.shown}: ${opened.why}`, {
    help: opened.missing ? otherName(sheet) : null,
  });
}

export interface SheetSource {
  readonly path: string;
  readonly shown: string;
  readonly encoding: string | null;
  /** Reads a file in place of the disk, such as one that is open in an editor. */
  readonly open?: (path: string) => Opened;
}

type Named = Pick<SheetSource, "shown" | "encoding">;

/** What the compiler is given of a sheet. */
export const sourceOf = (
  { shown, encoding }: Named,
  { bytes, book }: Pick<SheetBytes, "bytes" | "book">,
): Parameters<typeof parseSheet>[0] => ({
  file: shown,
  bytes,
  ...(encoding === null ? {} : { encoding }),
  ...(book === undefined ? {} : { book }),
});

export function understandContent(
  content: SheetContent,
  source: Named & { readonly world: World },
): Understanding {
  if (content.kind === "too-large") return content.understanding;
  return understandSheet(sourceOf(source, content), source.world);
}

/** Null when the file cannot be read. */
export function parseFile(source: SheetSource): Sheet | null {
  const opened = openSheet(source.path);
  return opened.kind === "bytes" ? parseBytes(source, opened) : null;
}

const parseBytes = (source: Named, opened: Pick<SheetBytes, "bytes" | "book">): Sheet | null =>
  parseSheet(sourceOf(source, opened), new Problems(source.shown));

/** Runs in linear time. Other CSV tables have no graphs, unless the user named the file as a sheet. */
export function graphNamesIn(source: SheetSource, isNamed: boolean): ReadonlySet<string> {
  return new Set(settingsIn(source, isNamed).keys());
}

/** The names of the settings of each graph, folded. As fast as `graphNamesIn`. */
export function settingsIn(source: SheetSource, isNamed: boolean): ReadonlyMap<string, ReadonlySet<string>> {
  const opened = (source.open ?? openSheet)(source.path);
  if (opened.kind !== "bytes" || (!isNamed && isOtherTable(opened, source.encoding))) return new Map();
  const found = new Map<string, Set<string>>();
  for (const { graph, settings } of parseBytes(source, opened)?.rows ?? []) {
    if (graph.name === "") continue;
    const names = found.get(graph.name) ?? new Set();
    for (const { name } of settings) names.add(foldName(name));
    found.set(graph.name, names);
  }
  return found;
}

/** True when the first row has no required column and no later row looks like a header. A bad workbook is reported. */
export function isOtherTable(
  { bytes, book }: Pick<SheetBytes, "bytes" | "book">,
  encoding: string | null,
): boolean {
  if (book !== undefined && book.kind !== "worksheet") return book.kind === "none";
  const { text } = decode(bytes, encoding ?? undefined);
  const { first, header } = findFormat(text, SHEET_WORDS);
  if (header !== null) return false;
  const columns = (first?.cells ?? []).map(columnNamed);
  return !REQUIRED.some((required) => columns.includes(required));
}

export function errorsOf({ diagnostics }: Understanding, graph: string | null): readonly Diagnostic[] {
  return diagnostics.filter((one) => one.severity === "error" && (one.graph === null || one.graph === graph));
}

function tooLarge(file: string, size: number | null): Understanding {
  const problems = new Problems(file);
  const what = size === null ? "it goes on past the limit" : `it has ${megabytes(size)}`;
  const place = { file, line: 1, column: 1, endLine: 1, endColumn: 1, cell: "A1" };
  problems.report("sheet-too-large", { what, limit: megabytes(MAX_SHEET) }, { place });
  return { file, sheet: null, graphs: [], diagnostics: problems.sorted() };
}

const megabytes = (size: number): string => `${Math.ceil(size / (1024 * 1024))} MB`;

/** Suggests the same name in a subfolder, else the most similar name in the folder. */
function otherName({ path, shown }: SheetPath): string | null {
  if (path === null) return null;
  const folder = dirname(path);
  try {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const below = folders.map(({ name }) => join(name, basename(path)));
    const known = sheetsInFolder(folder, folder, false).sheets.map((sheet) => sheet.shown);
    const near = below.find((one) => existsSync(join(folder, one))) ?? suggest(basename(path), known);
    return near === null ? null : `did you mean ${join(dirname(shown), near)}?`;
  } catch {
    return null;
  }
}
