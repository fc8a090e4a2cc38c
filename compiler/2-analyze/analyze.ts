import type { Problems } from "../diagnostics/collect.js";
import type { GraphIR, Sheet } from "../ir.js";
import type { World } from "../world.js";
import { SheetAnalysis } from "./sheet-analysis.js";

/** Understands every graph of a sheet and reports what is wrong with it. */
export function analyzeSheet(sheet: Sheet, world: World, problems: Problems): readonly GraphIR[] {
  const analysis = new SheetAnalysis(sheet, world);
  const graphs = analysis.analyze(sheet);
  problems.add(analysis.diagnostics());
  return graphs;
}
