import type { GraphIR, NodeIR } from "../ir.js";
import { camelCase, pascalCase } from "./names.js";

/** Where an agent of a sheet comes from. */
export interface AgentImport {
  /** The module as the generated file imports it. */
  readonly from: string;
  readonly name: string;
}

/** The names of one module: allocated once, imported when used. */
export interface Scope {
  readonly types: {
    readonly input: string;
    readonly state: string;
    readonly nodes: string;
    readonly node: string;
  };
  readonly value: string;
  /** A type of `flowsheet/graph`. */
  readonly use: (type: string) => string;
  /** A function of `flowsheet/graph`. */
  readonly call: (name: string) => string;
  /** The local name of a node's agent. */
  readonly agent: (node: NodeIR) => string;
  readonly imports: () => readonly Import[];
}

export interface Import {
  readonly from: string;
  readonly names: readonly { readonly name: string; readonly alias: string; readonly isType: boolean }[];
}

/** Names that a module uses for itself, so that no graph's or agent's name may take them. */
const OWN = [
  "node",
  "nodes",
  "routes",
  "splits",
  "defineGraph",
  "nodeOf",
  "text",
  "Graph",
  "Node",
  "Output",
  "Reads",
  "Routes",
  "Splits",
];

/** JavaScript and TypeScript words that cannot name a value. */
const WORDS =
  "arguments as async await break case catch class const continue debugger default delete do else enum eval export extends false finally for from function if implements import in instanceof interface let new null of package private protected public return static super switch this throw true try type typeof undefined NaN Infinity var void while with yield any never".split(
    " ",
  );

/** Allocates the names of one module. */
export function createScope(graph: GraphIR, findAgent: (node: NodeIR) => AgentImport): Scope {
  const taken = new Set([...OWN, ...WORDS]);
  const allocate = (wanted: string): string => {
    let name = wanted;
    for (let i = 2; taken.has(name); i++) name = `${wanted}${i}`;
    taken.add(name);
    return name;
  };
  const base = pascalCase(graph.name);
  const types = {
    input: allocate(`${base}Input`),
    state: allocate(`${base}State`),
    nodes: allocate(`${base}Nodes`),
    node: allocate(`${base}Node`),
  };
  const value = allocate(camelCase(graph.name));
  const imports = new Map<string, Map<string, { alias: string; isType: boolean }>>();
  const add = (from: string, name: string, make: () => { alias: string; isType: boolean }): string => {
    const names = imports.get(from) ?? new Map<string, { alias: string; isType: boolean }>();
    imports.set(from, names);
    const known = names.get(name) ?? make();
    names.set(name, known);
    return known.alias;
  };
  return {
    types,
    value,
    use: (name) => add("flowsheet/graph", name, () => ({ alias: name, isType: true })),
    call: (name) => add("flowsheet/graph", name, () => ({ alias: name, isType: false })),
    agent: (node) => {
      const { from, name } = findAgent(node);
      return add(from, name, () => ({ alias: allocate(name), isType: false }));
    },
    imports: () =>
      [...imports].map(([from, names]) => ({
        from,
        names: [...names].map(([name, rest]) => ({ name, ...rest })),
      })),
  };
}
