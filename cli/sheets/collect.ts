import { statSync } from "node:fs";
import { resolve } from "node:path";
import {
  type FoundSheets,
  filesInFolder,
  foundSheet,
  type SheetPath,
  withoutTests,
} from "../../runtime/workflows/find-sheets.js";
import { UsageError } from "../failure.js";

export interface SheetRequest {
  readonly cwd: string;
  readonly operands: readonly string[];
  readonly csv: readonly string[];
}

export const STDIN_NAME = "<stdin>";

export const isPattern = (text: string): boolean => /[*?[\]{}!]/.test(text);

/** All sheets of a request, each once, in the order in which they are named. */
export async function collectSheets({ cwd, operands, csv }: SheetRequest): Promise<FoundSheets> {
  const found: SheetPath[] = [];
  for (const operand of operands) found.push(...(await sheetsOf(cwd, operand)));
  const { sheets, tests } = withoutTests(found);
  const exact = csv.map((path) => (path === "-" ? stdin : named(cwd, path)));
  return { sheets: once([...sheets, ...exact]), tests: once(tests) };
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

const stdin: SheetPath = { path: null, shown: STDIN_NAME, named: true };
const named = (cwd: string, path: string): SheetPath => ({
  path: resolve(cwd, path),
  shown: path,
  named: true,
});

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
    // Opening the file reports the reason.
    return "nothing";
  }
}

function folderSheets(cwd: string, operand: string, path: string): readonly SheetPath[] {
  const files = filesInFolder(path, true);
  if (files.length === 0) throw new UsageError(`folder ${JSON.stringify(operand)} holds no .csv file`);
  return files.map((file) => foundSheet(cwd, file));
}

/** The files of a pattern; the package is loaded only here. */
async function matching(cwd: string, pattern: string): Promise<readonly SheetPath[]> {
  const { glob } = await import("tinyglobby");
  const options = { cwd, absolute: true, expandDirectories: false, ignore: ["**/node_modules/**"] };
  const files = await glob(pattern, options);
  if (files.length === 0) throw new UsageError(`no file matches ${JSON.stringify(pattern)}`);
  return files.sort().map((file) => foundSheet(cwd, resolve(file)));
}
