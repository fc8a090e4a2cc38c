import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll } from "vitest";

const BESIDE_PACKAGES = join("node_modules/.cache/flowsheet-store-test", `${process.pid}`);

/** Makes a script of this folder one that Node can run, as a rule where it finds the packages of the product. */
export async function scriptOf(name: string, folder = BESIDE_PACKAGES): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  afterAll(() => rmSync(outfile, { force: true }));
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  return outfile;
}

const run = promisify(execFile);

/** Runs a script to its end; what it prints is JSON. */
export async function answerOf(
  script: string,
  args: readonly string[],
  node = process.execPath,
): Promise<unknown> {
  const { stdout } = await run(node, [script, ...args]);
  return JSON.parse(stdout);
}
