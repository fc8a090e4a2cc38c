// Makes few files of the many chunks that the common commands need to start: each file costs the loader time.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { COMMONJS, OUTPUT } from "./bundle.js";

/**
 * Merges modules and all they import outright into CommonJS files: `files` names each with its modules. A later file
 * leaves out what an earlier one has; each exports what the first of its modules exports. All other chunks take what
 * they need from there, so that there is still one copy of everything.
 */
export async function mergeChunks({ outputs }, { files, outdir }) {
  const moved = placesOf(outputs, files, outdir);
  const text = new Map(
    Object.keys(outputs).map((chunk) => [chunk, redirected(readFileSync(chunk, "utf8"), chunk, moved)]),
  );
  const wanted = new Map([...text.values()].flatMap((one) => one.wanted).map(({ to }) => [to, new Set()]));
  for (const one of text.values())
    for (const { to, names } of one.wanted)
      for (const name of names ?? outputs[to.chunk].exports) wanted.get(to).add(name);
  for (const [chunk, { code }] of text) if (!moved.has(chunk)) writeFileSync(chunk, code);
  for (const { file } of files) {
    const places = [...moved.values()].filter((place) => place.file === join(outdir, file));
    await merge(join(outdir, file), places, { text, wanted });
  }
  for (const chunk of moved.keys()) rmSync(chunk);
}

/** By chunk: the file that it is moved to, and its number. */
function placesOf(outputs, files, outdir) {
  const moved = new Map();
  for (const { file, modules } of files)
    for (const chunk of importedBy(outputs, startsOf(outputs, modules)))
      if (!moved.has(chunk)) moved.set(chunk, { chunk, file: join(outdir, file), number: moved.size });
  return moved;
}

const startsOf = (outputs, modules) =>
  modules.map((entry) => Object.keys(outputs).find((file) => outputs[file].entryPoint === entry));

/** The outputs that some import, and what these import, without what is loaded on demand. */
function importedBy(outputs, starts) {
  const found = new Set(starts);
  for (const file of found) {
    for (const { kind, external, path } of outputs[file].imports)
      if (!external && kind === "import-statement") found.add(path);
  }
  return found;
}

/**
 * A chunk's text with its imports of merged chunks led to where these are now, and what it wants from there. A merged
 * file is CommonJS and there already: asked for by `require` it is only looked up, whereas an import would read all
 * its text for names.
 */
function redirected(text, chunk, moved) {
  const own = moved.get(chunk)?.file;
  const wanted = [];
  const find = (path) => moved.get(join(dirname(chunk), path));
  const exportsOf = (to, names) => {
    wanted.push({ to, names });
    const path = relative(dirname(chunk), to.file);
    const load = own === undefined ? LOAD : "require";
    return `${load}(${JSON.stringify(path.startsWith(".") ? path : `./${path}`)}).exportsOf(${to.number})`;
  };
  const code = text
    .replace(/^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$/gm, (statement, names, path) => {
      const to = find(path);
      if (to === undefined || to.file === own) return statement;
      if (names === undefined) return "";
      return `const {${names.replaceAll(" as ", ": ")}} = ${exportsOf(to, importedNames(names))};`;
    })
    .replace(/\bimport\("(\.[^"]+)"\)/g, (call, path) => {
      const to = find(path);
      return to === undefined ? call : `Promise.resolve().then(() => ${exportsOf(to, null)})`;
    });
  return { code: own === undefined && wanted.length > 0 ? `${LOADER}\n${code}` : code, wanted };
}

const LOAD = "requireMerged";
const LOADER = `const ${LOAD} = process.getBuiltinModule("node:module").createRequire(import.meta.url);`;

const importedNames = (names) => names.split(",").map((name) => name.trim().split(" as ")[0]);

/** Bundles chunks into one file, which has a function that gives what others want of each. */
async function merge(outfile, places, { text, wanted }) {
  const inside = new Set(places.map(({ chunk }) => chunk));
  await build({
    ...OUTPUT,
    ...COMMONJS,
    stdin: { contents: entryOf(places, wanted), resolveDir: process.cwd() },
    outfile,
    bundle: true,
    ignoreAnnotations: true,
    packages: "external",
    plugins: [chunksOf(inside, text, outfile)],
  });
}

function entryOf(places, wanted) {
  const pathTo = ({ chunk }) => JSON.stringify(`./${chunk}`);
  const given = places.filter((place) => wanted.has(place));
  const imports = given.map((place) => {
    const names = [...wanted.get(place)].map((name) => `${name} as _${place.number}_${name}`);
    return `import { ${names.join(", ")} } from ${pathTo(place)};`;
  });
  const cases = given.map((place) => {
    const entries = [...wanted.get(place)].map((name) => `${name}: _${place.number}_${name}`);
    return `${place.number}: () => ({ ${entries.join(", ")} }),`;
  });
  return [
    `export * from ${pathTo(places[0])};`,
    ...imports,
    `const all = { ${cases.join("\n")} };`,
    "export const exportsOf = (chunk) => all[chunk]();",
  ].join("\n");
}

const chunksOf = (inside, text, outfile) => ({
  name: "chunks",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const target = relative(process.cwd(), join(resolveDir, path));
      if (inside.has(target)) return { path: join(process.cwd(), target) };
      const way = relative(dirname(outfile), target);
      return { path: way.startsWith(".") ? way : `./${way}`, external: true };
    });
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const one = text.get(relative(process.cwd(), path));
      return { contents: one.code, loader: "js" };
    });
  },
});
