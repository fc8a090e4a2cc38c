import { type Understanding, understandSheet } from "../../compiler/compile.js";
import { createReport } from "../../compiler/diagnostics/report.js";
import type { Project } from "../../runtime/config/folders.js";
import { projectSheets } from "../../runtime/workflows/find-graph.js";
import { createWorlds } from "../../runtime/workflows/world.js";
import type { Context } from "../process/context.js";

const SHOWN = "sheet.csv";

/** The text of a sheet that is no file, among the sheets, agents and prompts of the project. */
export function understandText(
  { cwd, env }: Pick<Context, "cwd" | "env">,
  project: Project,
): (bytes: Uint8Array) => Understanding {
  const { sheets } = projectSheets(cwd, project);
  const about = { folders: project, env, encoding: null, sheets };
  const world = createWorlds({ ...about, unknownAgent: "warning" })({
    path: null,
    shown: SHOWN,
    named: true,
  });
  return (bytes) => understandSheet({ file: SHOWN, bytes }, world);
}

export const reportOf = ({ diagnostics, sheet, graphs }: Understanding): object =>
  createReport(diagnostics, new Map([[SHOWN, sheet?.text ?? ""]]), graphs);
