import type { Takes } from "../agent-files/declared-inputs.js";
import type { FieldIR, FieldType, GraphIR, Json, NodeIR } from "../ir.js";
import type { Names } from "../types/typescript.js";
import { builtinExport } from "./builtin-agents.js";
import { stringLiteral } from "./literals.js";
import { camelCase, pascalCase } from "./names.js";

export interface AgentImport {
  /** The module as the generated file imports it. */
  readonly from: string;
  readonly name: string;
  /** The declared types of its inputs. */
  readonly takes?: () => Takes | undefined;
}

export interface ChildImport {
  /** Null for the graph itself. */
  readonly from: string | null;
  readonly name: string;
}

/** Types refer to other graphs by the names of their modules. */
export interface ModuleTypes {
  readonly of: (field: FieldIR) => FieldType;
  readonly declared: ReadonlyMap<string, FieldType>;
  readonly passed: (node: NodeIR) => { readonly printed: ReadonlySet<string>; readonly isUnset: boolean };
}

export interface Imports {
  readonly agent: (node: Pick<NodeIR, "agent">) => AgentImport;
  /** The module of the graph that a node runs; null when nobody knows such a graph. */
  readonly child: (node: NodeIR) => ChildImport | null;
  /** A module by the name that types refer to. */
  readonly module: (name: string) => ChildImport | null;
  readonly types: ModuleTypes;
}

interface GraphNames {
  readonly input: string;
  readonly state: string;
  readonly nodes: string;
  readonly node: string;
  readonly value: string;
}

/** The package that modules import: the whole one, or the small one that only runs them. */
export type RuntimePackage = "flowsheet" | "flowsheet-runtime";

/** The names of one module: allocated once, imported when used. */
export interface Scope {
  readonly names: GraphNames;
  /** A type of `flowsheet/graph` or `flowsheet/agents`. */
  readonly use: (type: string) => string;
  /** A function of `flowsheet/graph`. */
  readonly call: (name: string) => string;
  /** A function of formulas. Its name gives way to those of graphs and agents. */
  readonly helper: (name: string) => string;
  readonly agent: (node: NodeIR) => string;
  /** The local name of the graph that a node runs; null when nobody knows its module. */
  readonly child: (node: NodeIR) => string | null;
  /** The local name of that graph's input, and of its state. */
  readonly childInput: (node: NodeIR) => string | null;
  readonly childState: (node: NodeIR) => string | null;
  readonly types: ModuleTypes;
  readonly typeNames: Names;
  /** A new name for a constant; the same key gives the same name again. */
  readonly own: (name: string, key?: string) => string;
  readonly imports: () => readonly Import[];
  /** Every local name that stands for a value. */
  readonly values: () => ReadonlySet<string>;
}

export interface Import {
  readonly from: string;
  readonly names: readonly { readonly name: string; readonly alias: string; readonly isType: boolean }[];
}

/** Names that every module uses: no graph or agent may have them. */
const OWN =
  "node nodes routes splits state inputs text at subgraph subgraphEach defineGraph nodeOf AgentFunction Branch EachFunction EachState Graph Input Item Node Output Passed Reads Receipt Routes Splits Partial Readonly Record ReturnType".split(
    " ",
  );

/** JavaScript and TypeScript words that cannot name a value. */
const WORDS = new Set(
  "arguments as async await break case catch class const continue debugger default delete do else enum eval export extends false finally for from function if implements import in instanceof interface let new null of package private protected public return static super switch this throw true try type typeof undefined NaN Infinity globalThis var void while with yield any never unknown object string number boolean symbol bigint".split(
    " ",
  ),
);

/** Contextual keywords. The check of modules accepts them only as names of properties. */
const WORDS_OF_PLACES = new Set(
  "abstract accessor assert asserts constructor declare defer get global infer intrinsic is keyof module namespace out override readonly require satisfies set unique using".split(
    " ",
  ),
);

/** A field with such a name is read as a property, not through a variable. */
export const isWord = (name: string): boolean => WORDS.has(name) || WORDS_OF_PLACES.has(name);

/** The names that other modules import: allocated first, so that nothing else can change them. */
export function graphNames(graph: string): GraphNames {
  return namesFrom(graph, createAllocator());
}

type Allocate = (wanted: string) => string;

