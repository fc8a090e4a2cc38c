// How the JavaScript of dist/ is made: one bundle per public entry, with shared chunks.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules, createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * The packages that nearly every command needs: bundled, they load in a third of the time. And those of the language
 * server and of workbooks, so that nobody installs them who does not need them.
 */
const BUNDLED = [
  "csv-parse",
  "saxes",
  "xmlchars",
  "vscode-jsonrpc",
  "vscode-languageserver",
  "vscode-languageserver-protocol",
  "vscode-languageserver-textdocument",
  "vscode-languageserver-types",
];
/** And one that a command needs where there is a configuration. */
const VENDORED = ["yaml"];
/** Those of the page of the Studio. */
const IN_PAGE = ["preact", "@preact/signals", "@preact/signals-core", "@dagrejs/dagre"];

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
      path: fileOf(path),
    }));
  },
};

/** xmlchars is imported without endings of files, as older packages are. */
const fileOf = (path) =>
  path.startsWith("xmlchars/")
    ? createRequire(import.meta.url).resolve(path)
    : fileURLToPath(import.meta.resolve(path));

/** Bundled packages name some of them without `node:`. */
const BUILTIN = new RegExp(`^(?:node:.*|${builtinModules.join("|")})$`);

/**
 * Fetches Node's own modules instead of importing them: an import of node:fs alone loads all of Node's streams,
 * which costs a tenth of the time that Node takes to start.
 * @type {import("esbuild").Plugin}
 */
const nodeModules = {
  name: "node-modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: BUILTIN }, ({ path, kind }) => ({
      path: path.startsWith("node:") ? path : `node:${path}`,
      namespace: kind === "require-call" ? "required" : "imported",
    }));
    onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("${path}")`,
    }));
    onLoad({ filter: /.*/, namespace: "imported" }, ({ path }) => ({ contents: fetched(path) }));
  },
};

/** A module that gives each export of one of Node's; what is not used of it is left out. */
function fetched(path) {
  // Few calls need it, and it brings the loader of the newer kind of modules along.
  if (path === "node:module")
    return `export const createRequire = (from) => process.getBuiltinModule("${path}").createRequire(from);`;
  // Fetched with the first call: it brings all of Node's streams along, and few sheets are workbooks.
  if (path === "node:zlib")
    return Object.keys(process.getBuiltinModule(path))
      .filter((name) => /^(?:crc32|create[A-Z]\w*|\w+Sync)$/.test(name))
      .map(
        (name) => `export const ${name} = (...all) => process.getBuiltinModule("${path}").${name}(...all);`,
      )
      .join("\n");
  const names = Object.keys(process.getBuiltinModule(path)).filter(
    (name) => /^[A-Za-z]\w*$/.test(name) && name !== "default",
  );
  const exports = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})();`);
  return [`const all = process.getBuiltinModule("${path}");`, "export default all;", ...exports].join("\n");
}

const COMMON = {
  outbase: ".",
  bundle: true,
  packages: "external",
  plugins: [bundledPackages, nodeModules],
  define: { FLOWSHEET_VERSION: JSON.stringify(version) },
  metafile: true,
};

/**
 * Bundles the entries into a folder, with shared chunks; answers esbuild's account of what went where. A `clock` is a
 * module whose `clockNow` stands in for `performance.now`.
 */
export async function bundle({ entries, outdir, chunk = "[name]-[hash]", plugins = [], clock }) {
  const { metafile } = await build({
    ...COMMON,
    ...OUTPUT,
    entryPoints: entries,
    outdir,
    chunkNames: `chunks/${chunk}`,
    splitting: true,
    ...(clock === undefined
      ? {}
      : { inject: [clock], define: { ...COMMON.define, "performance.now": "clockNow" } }),
    plugins: [...plugins, ...COMMON.plugins],
  });
  return metafile;
}

/**
 * Bundles each entry into one CommonJS file: Node starts the first module of a process in half the time when it is
 * none of the newer kind. What an entry imports of `outside` stays a file of its own, under the given path.
 */
