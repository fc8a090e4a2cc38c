// How our code is bundled for a browser's worker: nothing of Node, and no package that needs it.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles what `contents` imports into one file; answers its text and esbuild's account of what is in it. */
export async function bundleForBrowser(contents, { resolveDir, ...options }) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir, loader: "ts" },
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2023",
    alias: { "csv-parse/sync": fileURLToPath(new URL("no-csv-parse.js", import.meta.url)) },
    logLevel: "silent",
    ...options,
  });
  const [{ text }] = outputFiles;
  return { text, inputs: Object.keys(metafile.inputs) };
}
