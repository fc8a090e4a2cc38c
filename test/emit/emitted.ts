import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { builtinExport, builtinTypes } from "../../compiler/3-emit/builtin-agents.js";
import { emitFiles, type GraphToEmit, type Modules, modulesAmong } from "../../compiler/emit-files.js";
import type { GraphIR, NodeIR } from "../../compiler/ir.js";
import type { AnyGraph } from "../../runtime/graph/contract/contract.js";
import { fingerprintOf } from "../../runtime/graph/link/fingerprint.js";
import { agentModules } from "../../runtime/workflows/agent-modules.js";

/** The modules of graphs that run each other: of their own sheet before those of others, or as `sheet::Graph`. */
export const modulesOf = (graphs: readonly GraphIR[]): Modules =>
  modulesAmong(graphs, (graph, node) => findChild(graphs, graph, node));

function findChild(graphs: readonly GraphIR[], parent: GraphIR, { settings }: NodeIR): GraphIR | null {
  const wanted = settings["graph"];
  const own = graphs.find(({ file, name }) => file === parent.file && name === wanted);
  const fullName = ({ file, name }: GraphIR): string => `${file.replace(/\.csv$/, "")}::${name}`;
  return own ?? graphs.find((graph) => graph.name === wanted || fullName(graph) === wanted) ?? null;
}

/** Where modules of tests import every custom agent from. */
const AGENT_FILE = "../agents/custom.js";

/** The generated files of graphs, with all custom agents in one file. */
export function emitted(graphs: readonly GraphIR[]): ReadonlyMap<string, string> {
  const toEmit = graphs.map((graph): GraphToEmit => ({ graph, fingerprint: fingerprintOf(graph) }));
  const findAgent = (): { readonly from: string; readonly name: string } => ({
    from: AGENT_FILE,
    name: "Custom",
  });
  return emitFiles(toEmit, { findAgent, extension: ".js", modules: modulesOf(graphs) });
}

/** The one module of a graph. */
export function moduleOf(graph: GraphIR): string {
  const [text] = [...emitted([graph])].filter(([name]) => name !== "index.gen.ts").map(([, text]) => text);
  if (text === undefined) throw new Error("nothing was emitted");
  return text;
}

const SHARED = Symbol.for("flowsheet.test");

/**
 * Imports many generated modules at once, each with what it exports. They stand on the sources under test; an agent
 * that is not there yet, and every custom one, does nothing.
 */
export async function importModules(
  texts: readonly string[],
  folder: string,
  /** The files of the modules, where they import each other. */
  names: readonly string[] = [],
): Promise<readonly { readonly [name: string]: unknown }[]> {
  (globalThis as { [key: symbol]: unknown })[SHARED] = agentModules;
  const entry = texts.map((_, index) => `export * as m${index} from "module:${index}";`).join("\n");
  const { outputFiles } = await build({
    stdin: { contents: entry, loader: "js" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
    logLevel: "silent",
    charset: "utf8",
    plugins: [virtualModules(texts, names)],
  });
  const file = join(folder, `bundle-${count++}.mjs`);
  // esbuild writes strings its own way again, and vite takes text in them for the address of a source map.
  writeFileSync(file, outputFiles[0]!.text.replaceAll(/source(?=mappingurl)/gi, "\\u0073ource"));
  const all = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    readonly [name: string]: { readonly [name: string]: unknown };
  };
  return texts.map((_, index) => ({ ...all[`m${index}`] }));
}

let count = 0;

/** The graph that a module exports. */
export function graphIn(module: { readonly [name: string]: unknown }): AnyGraph {
  const [graph, ...others] = Object.values(module);
  if (graph === undefined || others.length > 0)
    throw new Error("a module exports its graph and nothing else");
  return graph as AnyGraph;
}

function virtualModules(texts: readonly string[], names: readonly string[]): Plugin {
  return {
    name: "virtual-modules",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^module:/ }, ({ path }) => ({ path, namespace: "module" }));
      onResolve({ filter: /^\.\/.*\.gen\.js$/ }, ({ path }) => ({
        path: `module:${names.indexOf(path.replace(/^\.\/(.*)\.js$/, "$1.ts"))}`,
        namespace: "module",
      }));
      onResolve({ filter: /^flowsheet\// }, ({ path }) => ({
        path,
        namespace: "shared",
        sideEffects: false,
      }));
      onResolve({ filter: /^\.\.\/agents\// }, ({ path }) => ({
        path,
        namespace: "custom",
        sideEffects: false,
      }));
      onLoad({ filter: /.*/, namespace: "module" }, ({ path }) => ({
        contents: texts[Number(path.slice("module:".length))]!,
        loader: "ts",
      }));
      onLoad({ filter: /.*/, namespace: "shared" }, ({ path }) => ({ contents: sharedModule(path) }));
      onLoad({ filter: /.*/, namespace: "custom" }, () => ({
        contents: "export function Custom() { return null; }",
      }));
    },
  };
}

function sharedModule(name: string): string {
  const there = Object.keys(agentModules[name] ?? {}).filter((key) => key !== "switch");
  const table = name === "flowsheet/agents" ? builtinTypes().filter((type) => type !== "graph") : [];
  const names = new Set([...there, ...table.map((type) => builtinExport(type).name)]);
  const from = `globalThis[Symbol.for("flowsheet.test")][${JSON.stringify(name)}]`;
  return [...names].map((key) => `export const ${key} = ${from}.${key} ?? (() => null);`).join("\n");
}
