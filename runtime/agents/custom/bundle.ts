import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildFailure, Message, Plugin, PluginBuild } from "esbuild";
import type { Position } from "../../../compiler/diagnostics/lines.js";
import { replaceFile } from "../../../compiler/files/replace-file.js";

export interface Bundle {
  readonly file: string;
  readonly out: string;
  /** The modules of this package by name, such as `flowsheet/agents`. */
  readonly modules: { readonly [name: string]: object };
}

interface Source {
  readonly path: string;
  readonly size: number;
  readonly time: number;
}

const SHARED = "flowsheet.modules";

/** Bundles an agent, unless no file has changed since the last time. Returns the URL to import. */
export async function bundleAgent(
  bundle: Bundle,
  fail: (message: string, place: Position | null) => Error,
): Promise<string> {
  share(bundle.modules);
  const known = await readSources(bundle);
  if (known !== null && (await areUnchanged(known))) return urlOf(bundle.out, known);
  try {
    const sources = await build(bundle);
    await replaceFile(`${bundle.out}.json`, JSON.stringify({ exports: exportsOf(bundle.modules), sources }));
    return urlOf(bundle.out, sources);
  } catch (thrown) {
    const [first] = (thrown as Partial<BuildFailure>).errors ?? [];
    if (first === undefined) throw thrown;
    throw fail(first.text, placeOf(first));
  }
}

export async function faultIn(
  file: string,
): Promise<{ readonly message: string; readonly place: Position | null } | null> {
  const { transform } = await import("esbuild");
  try {
    await transform(await readFile(file, "utf8"), { loader: "js", logLevel: "silent" });
    return null;
  } catch (thrown) {
    const [first] = (thrown as Partial<BuildFailure>).errors ?? [];
    return first === undefined ? null : { message: first.text, place: placeOf(first) };
  }
}

const placeOf = ({ location }: Message): Position | null =>
  location === null ? null : { line: location.line, column: location.column + 1 };

/** Bundled agents take the modules of this package from here, so that the process has only one copy of them. */
function share(modules: Bundle["modules"]): void {
  const shared = globalThis as { [key: symbol]: unknown };
  shared[Symbol.for(SHARED)] = { ...(shared[Symbol.for(SHARED)] as object | undefined), ...modules };
}

const exportsOf = (modules: Bundle["modules"]): readonly (readonly [string, readonly string[]])[] =>
  Object.entries(modules).map(([name, module]) => [name, Object.keys(module).sort()] as const);

async function readSources({ out, modules }: Bundle): Promise<readonly Source[] | null> {
  try {
    const kept = JSON.parse(await readFile(`${out}.json`, "utf8")) as {
      exports: unknown;
      sources: readonly Source[];
    };
    return JSON.stringify(kept.exports) === JSON.stringify(exportsOf(modules)) ? kept.sources : null;
  } catch {
    return null;
  }
}

async function areUnchanged(sources: readonly Source[]): Promise<boolean> {
  const now = await Promise.all(sources.map(({ path }) => sourceAt(path).catch(() => null)));
  return now.every(
    (source, index) => source?.size === sources[index]?.size && source?.time === sources[index]?.time,
  );
}

async function sourceAt(path: string): Promise<Source> {
  const { size, mtimeMs } = await stat(path);
  return { path, size, time: mtimeMs };
}

/** Node caches modules by URL, so a changed agent needs a new one. */
function urlOf(out: string, sources: readonly Source[]): string {
  const version = sources.reduce((sum, { time, size }) => sum + time + size, 0);
  return `${pathToFileURL(out).href}?v=${version}`;
}

async function build({ file, out, modules }: Bundle): Promise<readonly Source[]> {
  const esbuild = await import("esbuild");
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: dirname(file),
    entryPoints: [file],
    outfile: out,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    metafile: true,
    write: false,
    logLevel: "silent",
    // A CommonJS dependency of the agent may call require.
    banner: {
      js: `import { createRequire as requireOf } from "node:module";\nconst require = requireOf(${JSON.stringify(pathToFileURL(file).href)});`,
    },
    plugins: [ourModules(modules), otherPackages(), ownPlaces()],
  });
  // Another process may be reading the old file.
  await replaceFile(out, outputFiles[0]!.contents);
  const paths = Object.keys(metafile.inputs).filter((path) => !path.includes(":"));
  return Promise.all(paths.map((path) => sourceAt(`${dirname(file)}/${path}`)));
}

/** Modules of this package are taken from the running process. */
function ourModules(modules: Bundle["modules"]): Plugin {
  return {
    name: "flowsheet-modules",
    setup(build: PluginBuild) {
      build.onResolve({ filter: /^flowsheet(-runtime)?(\/|$)/ }, ({ path }) =>
        Object.hasOwn(modules, path) ? { path, namespace: "flowsheet" } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: "flowsheet" }, ({ path }) => ({
        contents: shim(path, modules[path] ?? {}),
      }));
    },
  };
}

function shim(name: string, module: object): string {
  const keys = Object.keys(module).map((key) => JSON.stringify(key));
  const locals = keys.map((key, index) => `const x${index} = m[${key}];`);
  const list = keys.map((key, index) => `x${index} as ${key}`);
  const from = `globalThis[Symbol.for(${JSON.stringify(SHARED)})][${JSON.stringify(name)}]`;
  return `const m = ${from};\n${locals.join("\n")}\nexport { ${list.join(", ")} };\n`;
}

/** Other packages are not bundled. They are resolved from the agent's folder, not from the cache. */
function otherPackages(): Plugin {
  const LOOKED_UP = Symbol("looked up");
  return {
    name: "flowsheet-packages",
    setup(build: PluginBuild) {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
        if (pluginData === LOOKED_UP || path.startsWith("node:")) return undefined;
        const options = { kind, resolveDir, importer, pluginData: LOOKED_UP };
        const { path: found, errors } = await build.resolve(path, options);
        if (errors.length > 0) return { errors: [{ text: `the package "${path}" is not installed` }] };
        const isPath = found.startsWith("/") || /^[a-z]:\\/i.test(found);
        // require takes paths, import takes URLs.
        const isRequired = kind === "require-call" || kind === "require-resolve";
        return { path: isPath && !isRequired ? pathToFileURL(found).href : found, external: true };
      });
    },
  };
}

/** Keeps `import.meta.url` as it was: agents find files beside their own, not in the cache. */
function ownPlaces(): Plugin {
  return {
    name: "flowsheet-places",
    setup(build: PluginBuild) {
      build.onLoad({ filter: /\.m?[jt]s$/, namespace: "file" }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        if (!text.includes("import.meta.")) return undefined;
        const places: { readonly [name: string]: string } = {
          url: pathToFileURL(path).href,
          filename: path,
          dirname: dirname(path),
        };
        const contents = text.replace(/\bimport\.meta\.(url|filename|dirname)\b/g, (_, name: string) =>
          JSON.stringify(places[name]),
        );
        return { contents, loader: /ts$/.test(path) ? "ts" : "js" };
      });
    },
  };
}
