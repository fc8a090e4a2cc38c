import type { GraphIR } from "../../compiler/ir.js";
import { type GeneratedFile, readGenerated } from "../../compiler/output/generated-file.js";
import type { PlannedFile } from "../../compiler/output/plan.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { fileNameOf, type GraphAt, type ProjectGraphs } from "./project-graphs.js";

/**
 * What is written and left when all sheets of the project (`whole`) or some of them are compiled.
 * Graphs that the compiled ones run are written, too, when their module is missing.
 * A compile of all sheets always writes them, because no other compile would.
 */
export function lookAround(
  project: ProjectGraphs,
  sheets: readonly SheetPath[],
  graphs: readonly GraphIR[],
  there: readonly GeneratedFile[],
  whole: boolean,
): { readonly written: readonly GraphAt[]; readonly left: readonly GeneratedFile[] } {
  const byName = new Map(there.map((file) => [file.name, file]));
  const fileOf = (at: GraphAt): string => `${project.nameOf(at.graph)}.gen.ts`;
  const isThere = (at: GraphAt): boolean => {
    const file = byName.get(fileOf(at));
    return file !== undefined && project.isModuleOf(file, at);
  };
  const called = project.calledBy(graphs);
  const written = called.filter((at) => whole || !isThere(at));
  if (whole) return { written, left: [] };
  const names = new Set(sheets.map(({ path }) => fileNameOf(path)));
  const isLeft = (file: GeneratedFile): boolean =>
    file.sheet !== null && (!names.has(file.sheet) || project.isOfOthers(file));
  return { written, left: there.filter(isLeft) };
}

/** Modules of other sheets whose file name now belongs to a graph of this command. */
export function takenModules(
  project: ProjectGraphs,
  there: readonly GeneratedFile[],
  plan: readonly PlannedFile[],
): readonly GeneratedFile[] {
  const updated = new Map(
    plan.flatMap(({ name, action, after }) => (action === "updated" ? [[name, after]] : [])),
  );
  return there.filter((file) => {
    const after = updated.get(file.name) ?? null;
    return after !== null && project.isOfOthers(file) && readGenerated(file.name, after).sheet !== file.sheet;
  });
}
