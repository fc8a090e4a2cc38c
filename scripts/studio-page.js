// Builds the page of the Studio into a folder: each file with a digest in its name, and packed beside it.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const PAGE = "runtime/studio/page";

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Leaves files out of a bundle; one of ours stands in for them. */
const without = (filter, name) => ({
  name,
  setup: ({ onResolve }) => onResolve({ filter }, () => ({ path: beside(name) })),
});
/** The page opens no test sheets: what understands them stays out of it. */
const NO_TESTS = without(/\/(?:understand-tests|cases|case-names)\.js$/, "no-test-sheets.js");
const NO_PROBLEMS = without(/\/diagnostics\/collect\.js$/, "no-problems.js");

const SETTINGS = {
  bundle: true,
  write: false,
  metafile: true,
  minify: true,
  // What names a module of Node cannot be bundled then.
  platform: "browser",
  format: "esm",
  target: "es2023",
  jsx: "automatic",
  jsxImportSource: "preact",
  alias: { "csv-parse/sync": beside("no-csv-parse.js") },
  logLevel: "warning",
};

/** Answers esbuild's accounts of what is in it. */
export async function buildStudioPage(folder) {
  mkdirSync(folder, { recursive: true });
  // What lays out comes later, and shares a file with the engine.
  const engine = await bundledInParts(folder, {
    entry: "engine/engine.worker.ts",
    name: "engine",
    chunks: "[name]",
  });
  const main = await bundledInParts(folder, {
    ...{ entry: "main.tsx", name: "main", chunks: "part", plugins: [NO_PROBLEMS] },
    define: { ENGINE_FILE: JSON.stringify(`./${engine.file}`) },
  });
  const style = await build({ ...SETTINGS, entryPoints: [join(PAGE, "style.css")] });
  const index = readFileSync(join(PAGE, "index.html"), "utf8")
    .replace("main.js", main.file)
    .replace(/(?=<script)/, main.atOnce.map((name) => `<link rel="modulepreload" href="${name}">\n`).join(""))
    .replace("style.css", write(folder, "style", "css", style.outputFiles[0].text));
  writePacked(folder, "index.html", index);
  return [engine.metafile, main.metafile];
}

/** A script and what it loads later, each a file of its own beside what both need. */
async function bundledInParts(folder, { entry, name, chunks, plugins = [], define = {} }) {
  const { outputFiles, metafile } = await build({
    ...SETTINGS,
    entryPoints: [join(PAGE, entry)],
    define,
    plugins: [NO_TESTS, ...plugins],
    splitting: true,
    outdir: folder,
    entryNames: `${name}-[hash]`,
    chunkNames: `${chunks}-[hash]`,
  });
  for (const { path, text } of outputFiles) writePacked(folder, basename(path), text);
  const [path, { imports }] = Object.entries(metafile.outputs).find(([file]) =>
    basename(file).startsWith(`${name}-`),
  );
  // The browser asks for them together with the first, which names them only when it has come.
  const atOnce = imports.filter(({ kind }) => kind === "import-statement");
  return { file: basename(path), atOnce: atOnce.map((one) => basename(one.path)), metafile };
}

function write(folder, name, extension, text) {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  const file = `${name}-${digest}.${extension}`;
  writePacked(folder, file, text);
  return file;
}

function writePacked(folder, file, text) {
  writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, `${file}.gz`), smallest(text));
}

/** How much memory packs best differs from file to file. */
function smallest(text) {
  const packed = [5, 6, 7, 8, 9].map((memLevel) => gzipSync(text, { level: 9, memLevel }));
  return packed.reduce((least, one) => (one.length < least.length ? one : least));
}