export async function bundleAlone({ entries, outdir, outside }) {
  const plugin = {
    name: "outside",
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.{1,2}\// }, ({ path }) =>
        outside[path] === undefined ? undefined : { path: outside[path], external: true },
      ),
  };
  await build({
    ...COMMON,
    ...OUTPUT,
    ...COMMONJS,
    entryPoints: entries,
    outdir,
    plugins: [plugin, ...COMMON.plugins],
    // An import() would start the other loader as well.
    supported: { ...OUTPUT.supported, "dynamic-import": false },
  });
}

/** Where the command line finds its copy of yaml, from any of its files. */
const YAML = "../vendor/yaml.cjs";

/**
 * Lets the command line load its own copy of yaml: seventy files in one, in a quarter of the time.
 * @type {import("esbuild").Plugin}
 */
export const vendoredYaml = {
  name: "vendored-yaml",
  setup: ({ onLoad }) =>
    onLoad({ filter: /runtime[\\/]config[\\/]yaml\.ts$/ }, ({ path }) => {
      const [before, after, ...more] = readFileSync(path, "utf8").split('(import.meta.url)("yaml")');
      if (after === undefined || more.length > 0) throw new Error(`${path} loads yaml in an unknown way`);
      return { contents: `${before}(import.meta.url)("${YAML}")${after}`, loader: "ts" };
    }),
};

/**
 * Lets the agents of another package find their services under its name.
 * @returns {import("esbuild").Plugin}
 */
export const runtimeName = (name) => ({
  name: "runtime-name",
  setup: ({ onLoad }) =>
    onLoad({ filter: /runtime[\\/]agents[\\/]default-services\.ts$/ }, ({ path }) => {
      const [before, after, ...more] = readFileSync(path, "utf8").split('"flowsheet/services"');
      if (after === undefined || more.length > 0)
        throw new Error(`${path} names its services in an unknown way`);
      return { contents: `${before}"${name}/services"${after}`, loader: "ts" };
    }),
});

/** Makes that copy. */
export async function bundleYaml(outdir) {
  const { metafile } = await build({
    ...OUTPUT,
    format: "cjs",
    minify: true,
    stdin: { contents: `export { ${namesOfYaml()} } from "yaml";`, resolveDir: import.meta.dirname },
    // The modules of its newer kind: what is not used of them is left out.
    conditions: ["browser"],
    outfile: join(outdir, "vendor/yaml.cjs"),
    bundle: true,
    metafile: true,
  });
  return metafile;
}

/** What the configuration's room uses of yaml. */
function namesOfYaml() {
  const room = new URL("../runtime/config/", import.meta.url);
  const sources = readdirSync(room).map((name) => readFileSync(new URL(name, room), "utf8"));
  const names = sources.flatMap((text) =>
    [...text.matchAll(/\byaml\.([a-zA-Z]+)\(/g)].map(([, name]) => name),
  );
  return [...new Set(names)].join(", ");
}

/** What CommonJS output has in common. */
export const COMMONJS = {
  format: "cjs",
  minify: true,
  define: { ...COMMON.define, "import.meta.url": "moduleUrl" },
  banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
};

/** The licences of bundled packages, which their copies must carry. */
export function licencesOf(metafiles) {
  return packagesIn(metafiles)
    .map((name) => `${name}\n\n${licenceOf(name)}`)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function packagesIn(metafiles) {
  const paths = metafiles.flatMap(({ inputs }) => Object.keys(inputs)).join("\n");
  return [...BUNDLED, ...VENDORED, ...IN_PAGE].filter((name) => paths.includes(`node_modules/${name}/`));
}

function licenceOf(name) {
  const files = ["LICENSE", "License.txt"].map(
    (file) => new URL(`../node_modules/${name}/${file}`, import.meta.url),
  );
  const found = files.find((file) => existsSync(file));
  return found === undefined ? statedLicence(name) : readFileSync(found, "utf8");
}

/** The licence that a package names where it has no file of it. */
function statedLicence(name) {
  const about = JSON.parse(
    readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8"),
  );
  if (about.license !== "ISC") throw new Error(`${name} has no file of its licence`);
  return `The ISC License

Copyright (c) ${about.author?.name ?? about.author} and contributors

Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR
IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
`;
}
