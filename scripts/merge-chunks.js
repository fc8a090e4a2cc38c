// Makes few files of the many chunks that a command needs to start: each file costs the loader time.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { build } from "esbuild";

/**
 * Merges the chunks that `hot` modules import outright. Only chunks that the same public entries reach are merged,
 * so that no entry loads more than before; and since a chunk is reached by all that its importers are reached by,
 * the merged files import each other in one direction only.
 */
export async function mergeChunks({ outputs }, { hot, outdir }) {
  const groups = groupsOf(outputs, hot);
  const moved = new Map();
  for (const [index, group] of groups.entries()) {
    const file = join(outdir, "chunks", `start-${index}.js`);
    await merge(group, file, outputs);
    for (const [number, chunk] of group.entries()) moved.set(chunk, { file, prefix: prefixOf(number) });
  }
  const kept = Object.keys(outputs).filter((file) => !moved.has(file));
  for (const file of [...kept, ...groups.map((_group, index) => join(outdir, "chunks", `start-${index}.js`))]) {
    writeFileSync(file, redirected(file, moved));
  }
  for (const file of moved.keys()) rmSync(file);
}

const prefixOf = (number) => `_${number}_`;

/** The chunks to merge: those that the same public entries reach and the same hot modules import. */
function groupsOf(outputs, hot) {
  const isEntry = (file) => outputs[file].entryPoint !== undefined && !file.includes("/chunks/");
  const reachedBy = [
    ...Object.keys(outputs).filter(isEntry).map((entry) => closure(outputs, [entry], () => true)),
    ...startsOf(outputs, hot).map((start) => importedBy(outputs, [start])),
  ];
  const groups = new Map();
  for (const chunk of importedBy(outputs, startsOf(outputs, hot))) {
    const key = reachedBy.map((reached) => reached.has(chunk)).join();
    groups.set(key, [...(groups.get(key) ?? []), chunk]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

const startsOf = (outputs, hot) => Object.keys(outputs).filter((file) => hot.includes(outputs[file].entryPoint));
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
            kind !== "entry-point" && (kind === "dynamic-import" || !inside.has(path)) ? { path, external: true } : undefined,
          ),
      },
    ],
    format: "esm",
    platform: "node",
    target: "node20.19",
    supported: { "regexp-unicode-property-escapes": true },
    logLevel: "warning",
  });
}

/** A file's text with imports of merged chunks led to where these are now. */
function redirected(file, moved) {
  const found = (path) => moved.get(join(dirname(file), path));
  const pathTo = (target) => JSON.stringify(`./${relative(dirname(file), target)}`.replace("./..", ".."));
  return readFileSync(file, "utf8")
    .replace(/^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$/gm, (statement, names, path) => {
      const to = found(path);
      if (to === undefined) return statement;
      if (to.file === file) throw new Error(`${file} imports itself`);
      if (names === undefined) return `import ${pathTo(to.file)};`;
      return `import {${names.replace(/(\w[\w$]*)( as [\w$]+)?/g, (_all, name, alias) => `${to.prefix}${name}${alias ?? ` as ${name}`}`)}} from ${pathTo(to.file)};`;
    })
    .replace(/\bimport\("(\.[^"]+)"\)/g, (call, path) => {
      const to = found(path);
      return to === undefined ? call : `import(${pathTo(to.file)}).then((module) => module.${to.prefix})`;
    });
}
