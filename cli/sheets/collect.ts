import { statSync } from "node:fs";
import { resolve } from "node:path";
import { worksheetNamed } from "../../compiler/diagnostics/worksheet.js";
import { CONFIG_NAME } from "../../runtime/config/folders.js";
import {
  type FoundSheets,
  filesInFolder,
  foundSheet,
  isTestSheet,
  nameFrom,
  type SheetPath,
  withoutTests,
} from "../../runtime/workflows/find-sheets.js";
import { isTestWorksheet, sheetsOfBook } from "../../runtime/workflows/workbooks.js";
import { UsageError } from "../failure.js";

/** The sheets that a command line names: operands may be folders and patterns, paths of `--csv` are files. */
export interface Named {
  readonly operands: readonly string[];
  readonly csv: readonly string[];
}

export const isNothing = ({ operands, csv }: Named): boolean => operands.length + csv.length === 0;

export const STDIN_NAME = "<stdin>";

const isPattern = (text: string): boolean => /[*?[\]{}!]/.test(worksheetNamed(text)?.book ?? text);

/** All sheets of a request, each once, in the order in which they are named. Folders of other projects are told. */
export async function collectSheets(
  cwd: string,
  { operands, csv }: Named,
  note: (text: string) => void,
): Promise<FoundSheets> {
  const found: SheetPath[] = [];
  const onProject = (folder: string): void =>
    note(`passed over ${nameFrom(cwd, folder)}: a project of its own, with its ${CONFIG_NAME}`);
  for (const operand of operands) found.push(...(await sheetsOf(cwd, operand, onProject)));
  const { sheets, tests } = withoutTests(found);
  const exact = csv.flatMap((path) => (path === "-" ? [stdin] : inFile(cwd, path)));
  // A test sheet that is named as a sheet is read as one; one in a workbook is a test sheet, whatever names its file.
  return {
    sheets: once([...sheets, ...exact.filter((one) => !isOfBook(one))]),
    tests: once([...tests, ...exact.filter(isOfBook)]),
  };
}

/** A file that is found twice is read once. It counts as named when one of them was. */
function once(sheets: readonly SheetPath[]): readonly SheetPath[] {
  const byPath = new Map<string | null, SheetPath>();
  for (const sheet of sheets) {
    const known = byPath.get(sheet.path);
    if (known === undefined || (sheet.named && !known.named)) byPath.set(sheet.path, sheet);
  }
  return [...byPath.values()];
}

export const stdin: SheetPath = { path: null, shown: STDIN_NAME, named: true };
/** A sheet as somebody names it. */
export const named = (cwd: string, path: string, shown = path): SheetPath => ({
  path: resolve(cwd, path),
  shown,
  named: true,
});

/** The sheets of a file that somebody names: one, or those of a workbook. */
function inFile(cwd: string, operand: string): readonly SheetPath[] {
  const path = resolve(cwd, operand);
  const { flows, tests } = sheetsOfBook(path);
  return [...flows, ...tests].map((one) => ({
    path: one,
    shown: operand + one.slice(path.length),
    named: true,
  }));
}

async function sheetsOf(
  cwd: string,
  operand: string,
  onProject: (folder: string) => void,
): Promise<readonly SheetPath[]> {
  if (operand === "-") return [stdin];
  const path = resolve(cwd, operand);
  const kind = kindOf(path);
  if (kind === "folder") return folderSheets(cwd, operand, filesInFolder(path, true, onProject));
  if (kind === "nothing" && isPattern(operand)) return matching(cwd, operand);
  return inFile(cwd, operand);
}

function kindOf(path: string): "folder" | "file" | "nothing" {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    // Opening the file reports the reason.
    return "nothing";
  }
}

function folderSheets(cwd: string, operand: string, files: readonly string[]): readonly SheetPath[] {
  if (files.length === 0)
    throw new UsageError(`folder ${JSON.stringify(operand)} holds no .csv file and no workbook`);
  return files.map((file) => foundSheet(cwd, file));
}

/** The files of a pattern; the package is loaded only here. */
async function matching(cwd: string, pattern: string): Promise<readonly SheetPath[]> {
  const { glob } = await import("tinyglobby");
  const options = { cwd, absolute: true, expandDirectories: false, ignore: ["**/node_modules/**"] };
  const files = await glob(pattern, options);
  if (files.length === 0) throw new UsageError(`no file matches ${JSON.stringify(pattern)}`);
  return files.sort().flatMap((file) => {
    const path = resolve(file);
    const { flows, tests } = sheetsOfBook(path);
    return [...flows, ...tests].map((one) => foundSheet(cwd, one));
  });
}

const isOfBook = ({ path }: SheetPath): boolean => path !== null && isTestWorksheet(path);

export type TestPath = SheetPath & { readonly path: string };

/** Puts the test sheets that are named by hand apart from all else. */
export function partTests(
  cwd: string,
  { operands, csv }: Named,
): { readonly tests: readonly TestPath[]; readonly others: Named } {
  const isFolder = (path: string): boolean =>
    statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true;
  const isTest = (path: string): boolean => isTestSheet(path) && !isPattern(path) && !isFolder(path);
  const tests = [...new Set([...operands, ...csv].filter(isTest))];
  const inBooks = [...operands, ...csv].flatMap((path) =>
    path === "-" || isPattern(path) || isTest(path) ? [] : inFile(cwd, path).filter(isOfBook),
  );
  return {
    tests: [...tests.map((path) => named(cwd, path)), ...once(inBooks)] as readonly TestPath[],
    others: { operands: operands.filter((path) => !isTest(path)), csv: csv.filter((path) => !isTest(path)) },
  };
}
