// Makes one file of the many chunks that the common commands need to start: each file costs the loader time.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { COMMONJS, OUTPUT } from "./bundle.js";

/**
 * Merges the `hot` modules and all they import outright into one CommonJS file, which exports what the first of them
 * exports. The other chunks take what they need from there, so that there is still one copy of everything.
 */
export async function mergeChunks({ outputs }, { hot, outdir, outfile }) {
  const file = join(outdir, outfile);
  const chunks = [...importedBy(outputs, startsOf(outputs, hot))];
  await merge(chunks, file, outputs);
  const moved = new Map(chunks.map((chunk, index) => [chunk, { file, prefix: prefixOf(index) }]));
  for (const kept of Object.keys(outputs).filter((path) => !moved.has(path)))
    writeFileSync(kept, redirected(kept, moved));
  for (const chunk of moved.keys()) rmSync(chunk);
}

const prefixOf = (number) => `_${number}_`;

const startsOf = (outputs, hot) =>
  hot.map((entry) => Object.keys(outputs).find((file) => outputs[file].entryPoint === entry));

/** The outputs that some import, and what these import, without what is loaded on demand. */
function importedBy(outputs, starts) {
  const found = new Set(starts);
  for (const file of found) {
    for (const { kind, external, path } of outputs[file].imports)
      if (!external && kind === "import-statement") found.add(path);
  }
  return found;
}

/** Bundles chunks into one file that exports what each of them exports, under names of its own. */
async function merge(chunks, outfile, outputs) {
  const pathTo = (chunk) => JSON.stringify(`./${relative(dirname(outfile), chunk)}`);
  const lines = chunks.flatMap((chunk, number) => {
    const names = outputs[chunk].exports.map((name) => `${name} as ${prefixOf(number)}${name}`);
    return [
      `export { ${names.join(", ")} } from ${pathTo(chunk)};`,
      `export * as ${prefixOf(number)} from ${pathTo(chunk)};`,
    ];
  });
  const inside = new Set(chunks);
  await build({
    ...OUTPUT,
    ...COMMONJS,
    stdin: {
      contents: [`export * from ${pathTo(chunks[0])};`, ...lines].join("\n"),
      resolveDir: dirname(outfile),
    },
    outfile,
    bundle: true,
    ignoreAnnotations: true,
    packages: "external",
    plugins: [
      {
        name: "outside",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
            const target = relative(process.cwd(), join(resolveDir, path));
            if (inside.has(target)) return undefined;
            return { path: `./${relative(dirname(outfile), target)}`, external: true };
          }),
      },
    ],
  });
}

/**
 * A file's text with its imports of merged chunks led to where these are now. The merged file is CommonJS and there
 * already: asked for by `require` it is only looked up, whereas an import would read all its text for names.
 */
function redirected(file, moved) {
  const target = (path) => moved.get(join(dirname(file), path));
  let merged;
  const text = readFileSync(file, "utf8")
    .replace(/^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$/gm, (statement, names, path) => {
      const to = target(path);
      if (to === undefined) return statement;
      merged = to.file;
      return names === undefined ? "" : `const {${renamed(names, to.prefix)}} = ${MERGED};`;
    })
    .replace(/\bimport\("(\.[^"]+)"\)/g, (call, path) => {
      const to = target(path);
      if (to === undefined) return call;
      merged = to.file;
      return `Promise.resolve(${MERGED}.${to.prefix})`;
    });
  return merged === undefined ? text : `${fetching(relative(dirname(file), merged))}\n${text}`;
}

const MERGED = "mergedChunks";
const fetching = (path) =>
  `const ${MERGED} = process.getBuiltinModule("node:module").createRequire(import.meta.url)("${path}");`;

/** The names of an import by what they are called in the merged file. */
function renamed(names, prefix) {
  return names.replace(
    /([\w$]+)(?: as ([\w$]+))?/g,
    (_all, name, alias = name) => `${prefix}${name}: ${alias}`,
  );
}
