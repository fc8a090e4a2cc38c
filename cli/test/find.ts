import { existsSync } from "node:fs";
import type { Project } from "../../runtime/config/folders.js";
import { type Coverage, CoverageCounter } from "../../runtime/testing/coverage.js";
import { testedSheets } from "../../runtime/testing/open-tests.js";
import { projectSheets } from "../../runtime/workflows/find-graph.js";
import { foundSheet, type SheetPath, spelledFile } from "../../runtime/workflows/find-sheets.js";
import { filePathOf, isWorksheetPath } from "../../runtime/workflows/workbooks.js";
import { UsageError } from "../failure.js";
import type { Context } from "../process/context.js";
import { collectSheets, type TestPath } from "../sheets/collect.js";
import { understandFiles } from "../sheets/read.js";

/**
 * The test sheets that a command line names, or all of the project; a sheet stands for the test sheet beside it.
 * Sheets without one are `untested` when their folder or pattern was named, or nothing.
 */
export async function findTests({ cwd, note }: Context, project: Project, operands: readonly string[]) {
  const { sheets, tests } =
    operands.length > 0 ? await collectSheets(cwd, { operands, csv: [] }, note) : projectSheets(cwd, project);
  const books = new Set(tests.flatMap(({ path }) => (path === null ? [] : [filePathOf(path)])));
  const hasOwn = ({ path }: SheetPath): boolean => path !== null && books.has(filePathOf(path));
  const beside = sheets.flatMap((sheet) => (sheet.named && !hasOwn(sheet) ? besideOf(cwd, sheet) : []));
  const found = new Map<string, TestPath>();
  for (const sheet of [...tests, ...beside])
    if (sheet.path !== null) found.set(sheet.path, { ...sheet, path: sheet.path });
  if (found.size === 0)
    throw new UsageError(
      "there is no test sheet",
      "support.test.csv beside support.csv holds the tests of its graphs",
    );
  return { tests: [...found.values()], untested: untestedOf(sheets, [...found.values()]) };
}

function untestedOf(sheets: readonly SheetPath[], tests: readonly TestPath[]): readonly SheetPath[] {
  const paths = new Set(sheets.map(({ path }) => path));
  const tested = new Set(tests.flatMap((test) => testedSheets(test).map(({ path }) => path)));
  // When the file system ignores case, a sheet may be found under a name that its folder does not list.
  const others = new Set([...tested].flatMap((path) => (paths.has(path) ? [] : path.toLowerCase())));
  const isTested = (path: string): boolean => tested.has(path) || others.has(path.toLowerCase());
  return sheets.filter(({ path }) => path === null || !isTested(path));
}

const testOf = (path: string): string => path.replace(/(\.csv)?$/i, ".test.csv");

function besideOf(cwd: string, { path, shown }: SheetPath): SheetPath {
  if (path === null)
    throw new UsageError("standard input is no test sheet", "name a file, such as support.test.csv");
  if (isWorksheetPath(path))
    throw new UsageError(
      `${shown} has no worksheet of tests`,
      "add one with the columns graph_name and case: one row for each case",
    );
  const test = testOf(path);
  const there = spelledFile(test);
  if (there !== null) return foundSheet(cwd, there);
  if (!existsSync(path)) throw new UsageError(`cannot open ${shown}: there is no such file`);
  throw new UsageError(
    `${shown} has no test sheet`,
    `write ${foundSheet(cwd, test).shown}: one row for each case`,
  );
}

export interface UntestedSheet {
  readonly file: string;
  /** The coverage of its graphs, which is 0; empty when the sheet has errors. */
  readonly coverage: readonly Coverage[];
  readonly hasErrors: boolean;
}

/** The coverage of a project must count sheets without tests, too. */
export async function untestedSheets(
  context: Context,
  project: Project,
  sheets: readonly SheetPath[],
): Promise<readonly UntestedSheet[]> {
  const { understood } = await understandFiles(context, project, sheets, { unknownAgent: "warning" });
  return understood.map(({ file, graphs, diagnostics }) => {
    const hasErrors = diagnostics.some(({ severity }) => severity === "error");
    const coverage = hasErrors ? [] : graphs.map((graph) => new CoverageCounter(graph).coverage());
    return { file, coverage, hasErrors };
  });
}
