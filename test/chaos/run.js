// The long form of the kill matrix: npm run chaos. The sources are bundled, as the test runner does not start here.
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..", "..");
process.chdir(root);
const outfile = join(root, "node_modules", ".cache", "flowsheet-chaos", `main-${process.pid}.mjs`);
await build({
  entryPoints: [join(root, "test/chaos/main.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  alias: { "flowsheet/graph": join(root, "runtime/graph/index.ts") },
  logLevel: "warning",
});
await import(outfile);
