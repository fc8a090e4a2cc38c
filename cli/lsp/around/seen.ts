import { pathToFileURL } from "node:url";
import { TextDocument } from "vscode-languageserver-textdocument";
import { decode } from "../../../compiler/1-parse/text/encoding.js";
import { SheetDocument, type View } from "../../../compiler/service/document.js";
import { isTestSheet, spelledFile } from "../../../runtime/workflows/find-sheets.js";
import { isWorksheetPath, openSheet } from "../../../runtime/workflows/workbooks.js";
import type { Desk } from "../open/desk.js";
import type { OpenFile } from "../open/open-file.js";
import { isOutside } from "./outside.js";

/** A sheet as it is now, in the editor or on the disk. */
export interface Seen {
  readonly uri: string;
  readonly path: string | null;
  /** Null when it is not open. */
  readonly version: number | null;
  readonly document: TextDocument;
  readonly view: View;
}

export const seenOpen = ({ uri, path, version, document }: OpenFile, view: View): Seen => ({
  ...{ uri, path, version, document, view },
});

/** Null when there is no such sheet, or when it does not hold what is looked for. */
export function seenAt(desk: Desk, path: string, encoding: string | null, holds = ""): Seen | null {
  const file = desk.openAt(path);
  if (file !== null) {
    const view = file.kind === "table" ? desk.viewOf(file) : null;
    return view === null ? null : seenOpen(file, view);
  }
  const text = textAt(path, encoding);
  if (text === null || !text.includes(holds)) return null;
  const uri = pathToFileURL(path).href;
  const { worlds } = desk;
  const view = SheetDocument.open(worlds.shownOf({ path, uri }), text, worlds.worldOf({ path, uri })).view();
  if (view.kind === "other") return null;
  return { uri, path, version: null, document: TextDocument.create(uri, "csv", 0, text), view };
}

export function textAt(path: string, encoding: string | null): string | null {
  const opened = openSheet(path);
  return opened.kind === "bytes" ? decode(opened.bytes, encoding ?? undefined).text : null;
}

/** The sheets that may say a name of a sheet, each with its test sheet: those around it, and those that are open. */
export function pathsBeside(desk: Desk, path: string): readonly string[] {
  const open = [...desk.files()].flatMap((file) => (file.kind === "table" ? (file.path ?? []) : []));
  // A workbook is not open in an editor, which could not change it.
  const sheets = [...around(desk, path), ...open].filter((one) => !isWorksheetPath(one));
  const tests = sheets.flatMap((one) => (isTestSheet(one) ? [] : (testsOf(one) ?? [])));
  return [...new Set([...sheets, ...tests])].sort();
}

/** The worksheets around a sheet, which may say its names and are not changed by an editor. */
export const worksheetsBeside = (desk: Desk, path: string): readonly string[] =>
  [...around(desk, path)].filter((one) => one !== path && isWorksheetPath(one)).sort();

/** A folder that cannot be read holds no sheets. */
function around(desk: Desk, path: string): Iterable<string> {
  try {
    return desk.worlds.pathsAround(path);
  } catch (error) {
    if (!isOutside(error)) throw error;
    return [path];
  }
}

/** The test sheet beside a sheet; null without one. */
export const testsOf = (path: string): string | null =>
  isTestSheet(path) ? null : spelledFile(path.replace(/\.csv$/i, ".test.csv"));
