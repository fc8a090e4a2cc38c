#!/usr/bin/env node
declare const FLOWSHEET_VERSION: string;

// Node's own modules are fetched, not imported: importing them would load streams, which the version does not need.
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) printVersion();
else {
  // Older versions have no compile cache, and asking for it loads much of the module loader.
  if (Number.parseInt(process.versions.node, 10) >= 22) keepCompiled();
  void import("./main.js").then(({ main }) => main());
}

function keepCompiled(): void {
  const nodeModule = process.getBuiltinModule("node:module") as { readonly enableCompileCache?: () => void };
  nodeModule.enableCompileCache?.();
}

function printVersion(): void {
  try {
    process.getBuiltinModule("node:fs").writeSync(1, `${FLOWSHEET_VERSION}\n`);
  } catch {
    process.exitCode = 2;
  }
}
