// Checks, bundles and packs the extension for VS Code: editors/vscode/flowsheet-<version>.vsix.
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const FOLDER = "editors/vscode";
/** 4.x needs Node 22. */
const VSCE = "@vscode/vsce@3.9.2";

const shell = process.platform === "win32";
const run = (command, args, cwd = ".") => execFileSync(command, args, { cwd, shell, stdio: "inherit" });

run("npm", ["ci", "--no-audit", "--no-fund"], FOLDER);
run("npx", ["--no-install", "tsc", "-p", FOLDER, "--noEmit"]);
await build({
  entryPoints: [join(FOLDER, "src/extension.ts")],
  outfile: join(FOLDER, "dist/extension.js"),
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  legalComments: "inline",
  // The modules of the language client that Node loads; its other build is for browsers.
  mainFields: ["main"],
});
copyFileSync("LICENSE", join(FOLDER, "LICENSE"));
const { version } = JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8"));
run(
  "npx",
  [
    "--yes",
    VSCE,
    "package",
    "--no-dependencies",
    "--allow-missing-repository",
    "--out",
    `flowsheet-${version}.vsix`,
  ],
  FOLDER,
);
