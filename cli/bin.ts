#!/usr/bin/env node
import { writeSync } from "node:fs";
import nodeModule from "node:module";
import { version } from "./version.js";

// Node 20 has no compile cache: it is looked up on the module instead of being imported by name.
(nodeModule as { readonly enableCompileCache?: () => void }).enableCompileCache?.();

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) printVersion();
else await (await import("./main.js")).main();

/** Opening a stream would take longer than all the rest. */
function printVersion(): void {
  try {
    writeSync(1, `${version}\n`);
  } catch {
    process.exitCode = 2;
  }
}
