// How the JavaScript of dist/ is made: one bundle per public entry, with shared chunks.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The packages that nearly every command needs: bundled, they load in a third of the time. */
const BUNDLED = ["commander", "csv-parse"];

/** What all output has in common. */
export const OUTPUT = {
  format: "esm",
  platform: "node",
  target: "node20.19",
  // Node 20 knows them; rewritten to new RegExp they would be compiled whether they are used or not.
  supported: { "regexp-unicode-property-escapes": true },
  logLevel: "warning",
};

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/**
 * Brings the bundled packages in, all others stay outside.
 * @type {import("esbuild").Plugin}
 */
const bundledPackages = {
  name: "bundled-packages",
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${BUNDLED.join("|")})(/|$)`) }, ({ path }) => ({
      path: fileURLToPath(import.meta.resolve(path)),
    }));
  },
};

/**
 * Fetches Node's own modules instead of importing them: an import of node:fs alone loads all of Node's streams,
 * which costs a tenth of the time that Node takes to start. child_process is left out: commander takes it for a
 * feature that is not used here, and nothing in dist/ is to start a program.
 * @type {import("esbuild").Plugin}
 */
const nodeModules = {
  name: "node-modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) => ({
      path,
      namespace: kind === "require-call" ? "required" : "imported",
    }));
    onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => ({
      contents: path === "node:child_process" ? "" : `module.exports = process.getBuiltinModule("${path}")`,
    }));
    onLoad({ filter: /.*/, namespace: "imported" }, ({ path }) => ({ contents: fetched(path) }));
  },
};

/** A module that gives each export of one of Node's; what is not used of it is left out. */
function fetched(path) {
  const names = Object.keys(process.getBuiltinModule(path)).filter(
    (name) => /^[A-Za-z]\w*$/.test(name) && name !== "default",
  );
  const exports = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})();`);
  return [`const all = process.getBuiltinModule("${path}");`, "export default all;", ...exports].join("\n");
}

/** Bundles the entries into a folder; answers esbuild's account of what went where. */
export async function bundle({ entries, outdir }) {
  const { metafile } = await build({
    entryPoints: entries,
    outdir,
    outbase: ".",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    plugins: [bundledPackages, nodeModules],
    define: { FLOWSHEET_VERSION: JSON.stringify(version) },
    metafile: true,
    ...OUTPUT,
  });
  return metafile;
}

/** The licences of bundled packages, which their copies must carry. */
export function licencesOf(metafile) {
  return packagesIn(metafile)
    .map((name) => `${name}\n\n${licenceOf(name)}`)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function packagesIn({ inputs }) {
  const paths = Object.keys(inputs).join("\n");
  return BUNDLED.filter((name) => paths.includes(`node_modules/${name}/`));
}

function licenceOf(name) {
  return readFileSync(new URL(`../node_modules/${name}/LICENSE`, import.meta.url), "utf8");
}
