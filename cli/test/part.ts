import { statSync } from "node:fs";
import { resolve } from "node:path";
import { isTestSheet, type SheetPath } from "../../runtime/workflows/find-sheets.js";
import { isPattern } from "../sheets/collect.js";

export type TestPath = SheetPath & { readonly path: string };

interface NamedFiles {
  readonly operands: readonly string[];
  readonly csv: readonly string[];
}

/** Puts the test sheets that are named by hand apart from all else. */
export function partTests(
  cwd: string,
  { operands, csv }: NamedFiles,
): { readonly tests: readonly TestPath[]; readonly others: NamedFiles } {
  const isFolder = (path: string): boolean =>
    statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true;
  const isTest = (path: string): boolean => isTestSheet(path) && !isPattern(path) && !isFolder(path);
  const tests = [...new Set([...operands, ...csv].filter(isTest))];
  return {
    tests: tests.map((shown) => ({ path: resolve(cwd, shown), shown, named: true })),
    others: { operands: operands.filter((path) => !isTest(path)), csv: csv.filter((path) => !isTest(path)) },
  };
}

export const isNothing = ({ operands, csv }: NamedFiles): boolean => operands.length + csv.length === 0;
