import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { commentText } from "../../../compiler/3-emit/literals.js";
import { versionOf } from "../../../compiler/files/version.js";
import { type GeneratedFile, readGenerated } from "../../../compiler/output/generated-file.js";
import { moduleFiles } from "../../../runtime/workflows/module-text.js";

/** The first line says what a module was made from. */
const HEAD = 4096;
/** More modules are not looked at for each answer. */
const MOST = 2_000;

const known = new Map<string, { readonly stamp: string; readonly file: GeneratedFile }>();

/** The generated module of a graph; null when there is none. */
export function moduleOf(generated: string, sheet: string, graph: string): string | null {
  const name = commentText(graph);
  const found = modulesIn(generated).find((path) => {
    const head = headOf(path);
    return head !== null && head.sheet === commentText(basename(sheet)) && head.graph === name;
  });
  return found ?? null;
}

function modulesIn(folder: string): readonly string[] {
  try {
    return moduleFiles(folder)
      .slice(0, MOST)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function headOf(path: string): GeneratedFile | null {
  try {
    const stats = statSync(path);
    const stamp = versionOf(stats);
    const seen = known.get(path);
    if (seen?.stamp === stamp) return seen.file;
    if (!stats.isFile()) return null;
    const file = readGenerated(basename(path), readHead(path));
    known.set(path, { stamp, file });
    return file;
  } catch {
    return null;
  }
}

function readHead(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(HEAD);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, HEAD, 0));
  } finally {
    closeSync(descriptor);
  }
}
