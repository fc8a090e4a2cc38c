import type { Understanding } from "../../compiler/compile.js";
import { type EmitOptions, emitFiles } from "../../compiler/emit-files.js";
import type { GraphIR } from "../../compiler/ir.js";
import { generatedIn } from "../../compiler/output/plan.js";
import type { Folders, Project } from "../../runtime/config/folders.js";
import { fingerprintOf } from "../../runtime/graph/link/fingerprint.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import type { Library } from "../../runtime/workflows/library.js";
import { lookAround } from "./around.js";
import { createAgentImports, importExtension } from "./imports.js";
import { createProjectGraphs } from "./project-graphs.js";

export interface ModuleSources {
  readonly project: Project;
  /** The folder of the modules. */
  readonly out: string;
  readonly cwd: string;
  readonly sheets: readonly SheetPath[];
  readonly understood: readonly Understanding[];
  readonly library: Library;
  /** These are all sheets of the project. */
  readonly whole: boolean;
}

/** The graphs that become modules, those around them, and what prints them. Nothing is written. */
export function lookAtModules({ project, out, cwd, sheets, understood, library, whole }: ModuleSources) {
  const own = understood.flatMap((one) => one.graphs);
  const there = generatedIn(out);
  const graphs = createProjectGraphs({ sheets, understood, library, folders: project, cwd, there });
  const around = lookAround(graphs, sheets, own, there, whole);
  const emit = createEmitter(project, out, { others: around.left, modules: graphs });
  return { own, there, graphs, around, emit };
}

/** Makes the generated files of graphs, for a folder. */
export type Emitter = (graphs: readonly GraphIR[]) => ReadonlyMap<string, string>;

export function createEmitter(
  project: Pick<Folders, "agents" | "generatedImport">,
  out: string,
  about: Pick<EmitOptions, "others" | "modules">,
): Emitter {
  const findAgent = createAgentImports(out, project.agents);
  const extension = importExtension(out);
  return (graphs) => {
    const toEmit = graphs.map((graph) => ({ graph, fingerprint: fingerprintOf(graph) }));
    return emitFiles(toEmit, { findAgent, extension, runtime: project.generatedImport, ...about });
  };
}
