import {
  type AgentImport,
  camelCase,
  childSettings,
  emitIndex,
  emitModule,
  type IndexEntry,
  moduleNames,
} from "./3-emit/index.js";
import type { GraphIR, NodeIR } from "./ir.js";

/** A graph with what its module says of its sheet. */
export interface GraphToEmit {
  readonly graph: GraphIR;
  readonly fingerprint: string;
}

export interface EmitOptions {
  readonly findAgent: (node: NodeIR) => AgentImport;
  /** How imports end: `.js`, or `.ts` where the project wants it. */
  readonly extension: ".js" | ".ts";
  /** Modules of other sheets that stay in the folder: the index lists them, too, and their names are taken. */
  readonly others?: readonly { readonly name: string; readonly value: string | null }[];
}

/** The generated files of a project: one module a graph, and an index of them. */
export function emitFiles(
  graphs: readonly GraphToEmit[],
  { findAgent, extension, others = [] }: EmitOptions,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const stems = others.map(({ name }) => name.replace(/\.gen\.ts$/, ""));
  const names = moduleNames(
    graphs.map(({ graph }) => graph),
    stems,
  );
  const from = (index: number): string => `./${names[index]}.gen${extension}`;
  const modules = new Map(stems.map((stem, index) => [stem, others[index]!.value]));
  for (const [index, { graph, fingerprint }] of graphs.entries()) {
    const child = (node: NodeIR): { readonly from: string; readonly graph: string } | null => {
      const found = findChild(graphs, graph, node);
      return found === -1 ? null : { from: from(found), graph: graphs[found]!.graph.name };
    };
    const imports = { agent: findAgent, child };
    const { text, value } = emitModule(graph, { sheet: fileName(graph.file), fingerprint, imports });
    files.set(`${names[index]}.gen.ts`, text);
    modules.set(names[index]!, value);
  }
  const entries = indexEntries(modules, extension);
  if (entries.length > 0) files.set("index.gen.ts", emitIndex(entries));
  return files;
}

/** In the order of their names: the order of sheets and of their graphs changes nothing. */
function indexEntries(modules: ReadonlyMap<string, string | null>, extension: string): readonly IndexEntry[] {
  const taken = new Set<string>();
  return [...modules.keys()].sort().flatMap((name) => {
    const value = modules.get(name) ?? null;
    if (value === null) return [];
    const alias = taken.has(value) ? camelCase(name) : value;
    taken.add(alias);
    return [{ from: `./${name}.gen${extension}`, value, alias }];
  });
}

/** A sheet's name without folders. */
const fileName = (file: string): string =>
  file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);

/** The graph that a node runs: of its own sheet before those of others, or as `sheet::Graph`; -1 when it is not here. */
function findChild(graphs: readonly GraphToEmit[], parent: GraphIR, node: NodeIR): number {
  const { graph: wanted } = childSettings(node);
  if (typeof wanted !== "string") return -1;
  const own = graphs.findIndex(({ graph }) => graph.file === parent.file && graph.name === wanted);
  if (own !== -1) return own;
  const sheetOf = ({ file }: GraphIR): string => file.replaceAll("\\", "/").replace(/\.csv$/i, "");
  return graphs.findIndex(
    ({ graph }) => graph.name === wanted || isSuffix(`${sheetOf(graph)}::${graph.name}`, wanted),
  );
}

const isSuffix = (full: string, wanted: string): boolean => full === wanted || full.endsWith(`/${wanted}`);
