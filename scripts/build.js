// Builds dist/: the bundles, the licences of what is bundled, and the declarations.
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, bundleAlone, bundleYaml, licencesOf, vendoredYaml } from "./bundle.js";
import { copyAssets } from "./copy-assets.js";
import { mergeChunks } from "./merge-chunks.js";
import { pruneDeclarations } from "./prune-declarations.js";
import { buildRuntimePackage } from "./runtime-package.js";
import { buildStudioPage } from "./studio-page.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
// Made aside first, so that what cannot be built leaves the last build in place.
const made = "node_modules/.cache/flowsheet-dist";
rmSync(made, { recursive: true, force: true });

const entries = [
  "runtime/index.ts",
  "runtime/graph/index.ts",
  "runtime/agents/index.ts",
  "runtime/testing/index.ts",
  "runtime/durable/index.ts",
  "runtime/services.ts",
  "runtime/net/databases/sqlite-process.ts",
  "runtime/http/index.ts",
  "runtime/otel/index.ts",
  "runtime/http/sheets/validation-worker.ts",
  "compiler/index.ts",
  "cli/bin.ts",
  "cli/process/stuck-watch.ts",
  "cli/server-bin.ts",
];
const isProgram = (entry) => entry.startsWith("cli/");
await bundle({ entries: entries.filter((entry) => !isProgram(entry)), outdir: made });
// The command line has a copy of its own: shared chunks would be many small files, each of which takes time to load.
const program = await bundle({
  entries: ["cli/main.ts"],
  outdir: made,
  chunk: "cli-[name]-[hash]",
  plugins: [vendoredYaml],
  clock: "cli/process/clock.ts",
});
const page = await buildStudioPage(`${made}/studio`);
const yaml = await bundleYaml(made);
// What most calls of the command line load, and should load fast.
await mergeChunks(program, {
  files: [
    { file: "cli/start.js", modules: ["cli/main.ts", "cli/commands/validate.ts"] },
    { file: "cli/run.js", modules: ["cli/commands/run.ts"] },
  ],
  outdir: made,
});
await bundleAlone({
  entries: entries.filter(isProgram),
  outdir: made,
  outside: { "./main.js": "./start.js" },
});
writeFileSync(`${made}/cli/package.json`, '{ "type": "commonjs" }\n');
rmSync("dist", { recursive: true, force: true });
renameSync(made, "dist");
writeFileSync("dist/LICENSES-OF-BUNDLED-PACKAGES.txt", licencesOf([program, yaml, ...page]));
for (const bin of ["bin", "server-bin"]) chmodSync(`dist/cli/${bin}.js`, 0o755);
copyAssets("dist/assets");

const native = createRequire(import.meta.url).resolve("@typescript/native/package.json");
execFileSync(process.execPath, [join(dirname(native), "bin/tsc"), "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
await buildRuntimePackage();
const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
pruneDeclarations(
  "dist",
  Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(types)])),
);
