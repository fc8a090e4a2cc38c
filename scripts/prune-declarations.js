// Removes the declarations that nobody can import: TypeScript writes one for each file of the sources.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where a declaration file names another one: `from "./a.js"`, `import("./a.js")`. */
const NAMED = /\b(?:from |import\(|import )"(\.{1,2}\/[^"]+)\.js"/g;

/** The declarations of the entries, and all that they import. */
export function declarationsOf(entries) {
  const found = new Set(entries);
  for (const file of found)
    for (const [, path] of readFileSync(file, "utf8").matchAll(NAMED))
      found.add(join(dirname(file), `${path}.d.ts`));
  return found;
}

/** Keeps the declarations of the public entries, and all that they import. */
export function pruneDeclarations(folder, entries) {
  const kept = declarationsOf(entries);
  const files = readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  for (const file of files.filter((path) => path.endsWith(".d.ts") && !kept.has(path))) rmSync(file);
}
