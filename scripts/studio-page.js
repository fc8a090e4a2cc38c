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
  external: ["./layout-*.js"],
  logLevel: "warning",
};

/** Answers esbuild's accounts of what is in it. */
export async function buildStudioPage(folder) {
  mkdirSync(folder, { recursive: true });
  const layout = await bundled("engine/layout.ts");
  const layoutFile = `./${write(folder, "layout", "js", layout.text)}`;
  const engine = await bundled("engine/engine.worker.ts", { LAYOUT_FILE: JSON.stringify(layoutFile) });
  const engineFile = write(folder, "engine", "js", engine.text);
  const main = await bundledInParts(folder, { ENGINE_FILE: JSON.stringify(engineFile) });
  const style = await bundled("style.css");
  const index = readFileSync(join(PAGE, "index.html"), "utf8")
    .replace("main.js", main.file)
    .replace(/(?=<script)/, main.atOnce.map((name) => `<link rel="modulepreload" href="${name}">\n`).join(""))
    .replace("style.css", write(folder, "style", "css", style.text));
  writePacked(folder, "index.html", index);
  return [layout.metafile, engine.metafile, main.metafile];
}

async function bundled(entry, define = {}) {
  const entryPoints = [join(PAGE, entry)];
  const { outputFiles, metafile } = await build({
    ...{ ...SETTINGS, entryPoints, define },
    plugins: [NO_TESTS],
  });
  return { text: outputFiles[0].text, metafile };
}

/** The page and what it loads later, each a file of its own beside what both need. */
async function bundledInParts(folder, define) {
  const { outputFiles, metafile } = await build({
    ...SETTINGS,
    entryPoints: [join(PAGE, "main.tsx")],
    define,
    plugins: [NO_TESTS, NO_PROBLEMS],
    splitting: true,
    outdir: folder,
    entryNames: "main-[hash]",
    chunkNames: "part-[hash]",
  });
  for (const { path, text } of outputFiles) writePacked(folder, basename(path), text);
  const [[path, { imports }]] = Object.entries(metafile.outputs).filter(([name]) => /\bmain-/.test(name));
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
