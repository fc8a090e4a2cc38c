import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GraphIR } from "../../compiler/ir.js";
import { makeFolderSync } from "../../compiler/make-folder.js";
import type { Project } from "../../runtime/config/folders.js";
import type { AnyGraph } from "../../runtime/graph/contract.js";
import { messageOf } from "../../runtime/graph/errors.js";

/** A generated graph, or why there is none. */
export type Generated = { readonly graph: AnyGraph } | { readonly missing: string };

/** Compiles a graph and those that it runs into a folder that goes away again, and loads what was generated. */
export async function makeGenerated(family: readonly GraphIR[], project: Project): Promise<Generated> {
  const [ir] = family;
  if (ir === undefined) return { missing: "there is no graph" };
  let folder: string | null = null;
  try {
    const cache = join(project.root, ".flowsheet", "cache");
    makeFolderSync(cache);
    folder = mkdtempSync(join(cache, "bench-"));
    const { createEmitter } = await import("../commands/compile.js");
    const emit = await createEmitter(project, folder);
    for (const [name, text] of emit(family)) writeFileSync(join(folder, name), text);
    const { openGenerated } = await import("../../runtime/workflows/open-generated.js");
    return { graph: await openGenerated(ir, { root: folder, generated: folder }) };
  } catch (error) {
    return { missing: messageOf(error) };
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}
