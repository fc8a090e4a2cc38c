import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Ended, runProgram } from "./program.js";

const root = process.cwd();

/** What `npm install` would bring: this package and the tools, as links. */
export function linkPackages(folder: string): void {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  const link = (from: string, to: string): void => symlinkSync(resolve(root, from), join(modules, to));
  link(".", "flowsheet");
  link("node_modules/vitest", "vitest");
  mkdirSync(join(modules, "@types"));
  link("node_modules/@types/node", "@types/node");
  link("node_modules/@typescript/native", "typescript");
  link("dist/cli/bin.js", ".bin/flowsheet");
  link("node_modules/vitest/vitest.mjs", ".bin/vitest");
  link("node_modules/@typescript/native/bin/tsc", ".bin/tsc");
}

/** Type-checks a project with the compiler that its package.json asks for. */
export const typeCheck = (cwd: string): Promise<Ended> =>
  runProgram(process.execPath, [resolve(root, "node_modules/@typescript/native/bin/tsc")], cwd);

/** Runs the vitest tests of a project. */
export const runTests = (cwd: string): Promise<Ended> =>
  runProgram(process.execPath, [resolve(root, "node_modules/vitest/vitest.mjs"), "run", "--root", cwd], cwd);

/** Lints a project with the rules that biome has by default, and looks whether its formatter would leave it alone. */
export function lint(cwd: string): Promise<Ended> {
  const biome = resolve(root, "node_modules/@biomejs/biome/bin/biome");
  const how = ["--error-on-warnings", "--assist-enabled=false", "--indent-style=space", "--line-width=110"];
  return runProgram(process.execPath, [biome, "check", ...how, "agents"], cwd);
}
