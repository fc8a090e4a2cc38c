import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/**
 * The `file:` source of Flowsheet, relative to the new project. Then the project uses the same package, even an
 * unpublished one. Null for a package of a registry.
 */
export function packageSource(folder: string): string | null {
  const found = nearestPackage(folder);
  const source = found === null ? null : sourceIn(found);
  if (found === null || source === null || !source.startsWith("file:")) return null;
  const path = relative(folder, resolve(dirname(found), source.slice("file:".length)));
  return `file:${path.split(sep).join("/")}`;
}

function nearestPackage(folder: string): string | null {
  const file = join(folder, "package.json");
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? null : nearestPackage(dirname(folder));
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
