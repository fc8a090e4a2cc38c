import type { Project } from "../../runtime/config/folders.js";
import { type Coverage, createCoverage } from "../../runtime/testing/coverage.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { openSheet } from "../../runtime/workflows/open-sheet.js";
import { contentOf, isOtherTable, understandContent } from "../../runtime/workflows/read-sheet.js";
import { createWorlds } from "../../runtime/workflows/world.js";
import type { Context } from "../process/context.js";

/** A sheet of workflows without a test sheet. */
export interface UntestedSheet {
  readonly file: string;
  /** Its graphs, of which no case comes to anything; none when the sheet has errors. */
  readonly coverage: readonly Coverage[];
  readonly hasErrors: boolean;
}

/** The graphs of sheets that nobody tests: a threshold that passed them over would say nothing of a project. */
export function untestedSheets(
  { env, encoding }: Context,
  project: Project,
  sheets: readonly SheetPath[],
): readonly UntestedSheet[] {
  const worldOf = createWorlds({ folders: project, env, encoding, sheets, unknownAgent: "warning" });
  return sheets.flatMap((sheet) => {
    const opened = sheet.path === null ? null : openSheet(sheet.path);
    if (opened === null || (opened.kind === "bytes" && isOtherTable(opened.bytes, encoding))) return [];
    const reading = { shown: sheet.shown, encoding, world: worldOf(sheet) };
    const { graphs, diagnostics } = understandContent(contentOf(opened, sheet), reading);
    const hasErrors = diagnostics.some(({ severity }) => severity === "error");
    const coverage = hasErrors ? [] : graphs.map((graph) => createCoverage(graph).coverage());
    return [{ file: sheet.shown, coverage, hasErrors }];
  });
}
