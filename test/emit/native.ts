import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { createFolder } from "../cli/folder.js";

const native = createRequire(import.meta.url).resolve("@typescript/native/package.json");
const run = promisify(execFile);

/** What the native compiler says of a project; empty when all is well. */
export async function check(folder: string): Promise<string> {
  const tsc = join(dirname(native), "bin/tsc");
  try {
    await run(process.execPath, [tsc, "-p", folder], { maxBuffer: 10_000_000 });
    return "";
  } catch (thrown) {
    return (thrown as { readonly stdout: string }).stdout;
  }
}

/** A project of somebody who uses the package: no paths, no flags beside `strict`. */
export function createProject(compilerOptions: object): string {
  const folder = createFolder({
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, noEmit: true, ...compilerOptions } }),
  });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("."), join(folder, "node_modules/flowsheet"));
  return folder;
}
