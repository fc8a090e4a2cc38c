// Makes few files of the many chunks that a command needs to start: each file costs the loader time.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { build, transform } from "esbuild";
import { OUTPUT } from "./bundle.js";

/**
 * Merges the chunks that `hot` modules import outright. Only chunks that the same public entries and the same hot
 * modules reach are merged, so nothing loads more code than before; and since whatever reaches a chunk reaches what
 * it imports, the merged files import each other in one direction only.
 */
export async function mergeChunks({ outputs }, { hot, outdir }) {
  const merged = groupsOf(outputs, hot).map((chunks, index) => ({
    chunks,
    file: join(outdir, "chunks", `start-${index}.js`),
  }));
  for (const { chunks, file } of merged) await merge(chunks, file, outputs);
  const moved = new Map(
    merged.flatMap(({ chunks, file }) =>
      chunks.map((chunk, index) => [chunk, { file, prefix: prefixOf(index) }]),
    ),
  );
  const kept = Object.keys(outputs).filter((file) => !moved.has(file));
  for (const file of kept) writeFileSync(file, redirected(file, moved));
  for (const { file } of merged) writeFileSync(file, await minified(redirected(file, moved)));
  for (const file of moved.keys()) rmSync(file);
}

const prefixOf = (number) => `_${number}_`;

/** The chunks to merge: those that the same public entries reach and the same hot modules import. */
function groupsOf(outputs, hot) {
  const isEntry = (file) => outputs[file].entryPoint !== undefined && !file.includes("/chunks/");
  const reachedBy = [
    ...Object.keys(outputs)
      .filter(isEntry)
      .map((entry) => closure(outputs, [entry], () => true)),
    ...startsOf(outputs, hot).map((start) => importedBy(outputs, [start])),
  ];
  const groups = new Map();
  for (const chunk of importedBy(outputs, startsOf(outputs, hot))) {
    const key = reachedBy.map((reached) => reached.has(chunk)).join();
    groups.set(key, [...(groups.get(key) ?? []), chunk]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

const startsOf = (outputs, hot) =>
  Object.keys(outputs).filter((file) => hot.includes(outputs[file].entryPoint));
const importedBy = (outputs, starts) => closure(outputs, starts, ({ kind }) => kind === "import-statement");

/** The outputs that are imported from some, by the imports that count. */
function closure(outputs, starts, counts) {
  const found = new Set(starts);
  for (const file of found) {
    for (const imported of outputs[file].imports) {
      if (!imported.external && counts(imported)) found.add(imported.path);
    }
  }
  return found;
}

/** Bundles chunks into one file that exports what each of them exports, under names of its own. */
async function merge(group, outfile, outputs) {
  const lines = group.flatMap((chunk, number) => {
    const path = JSON.stringify(`./${basename(chunk)}`);
    const names = outputs[chunk].exports.map((name) => `${name} as ${prefixOf(number)}${name}`);
    return [`export { ${names.join(", ")} } from ${path};`, `export * as ${prefixOf(number)} from ${path};`];
  });
  const inside = new Set(group.map((chunk) => `./${basename(chunk)}`));
  await build({
    stdin: { contents: lines.join("\n"), resolveDir: dirname(group[0]) },
    outfile,
    bundle: true,
    ignoreAnnotations: true,
    plugins: [
      {
        name: "outside",
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ path, kind }) =>
            kind !== "entry-point" && (kind === "dynamic-import" || !inside.has(path))
              ? { path, external: true }
              : undefined,
          ),
      },
    ],
    ...OUTPUT,
  });
}

/** A file's text with its imports of merged chunks led to where these are now. */
function redirected(file, moved) {
  const target = (path) => moved.get(join(dirname(file), path));
  const pathTo = ({ file: merged }) => {
    const way = relative(dirname(file), merged);
    return JSON.stringify(way.startsWith(".") ? way : `./${way}`);
  };
  return readFileSync(file, "utf8")
    .replace(/^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$/gm, (statement, names, path) => {
      const to = target(path);
      if (to === undefined) return statement;
      return names === undefined
        ? `import ${pathTo(to)};`
        : `import {${renamed(names, to.prefix)}} from ${pathTo(to)};`;
    })
    .replace(/\bimport\("(\.[^"]+)"\)/g, (call, path) => {
      const to = target(path);
      return to === undefined ? call : `import(${pathTo(to)}).then((module) => module.${to.prefix})`;
    });
}

/** Half the text to read: it saves two milliseconds at each start. */
async function minified(text) {
  return (await transform(text, { ...OUTPUT, minify: true })).code;
}

/** The names of an import by what they are called in the merged file. */
function renamed(names, prefix) {
  return names.replace(
    /([\w$]+)( as [\w$]+)?/g,
    (_all, name, alias = ` as ${name}`) => `${prefix}${name}${alias}`,
  );
}
