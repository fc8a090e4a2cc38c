import { type Dirent, readdirSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../failure.js";
import { reasonOf } from "./open.js";

/** A sheet that is to be read. */
export interface SheetPath {
  /** Absolute; null for standard input. */
  readonly path: string | null;
  /** As messages name it. */
  readonly shown: string;
  /** Named by the user, not found in a folder or by a pattern: it is a sheet, whatever it holds. */
  readonly named: boolean;
}

/** What the user asked for. */
export interface SheetRequest {
  readonly cwd: string;
  /** Files, folders, patterns, and `-`. */
  readonly operands: readonly string[];
  /** Files of `--csv`. */
  readonly csv: readonly string[];
}

export interface Collected {
  readonly sheets: readonly SheetPath[];
  /** Test sheets, which are no sheets of workflows. */
  readonly tests: readonly string[];
}

/** How standard input is named in messages. */
export const STDIN_NAME = "<stdin>";

const MAX_DEPTH = 32;
const isSheet = (name: string): boolean => /\.csv$/i.test(name);
const isTest = (name: string): boolean => /\.test\.csv$/i.test(name);
const isPattern = (text: string): boolean => /[*?[\]{}!]/.test(text);

/** All sheets of a request, each once, in the order in which they are named. */
export async function collectSheets({ cwd, operands, csv }: SheetRequest): Promise<Collected> {
  const found: SheetPath[] = [];
  for (const operand of operands) found.push(...(await sheetsOf(cwd, operand)));
  const { sheets, tests } = withoutTests(found);
  const exact = csv.map((path) => (path === "-" ? stdin : named(cwd, path)));
  return { sheets: once([...sheets, ...exact]), tests };
}

/** The sheets of a folder and, when asked for, of the folders in it. */
export function sheetsInFolder(cwd: string, folder: string, deep: boolean): Collected {
  return withoutTests(filesIn(folder, deep ? MAX_DEPTH : 0).map((path) => inFolder(cwd, path)));
}

function withoutTests(found: readonly SheetPath[]): Collected {
  const tests = found.filter(({ shown }) => isTest(shown)).map(({ shown }) => shown);
  return { sheets: found.filter(({ shown }) => !isTest(shown)), tests };
}

/** A file that is found more than once is read once, and counts as named when it is named anywhere. */
function once(sheets: readonly SheetPath[]): readonly SheetPath[] {
  const byPath = new Map<string | null, SheetPath>();
  for (const sheet of sheets) {
    const known = byPath.get(sheet.path);
    if (known === undefined || (sheet.named && !known.named)) byPath.set(sheet.path, sheet);
  }
  return [...byPath.values()];
}

const stdin: SheetPath = { path: null, shown: STDIN_NAME, named: true };
const named = (cwd: string, path: string): SheetPath => ({
  path: resolve(cwd, path),
  shown: path,
  named: true,
});
const inFolder = (cwd: string, path: string): SheetPath => ({
  path,
  shown: nameFrom(cwd, path),
  named: false,
});

/** A path as a person standing in the working folder would write it. */
function nameFrom(cwd: string, path: string): string {
  const way = relative(cwd, path);
  return way.startsWith(`..${sep}..${sep}`) || isAbsolute(way) ? path : way.replaceAll(sep, "/");
}

async function sheetsOf(cwd: string, operand: string): Promise<readonly SheetPath[]> {
  if (operand === "-") return [stdin];
  const path = resolve(cwd, operand);
  const kind = kindOf(path);
  if (kind === "folder") return folderSheets(cwd, operand, path);
  if (kind === "nothing" && isPattern(operand)) return matching(cwd, operand);
  return [named(cwd, operand)];
}

function kindOf(path: string): "folder" | "file" | "nothing" {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    // What it is that hinders is said when it is opened.
    return "nothing";
  }
}

function folderSheets(cwd: string, operand: string, path: string): readonly SheetPath[] {
  const files = filesIn(path, MAX_DEPTH);
  if (files.length === 0) throw new UsageError(`folder ${JSON.stringify(operand)} holds no .csv file`);
  return files.map((file) => inFolder(cwd, file));
}

/** The files of a pattern; the package is loaded only here. */
async function matching(cwd: string, pattern: string): Promise<readonly SheetPath[]> {
  const { glob } = await import("tinyglobby");
  const options = { cwd, absolute: true, expandDirectories: false, ignore: ["**/node_modules/**"] };
  const files = await glob(pattern, options);
  if (files.length === 0) throw new UsageError(`no file matches ${JSON.stringify(pattern)}`);
  return files.sort().map((file) => inFolder(cwd, resolve(file)));
}

/** The .csv files of a folder and of the folders in it, by name; links to folders are not followed. */
function filesIn(folder: string, depth: number): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 && isOpen(entry.name) ? filesIn(path, depth - 1) : [];
    return isSheet(entry.name) ? [path] : [];
  });
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw new UsageError(`cannot read folder ${JSON.stringify(folder)}: ${reasonOf(error).why}`);
  }
}

const isOpen = (folder: string): boolean => folder !== "node_modules" && !folder.startsWith(".");
