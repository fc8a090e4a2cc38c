import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const root = process.cwd();

/** Workers are processes of their own, so they are bundled from the sources. */
export async function buildWorker(): Promise<string> {
  const folder = join(root, "node_modules", ".cache", "flowsheet-chaos");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `worker-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, "test/chaos/worker.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    alias: { "flowsheet/graph": join(root, "runtime/graph/index.ts") },
    logLevel: "warning",
  });
  return outfile;
}
