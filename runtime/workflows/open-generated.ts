import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Position } from "../../compiler/diagnostics/lines.js";
import type { GraphIR } from "../../compiler/ir.js";
import { bundleAgent } from "../agents/custom/bundle.js";
import { cacheOf, usableCache } from "../agents/custom/cache-folder.js";
import { AgentLoadError } from "../agents/custom/load.js";
import type { Folders } from "../config/folders.js";
import type { AnyGraph } from "../graph/contract/contract.js";
import { DefinitionError, FlowsheetError, messageOf } from "../graph/contract/errors.js";
import { fingerprintOf, graphsBelow } from "../graph/link/fingerprint.js";
import { agentModules } from "./agent-modules.js";
import { nameFrom } from "./find-sheets.js";
import { moduleFiles, readModule } from "./module-text.js";
import { reasonOf } from "./open-file.js";
import { WorkflowError } from "./workflow-error.js";

type ModuleFolders = Pick<Folders, "root" | "generated">;

/** With all graphs it calls. A module of an old version of its sheet is refused before it runs. */
export async function openGenerated(family: readonly GraphIR[], folders: ModuleFolders): Promise<AnyGraph> {
  const [ir] = family;
  if (ir === undefined) throw new DefinitionError("there is no graph");
  const graph = await openOne(ir, folders);
  const wanted = new Set(family.map(fingerprintOf));
  const stale = graphsBelow(graph).find(({ fingerprint }) => !wanted.has(fingerprint));
  if (stale === undefined) return graph;
  const message = `the module of ${JSON.stringify(stale.name)}, which ${JSON.stringify(ir.name)} runs, was made from another version of its sheet`;
  throw new WorkflowError("module_stale", message, { help: "run: flowsheet compile" });
}

async function openOne(ir: GraphIR, folders: ModuleFolders): Promise<AnyGraph> {
  const wanted = fingerprintOf(ir);
  const modules = modulesOf(folders, ir.name);
  // Several sheets may have a graph of this name, so the fingerprint decides.
  const module = modules.find(({ fingerprint }) => fingerprint === wanted);
  if (module !== undefined) {
    const graph = graphIn(await load(module.file, folders.root), ir.name);
    if (graph?.fingerprint === wanted) return graph;
  }
  const [stale = module] = modules;
  if (stale !== undefined) {
    const file = relative(folders.root, stale.file);
    throw new WorkflowError("module_stale", `${file} was made from another version of the sheet`, {
      help: "run: flowsheet compile",
    });
  }
  const message = `there is no generated module for graph ${JSON.stringify(ir.name)}`;
  throw new WorkflowError("module_missing", message, { help: "run: flowsheet compile" });
}

function modulesOf(
  { root, generated }: ModuleFolders,
  name: string,
): readonly { readonly file: string; readonly fingerprint: string | null }[] {
  if (!existsSync(generated)) return [];
  return readable(generated, root, () => moduleFiles(generated)).flatMap((file) => {
    const path = join(generated, file);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
    const told = readModule(readable(path, root, () => readFileSync(path, "utf8")));
    return told?.name === name ? [{ file: path, fingerprint: told.fingerprint }] : [];
  });
}

function readable<T>(path: string, root: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = `cannot read ${nameFrom(root, path)}: ${reasonOf(error).why}`;
    throw new WorkflowError("module_unreadable", message);
  }
}

async function load(file: string, root: string): Promise<object> {
  const shown = nameFrom(root, file);
  const url = await bundle(file, shown, root);
  try {
    return (await import(url)) as object;
  } catch (thrown) {
    throw new AgentLoadError(shown, `it cannot be loaded: ${messageOf(thrown)}`);
  }
}

async function bundle(file: string, shown: string, root: string): Promise<string> {
  const cache = usableCache(cacheOf(root));
  const out = join(cache, `generated-${file.replace(/\W+/g, "-").slice(-80)}.mjs`);
  const refuse = (message: string, place: Position | null): Error =>
    new AgentLoadError(shown, message, place);
  try {
    return await bundleAgent({ file, out, modules: agentModules }, refuse);
  } catch (error) {
    if (error instanceof FlowsheetError) throw error;
    const { path = cache } = error as NodeJS.ErrnoException;
    const at = `cannot be loaded: ${nameFrom(root, path)} cannot be used: ${reasonOf(error).why}`;
    throw new WorkflowError("module_unreadable", `${shown} ${at}`);
  }
}

function graphIn(module: object, name: string): AnyGraph | undefined {
  return Object.values(module).find(
    (value): value is AnyGraph => (value as Partial<AnyGraph> | null)?.name === name,
  );
}

/** Undefined when the module exports no graph of this name. */
export async function loadGenerated(file: string, name: string, root: string): Promise<AnyGraph | undefined> {
  return graphIn(await load(file, root), name);
}
