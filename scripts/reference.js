// What the scripts that write references have in common: they read the sources, and write or compare one page.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Loads modules of the sources as they are: a reference needs no build, and the package exports nothing for its sake. */
export async function loadSources(exports, external = []) {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-docs-"));
  const outfile = join(folder, "bundle.mjs");
  const stdin = { contents: exports, resolveDir: root };
  await build({ stdin, bundle: true, outfile, format: "esm", platform: "node", external });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes a page; with --check it only says whether the page is as it must be. */
export function writeReference(page, wanted, script) {
  const file = join(root, page);
  if (!process.argv.includes("--check")) writeFileSync(file, wanted);
  else if (!existsSync(file) || readFileSync(file, "utf8") !== wanted) {
    console.error(`${page} is out of date: run node ${script}`);
    process.exitCode = 1;
  }
}
