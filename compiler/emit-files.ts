import {
  type AgentImport,
  type ChildImport,
  camelCase,
  childSettings,
  emitIndex,
  emitModule,
  type Imports,
  type IndexEntry,
  inFlowOrder,
  linkFields,
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
  given: readonly GraphToEmit[],
  { findAgent, extension, others = [] }: EmitOptions,
): ReadonlyMap<string, string> {
  const graphs = given.map((one) => ({ ...one, graph: inFlowOrder(one.graph) }));
  const files = new Map<string, string>();
  const stems = others.map(({ name }) => name.replace(/\.gen\.ts$/, ""));
  const names = moduleNames(
    graphs.map(({ graph }) => graph),
    stems,
  );
  const from = (index: number): string => `./${names[index]}.gen${extension}`;
  const modules = new Map(stems.map((stem, index) => [stem, others[index]!.value]));
  const children = findChildren(graphs);
  const child = (node: NodeIR): ChildImport | null => {
    const found = children.get(node);
    return found === undefined ? null : { from: from(found), graph: graphs[found]!.graph };
  };
  const linked = linkFields(
    graphs.map(({ graph }) => graph),
    (node) => child(node)?.graph ?? null,
  );
  const imports: Imports = { agent: findAgent, child, linked };
  for (const [index, { graph, fingerprint }] of graphs.entries()) {
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

/** The graphs that nodes run, as indices. */
function findChildren(graphs: readonly GraphToEmit[]): ReadonlyMap<NodeIR, number> {
  const children = new Map<NodeIR, number>();
  for (const { graph } of graphs)
    for (const node of graph.nodes) {
      const found = findChild(graphs, graph, node);
      if (found !== -1) children.set(node, found);
    }
  return children;
}

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
