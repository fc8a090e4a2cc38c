import { linkTypes } from "./2-analyze/fields/module-types.js";
import { untypedInputs } from "./2-analyze/fields/untyped-inputs.js";
import { emitIndex, emitModule, type IndexEntry } from "./3-emit/emit-module.js";
import { moduleNames } from "./3-emit/names.js";
import { inFlowOrder } from "./3-emit/row-order.js";
import type { AgentImport, ChildImport, RuntimePackage } from "./3-emit/scope.js";
import type { FieldType, GraphIR, NodeIR } from "./ir.js";

export interface GraphToEmit {
  readonly graph: GraphIR;
  readonly fingerprint: string;
}

/** Graphs are compared by identity, since two sheets may have graphs of one name. */
export interface Modules {
  /** The name of a graph's file, without `.gen.ts`. */
  readonly nameOf: (graph: GraphIR) => string;
  /** The graph that a node runs; null when it runs none, or one that nobody knows. */
  readonly childOf: (graph: GraphIR, node: NodeIR) => GraphIR | null;
}

export interface EmitOptions {
  readonly findAgent: (node: Pick<NodeIR, "agent">) => AgentImport;
  /** The extension in imports: `.ts` only where the project asks for it. */
  readonly extension: ".js" | ".ts";
  /** Modules that stay in the folder as they are: the index lists them, too. */
  readonly others?: readonly { readonly name: string; readonly value: string | null }[];
  readonly modules: Modules;
  readonly runtime?: RuntimePackage;
}

export function emitFiles(
  graphs: readonly GraphToEmit[],
  { findAgent, extension, others = [], modules, runtime = "flowsheet" }: EmitOptions,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const values = new Map(others.map(({ name, value }) => [name.replace(/\.gen\.ts$/, ""), value]));
  const { flows, children } = followFlows(graphs, modules);
  const byModule = new Map([...flows.keys()].map((graph) => [modules.nameOf(graph), graph]));
  const names = new Map([...flows].map(([graph, flow]) => [flow, modules.nameOf(graph)]));
  const typesOf = linkTypes({
    graphs: [...flows.values()],
    childOf: (node) => flows.get(children.get(node)!) ?? null,
    moduleOf: (flow) => names.get(flow)!,
  });
  for (const { graph, fingerprint } of graphs) {
    const importOf = (found: GraphIR | undefined): ChildImport | null => {
      if (found === undefined) return null;
      const from = found === graph ? null : `./${modules.nameOf(found)}.gen${extension}`;
      return { from, name: found.name };
    };
    const imports = {
      agent: findAgent,
      child: (node: NodeIR) => importOf(children.get(node)),
      module: (name: string) => importOf(byModule.get(name)),
      types: { ...typesOf(flows.get(graph)!), declared: declaredIn(graph, findAgent) },
    };
    const about = { sheet: fileName(graph.file), fingerprint, imports, runtime };
    const { text, value } = emitModule(flows.get(graph)!, about);
    files.set(`${modules.nameOf(graph)}.gen.ts`, text);
    values.set(modules.nameOf(graph), value);
  }
  const entries = indexEntries(values, extension);
  if (entries.length > 0) files.set("index.gen.ts", emitIndex(entries));
  return files;
}

/** Types of inputs that only the code of agents declares: a run of the sheet alone does not know them. */
function declaredIn(graph: GraphIR, findAgent: EmitOptions["findAgent"]): ReadonlyMap<string, FieldType> {
  const found = untypedInputs(graph, (node, param) => findAgent(node).takes?.()?.get(param));
  return new Map(found.map(({ read, type }) => [read.field, type]));
}

interface Flows {
  /** Each graph as it is printed. */
  readonly flows: ReadonlyMap<GraphIR, GraphIR>;
  /** The graphs that nodes run. */
  readonly children: ReadonlyMap<NodeIR, GraphIR>;
}

/** The given graphs and all graphs that they run: types may come from graphs that are not printed now. */
function followFlows(graphs: readonly GraphToEmit[], { childOf }: Modules): Flows {
  const flows = new Map<GraphIR, GraphIR>();
  const children = new Map<NodeIR, GraphIR>();
  const seen = new Set(graphs.map(({ graph }) => graph));
  for (const graph of seen) {
    const flow = inFlowOrder(graph);
    flows.set(graph, flow);
    for (const node of flow.nodes) {
      const child = childOf(graph, node);
      if (child === null) continue;
      children.set(node, child);
      seen.add(child);
    }
  }
  return { flows, children };
}

/** For a caller that has all graphs of the project. */
export function modulesAmong(graphs: readonly GraphIR[], childOf: Modules["childOf"]): Modules {
  const listed = moduleNames(graphs);
  const names = new Map(graphs.map((graph, index) => [graph, listed[index]!]));
  return { nameOf: (graph) => names.get(graph)!, childOf };
}

/**
 * Sorted by name, so that the order of sheets changes nothing. Modules that export the same name all get an alias:
 * otherwise a new graph could take over the name of another in existing imports.
 * The alias has a `_`, which no graph's own name has.
 */
function indexEntries(modules: ReadonlyMap<string, string | null>, extension: string): readonly IndexEntry[] {
  const listed = [...modules].flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  const count = new Map<string, number>();
  for (const { value } of listed) count.set(value, (count.get(value) ?? 0) + 1);
  const aliasOf = (name: string, value: string): string =>
    count.get(value) === 1 ? value : `${value}_${name.replaceAll("-", "_")}`;
  return listed
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, value }) => ({ from: `./${name}.gen${extension}`, value, alias: aliasOf(name, value) }));
}

const fileName = (file: string): string =>
  file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
