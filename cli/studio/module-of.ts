import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type GraphModule, ModuleRefused } from "../../runtime/studio/workshop.js";
import { errorsOf } from "../../runtime/workflows/read-sheet.js";
import type { Context } from "../process/context.js";
import { openProject, sheetsToRead } from "../project.js";
import { understandFiles } from "../sheets/read.js";
import { moduleRows } from "./module-rows.js";
import { moduleTokens } from "./module-tokens.js";

/** The module that a graph of a sheet becomes; null without such a graph. */
export async function moduleOf(context: Context, path: string, name: string): Promise<GraphModule | null> {
  const { cwd } = context;
  const project = openProject(context);
  const sheets = await sheetsToRead(context, project, { operands: [relative(cwd, path)], csv: [] });
  const about = { unknownAgent: "error" } as const;
  const { understood, library } = await understandFiles(context, project, sheets, about);
  const graph = understood.flatMap(({ graphs }) => graphs).find((one) => one.name === name);
  const understanding = understood.find(({ graphs }) => graph !== undefined && graphs.includes(graph));
  if (graph === undefined || understanding === undefined) return null;
  if (errorsOf(understanding, name).length > 0)
    throw new ModuleRefused("the graph has errors: mend them, and the module is shown");
  const { lookAtModules } = await import("../compile/modules.js");
  const out = project.generated;
  const { graphs, emit } = lookAtModules({ project, out, cwd, sheets, understood, library, whole: false });
  const fileName = `${graphs.nameOf(graph)}.gen.ts`;
  const text = emit([graph]).get(fileName) ?? "";
  const tokens = moduleTokens(text);
  const before = textAt(join(out, fileName));
  return {
    file: relative(cwd, join(out, fileName)),
    text,
    tokens: tokens.flatMap(({ start, length, is }) => (is === null ? [] : [[start, length, is] as const])),
    rows: moduleRows(text, tokens, graph),
    ...{ stale: before !== text, written: before !== null },
  };
}

/** Git may have changed the line ends, which mean nothing in a module. */
function textAt(path: string): string | null {
  try {
    return readFileSync(path, "utf8").replaceAll("\r\n", "\n");
  } catch {
    return null;
  }
}
