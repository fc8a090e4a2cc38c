import { type Dirent, existsSync, readdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { CONFIG_NAME } from "../config/folders.js";
import { reasonOf } from "./open-file.js";
import { isBookName, isTestWorksheet, sheetsOfBook } from "./workbooks.js";
import { WorkflowError } from "./workflow-error.js";

export interface SheetPath {
  /** Absolute; null for standard input. */
  readonly path: string | null;
  readonly shown: string;
  /** Named by the user: then it is a sheet, whatever its content. */
  readonly named: boolean;
}

export interface FoundSheets {
  readonly sheets: readonly SheetPath[];
  readonly tests: readonly SheetPath[];
}

const MAX_DEPTH = 32;
const isCsv = (name: string): boolean => /\.csv$/i.test(name);

/** A file `….test.csv`, or a worksheet of cases in a workbook. */
export const isTestSheet = (path: string): boolean => /\.test\.csv$/i.test(path) || isTestWorksheet(path);

export function sheetsInFolder(cwd: string, folder: string, deep: boolean): FoundSheets {
  return withoutTests(filesInFolder(folder, deep).map((path) => foundSheet(cwd, path)));
}

export const withoutTests = (found: readonly SheetPath[]): FoundSheets => ({
  sheets: found.filter(({ path, shown }) => !isTestSheet(path ?? shown)),
  tests: found.filter(({ path, shown }) => isTestSheet(path ?? shown)),
});

export const foundSheet = (cwd: string, path: string): SheetPath => ({
  path,
  shown: nameFrom(cwd, path),
  named: false,
});

/** Falls back to a name that differs only in case. Null when there is none. */
export function spelledFile(path: string): string | null {
  if (existsSync(path)) return path;
  const wanted = basename(path).toLowerCase();
  try {
    const name = readdirSync(dirname(path))
      .sort()
      .find((one) => one.toLowerCase() === wanted);
    return name === undefined ? null : join(dirname(path), name);
  } catch {
    return null;
  }
}

/** Relative to the working folder, unless that climbs two folders up. */
export function nameFrom(cwd: string, path: string): string {
  const way = relative(cwd, path);
  return way.startsWith(`..${sep}..${sep}`) || isAbsolute(way) ? path : way.replaceAll(sep, "/");
}

/**
 * Files of text and worksheets of workbooks, sorted by name. Symbolic links to folders are not followed. A subfolder
 * with a configuration is another project, whose sheets need its tables and connections.
 */
export function filesInFolder(
  folder: string,
  deep: boolean,
  onProject: (folder: string) => void = () => {},
): readonly string[] {
  return filesIn(folder, entriesOf(folder), { depth: deep ? MAX_DEPTH : 0, onProject });
}

interface Walk {
  readonly depth: number;
  readonly onProject: (folder: string) => void;
}

function filesIn(folder: string, entries: readonly Dirent[], walk: Walk): readonly string[] {
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return walk.depth > 0 && isOpen(entry.name) ? filesBelow(path, walk) : [];
    if (isBookName(entry.name)) return sheetsIn(path);
    return isCsv(entry.name) ? [path] : [];
  });
}

function filesBelow(folder: string, { depth, onProject }: Walk): readonly string[] {
  const entries = entriesOf(folder);
  if (!entries.some((entry) => entry.name === CONFIG_NAME && entry.isFile()))
    return filesIn(folder, entries, { depth: depth - 1, onProject });
  onProject(folder);
  return [];
}

/** The sheets of a workbook, those of tests included. */
function sheetsIn(path: string): readonly string[] {
  const { flows, tests } = sheetsOfBook(path);
  return [...flows, ...tests];
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const why = reasonOf(error).why;
    throw new WorkflowError("folder_unreadable", `cannot read folder ${JSON.stringify(folder)}: ${why}`);
  }
}

const isOpen = (folder: string): boolean => folder !== "node_modules" && !folder.startsWith(".");
