import { join } from "node:path";
import { build } from "esbuild";

/** Bundles a program from the sources, to run as a process of its own; its packages stay outside. */
export async function bundleProgram(root, name) {
  const outfile = join(root, "node_modules", ".cache", "flowsheet-chaos", `${name}-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, `test/chaos/${name}.ts`)],
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
