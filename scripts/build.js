// Builds dist/: the bundles, the licences of what is bundled, and the declarations.
import { execFileSync } from "node:child_process";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, licencesOf } from "./bundle.js";
import { mergeChunks } from "./merge-chunks.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
// Made aside first, so that what cannot be built leaves the last build in place.
const made = "node_modules/.cache/flowsheet-dist";
rmSync(made, { recursive: true, force: true });

const metafile = await bundle({
  entries: [
    "runtime/index.ts",
    "runtime/graph/index.ts",
    "runtime/agents/index.ts",
    "runtime/testing/index.ts",
    "compiler/index.ts",
    "cli/bin.ts",
  ],
  outdir: made,
});
await mergeChunks(metafile, {
  // What most calls of the command line load, and should load fast.
  hot: ["cli/main.ts", "cli/commands/validate.ts", "cli/commands/run.ts"],
  outdir: made,
});
rmSync("dist", { recursive: true, force: true });
renameSync(made, "dist");
writeFileSync("dist/LICENSES-OF-BUNDLED-PACKAGES.txt", licencesOf(metafile));
chmodSync("dist/cli/bin.js", 0o755);

const native = createRequire(import.meta.url).resolve("@typescript/native/package.json");
execFileSync(process.execPath, [join(dirname(native), "bin/tsc"), "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
