import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheOf, usableCache } from "../../runtime/agents/custom/cache-folder.js";
import type { Project } from "../../runtime/config/folders.js";
import type { AnyGraph } from "../../runtime/graph/contract/contract.js";
import { messageOf } from "../../runtime/graph/contract/errors.js";
import type { OpenedGraph } from "../../runtime/workflows/open-graph.js";

export type Generated = { readonly graph: AnyGraph } | { readonly missing: string };

/** Compiles a graph and those that it runs into a folder that goes away again, and loads what was generated. */
export async function makeGenerated(
  { family, childOf }: Pick<OpenedGraph, "family" | "childOf">,
  project: Project,
): Promise<Generated> {
  let folder: string | null = null;
  try {
    const cache = usableCache(cacheOf(project.root));
    folder = mkdtempSync(join(cache, "bench-"));
    const { createEmitter } = await import("../compile/modules.js");
    const { modulesAmong } = await import("../../compiler/emit-files.js");
    const emit = createEmitter(project, folder, { modules: modulesAmong(family, childOf) });
    for (const [name, text] of emit(family)) writeFileSync(join(folder, name), text);
    const { openGenerated } = await import("../../runtime/workflows/open-generated.js");
    return { graph: await openGenerated(family, { root: folder, generated: folder }) };
  } catch (error) {
    return { missing: messageOf(error) };
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}
