import { relative, sep } from "node:path";
import type { GraphIR } from "../../compiler/ir.js";
import type { Project } from "../config/folders.js";
import type { Logger } from "../graph/contract/contract.js";
import { fingerprintOf } from "../graph/link/fingerprint.js";
import type { UnnamedWorkflow } from "./catalogue.js";
import { type GeneratedModule, type GeneratedModules, unknownGraph } from "./generated-modules.js";
import type { OpenedGraph } from "./open-graph.js";

/** The generated modules that no sheet stands for, as workflows. */
export type Sheetless = (graphs: readonly GraphIR[]) => readonly UnnamedWorkflow[];

export interface SheetlessOptions {
  readonly project: Project;
  readonly modules: GeneratedModules;
  readonly log: Logger;
}

/** A sheet goes before its modules: it is newer, or means the same. One that means something else is told once. */
export function createSheetless({ project, modules, log }: SheetlessOptions): Sheetless {
  const told = new Set<string>();
  const fingerprints = new WeakMap<GraphIR, string>();
  const meaningOf = (ir: GraphIR): string => {
    const known = fingerprints.get(ir) ?? fingerprintOf(ir);
    fingerprints.set(ir, known);
    return known;
  };
  return (graphs) => {
    const byName = new Map<string, GraphIR[]>();
    for (const ir of graphs) byName.set(ir.name, [...(byName.get(ir.name) ?? []), ir]);
    return modules.list().flatMap((module) => {
      const sheets = byName.get(module.name) ?? [];
      if (sheets.length === 0) return workflowOf(module, modules.graphOf(module), project);
      const isStale = sheets.every((ir) => meaningOf(ir) !== module.fingerprint);
      const key = `${module.stamp} ${sheets.map(meaningOf)}`;
      if (isStale && !told.has(key)) {
        told.add(key);
        log.warn(`${module.file} was made from another version of the sheet: run flowsheet compile`);
      }
      return [];
    });
  };
}

function workflowOf(
  module: GeneratedModule,
  opened: OpenedGraph | null | undefined,
  { workflows }: Project,
): readonly UnnamedWorkflow[] {
  if (opened === undefined) return [];
  return [
    {
      graphName: module.name,
      group: module.file.replace(/\.gen\.ts$/, ""),
      sheet: null,
      source: relative(workflows, module.path).replaceAll(sep, "/"),
      valid: opened !== null,
      ir: opened?.ir ?? unknownGraph(module),
      understanding: null,
    },
  ];
}
