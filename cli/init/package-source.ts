import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { foldersUpwards } from "../../compiler/files/inside.js";

/**
 * The `file:` source of Flowsheet, relative to the new project. Then the project uses the same package, even an
 * unpublished one. Null for a package of a registry.
 */
export function packageSource(folder: string): string | null {
  const found = foldersUpwards(folder)
    .map((one) => join(one, "package.json"))
    .find(existsSync);
  const source = found === undefined ? null : sourceIn(found);
  if (found === undefined || source === null || !source.startsWith("file:")) return null;
  const path = relative(folder, resolve(dirname(found), source.slice("file:".length)));
  return `file:${path.split(sep).join("/")}`;
}

/** Null when it does not name Flowsheet, or is not valid JSON. */
function sourceIn(file: string): string | null {
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(file, "utf8"));
    const source: unknown = { ...devDependencies, ...dependencies }.flowsheet;
    return typeof source === "string" ? source : null;
  } catch {
    return null;
  }
}
