import type { Project } from "../../runtime/config/folders.js";
import { type Coverage, createCoverage } from "../../runtime/testing/coverage.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { createWorlds } from "../../runtime/workflows/world.js";
import type { Context } from "../process/context.js";
import { understandFiles } from "../sheets/read.js";

/** A sheet of workflows without a test sheet. */
export interface UntestedSheet {
  readonly file: string;
  /** Its graphs, of which no case comes to anything; none when the sheet has errors. */
  readonly coverage: readonly Coverage[];
  readonly hasErrors: boolean;
}

/** The graphs of sheets that nobody tests: a threshold that passed them over would say nothing of a project. */
export async function untestedSheets(
  context: Context,
  project: Project,
  sheets: readonly SheetPath[],
): Promise<readonly UntestedSheet[]> {
  const { env, encoding } = context;
  const worldOf = createWorlds({ folders: project, env, encoding, sheets, unknownAgent: "warning" });
  const understood = await understandFiles(sheets, worldOf, { context, say: () => {} });
  return understood.map(({ file, graphs, diagnostics }) => {
    const hasErrors = diagnostics.some(({ severity }) => severity === "error");
    const coverage = hasErrors ? [] : graphs.map((graph) => createCoverage(graph).coverage());
    return { file, coverage, hasErrors };
  });
}