function createAllocator(): Allocate {
  const taken = new Set([...OWN, ...WORDS]);
  return (wanted) => {
    let name = wanted;
    for (let i = 2; taken.has(name); i++) name = `${wanted}${i}`;
    taken.add(name);
    return name;
  };
}

function namesFrom(graph: string, allocate: Allocate): GraphNames {
  const base = pascalCase(graph);
  return {
    input: allocate(`${base}Input`),
    state: allocate(`${base}State`),
    nodes: allocate(`${base}Nodes`),
    node: allocate(`${base}Node`),
    value: allocate(camelCase(graph)),
  };
}

interface Local {
  readonly alias: string;
  readonly isType: boolean;
}

const EXPORTED_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Types of `flowsheet/agents`; all others are of `flowsheet/graph`. */
const OF_AGENTS: ReadonlySet<string> = new Set(["EachFunction", "EachState", "Receipt"]);

export function createScope(graph: GraphIR, find: Imports, runtime: RuntimePackage): Scope {
  const allocate = createAllocator();
  const names = namesFrom(graph.name, allocate);
  const imports = new Map<string, Map<string, Local>>();
  const keyed = new Map<string, string>();
  const [ofGraph, ofAgents] = [`${runtime}/graph`, `${runtime}/agents`];
  const own = new Set([names.value, "node", "nodes", "routes", "splits"]);
  /** A name keeps its own alias, unless one is wanted that nothing else has. */
  const add = (from: string, name: string, isType: boolean, wanted?: string): string => {
    const known = imports.get(from) ?? new Map<string, Local>();
    imports.set(from, known);
    const local = known.get(name) ?? { alias: wanted === undefined ? name : allocate(wanted), isType };
    known.set(name, local);
    return local.alias;
  };
  const agent = (node: NodeIR): string => {
    if (!node.agent.builtin) return customAgent(node);
    const isEach = childSettings(node).over !== undefined;
    if (node.agent.type === "graph") return add(ofAgents, isEach ? "subgraphEach" : "subgraph", false);
    const { name } = builtinExport(node.agent.type);
    return add(ofAgents, name, false, name);
  };
  const customAgent = (node: Pick<NodeIR, "agent">): string => {
    const { from, name } = find.agent(node);
    if (!EXPORTED_NAME.test(name))
      throw new Error(`${from} exports an agent under no name that can be imported`);
    return add(from, name, false, name === "default" ? pascalCase(node.agent.written) : name);
  };
  const use = (name: string): string => add(OF_AGENTS.has(name) ? ofAgents : ofGraph, name, true);
  const nameOf = (found: ChildImport | null, part: "value" | "input" | "state"): string | null => {
    if (found === null) return null;
    if (found.from === null) return names[part];
    const name = graphNames(found.name)[part];
    return add(found.from, name, part !== "value", name);
  };
  return {
    names,
    use,
    call: (name) => add(ofGraph, name, false),
    helper: (name) => add(ofGraph, name, false, name),
    agent,
    child: (node) => nameOf(find.child(node), "value"),
    childInput: (node) => nameOf(find.child(node), "input"),
    childState: (node) => nameOf(find.child(node), "state"),
    types: find.types,
    typeNames: {
      literal: stringLiteral,
      ofCode: {
        agent: (written) => customAgent({ agent: { type: written, written, builtin: false } }),
        state: (name) => nameOf(find.module(name), "state"),
        input: (name) => nameOf(find.module(name), "input"),
        use,
      },
    },
    own: (name, key) => {
      const known = key === undefined ? undefined : keyed.get(key);
      const given = known ?? allocate(name);
      if (key !== undefined) keyed.set(key, given);
      own.add(given);
      return given;
    },
    imports: () =>
      [...imports].map(([from, known]) => ({
        from,
        names: [...known].map(([name, local]) => ({ name, ...local })),
      })),
    values: () =>
      new Set([
        ...own,
        ...[...imports.values()].flatMap((known) => [...known.values()].map(({ alias }) => alias)),
      ]),
  };
}

export function childSettings({ settings }: NodeIR): {
  readonly graph: Json | undefined;
  readonly over: Json | undefined;
  readonly onError: Json | undefined;
} {
  const { graph, over, on_error: onError } = settings;
  return { graph, over, onError };
}
