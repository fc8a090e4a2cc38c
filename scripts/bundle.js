// How the JavaScript of dist/ is made: one bundle per public entry, with shared chunks.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The packages that nearly every command needs: bundled, they load in a third of the time. */
const BUNDLED = ["commander", "csv-parse"];

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/**
 * Brings the bundled packages in, all others stay outside. CommonJS code among them gets Node's modules without
 * a require of its own. child_process is left out: commander takes it for a feature that is not used here, and
 * nothing in dist/ is to start a program.
 * @type {import("esbuild").Plugin}
 */
const bundledPackages = {
  name: "bundled-packages",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(${BUNDLED.join("|")})(/|$)`) }, ({ path }) => ({
      path: fileURLToPath(import.meta.resolve(path)),
    }));
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === "require-call" ? { path, namespace: "node" } : { path, external: true },
    );
    onLoad({ filter: /.*/, namespace: "node" }, ({ path }) => ({
      contents: path === "node:child_process" ? "" : `module.exports = process.getBuiltinModule("${path}")`,
    }));
  },
};

/** Bundles the entries into a folder; answers which packages went into the bundles. */
export async function bundle({ entries, outdir }) {
  const { metafile } = await build({
    entryPoints: entries,
    outdir,
    outbase: ".",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    plugins: [bundledPackages],
    define: { FLOWSHEET_VERSION: JSON.stringify(version) },
    format: "esm",
    platform: "node",
    target: "node20.19",
    // Node 20 knows them; rewritten to new RegExp they would be compiled whether they are used or not.
    supported: { "regexp-unicode-property-escapes": true },
    metafile: true,
    logLevel: "warning",
  });
  const inputs = Object.keys(metafile.inputs).join("\n");
  return BUNDLED.filter((name) => inputs.includes(`node_modules/${name}/`));
}

/** The licences of bundled packages, which their copies must carry. */
export function licencesOf(packages) {
  return packages.map((name) => `${name}\n\n${licenceOf(name)}`).join(`\n${"-".repeat(80)}\n\n`);
}

function licenceOf(name) {
  return readFileSync(new URL(`../node_modules/${name}/LICENSE`, import.meta.url), "utf8");
}
