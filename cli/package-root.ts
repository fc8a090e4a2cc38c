import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that this package is installed in: its templates and its types are there. */
export function packageRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "templates")) && existsSync(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) throw new Error("the folder of this package holds no templates");
  }
}
