import { kebabCase, splitAcronyms } from "../3-emit/names.js";
import { agentBase, type NameRefusal } from "../agent-name.js";
import type { FieldType, GraphIR, NodeIR } from "../ir.js";
import { isObject, STRING, UNKNOWN } from "../types/field-type.js";
import { unionOf } from "../types/union.js";

/** What an agent is called, in each of the places where it has a name. */
export interface AgentName {
  /** Without the word Agent at its end: `NextRow`. */
  readonly base: string;
  /** `NextRowAgent`. */
  readonly className: string;
  /** Without its ending: `next-row`. */
  readonly file: string;
}

/** Understands an agent's name as a person or a sheet writes it; says why when it can be none. */
export function parseAgentName(text: string): AgentName | NameRefusal {
  const base = agentBase(text);
  if (typeof base !== "string") return base;
  return { base, className: `${base}Agent`, file: kebabCase(splitAcronyms(base)) };
}

/** One input of an agent, or one entry of its result. */
export interface Part {
  readonly name: string;
  readonly type: FieldType;
  /** Some row that uses the agent does not give it, or not always. */
  readonly optional: boolean;
}

/** A row that uses the agent. */
export interface Use {
  readonly graph: string;
  readonly node: string;
  readonly description: string;
  readonly prompt: string;
  /** The node that a failure leads to. */
  readonly onFailure: string;
}

/** An agent as rows of sheets use it. */
export interface AgentPlan {
  readonly name: AgentName;
  /** Null: no row tells, so any input is taken. */
  readonly inputs: readonly Part[] | null;
  /** The entries of the result; null: no row tells, so the result is one text. */
  readonly outputs: readonly Part[] | null;
  /** Some row takes the whole result as an object. */
  readonly whole: boolean;
  readonly uses: readonly Use[];
}

/** A node with the graph that it stands in. */
export interface UsingNode {
  readonly graph: GraphIR;
  readonly node: NodeIR;
}

/** An agent that no row uses yet. */
export const planGenericAgent = (name: AgentName): AgentPlan => ({
  name,
  inputs: null,
  outputs: null,
  whole: false,
  uses: [],
});

/**
 * The agent that fits all rows that use it: it takes the inputs of each, those optional that not every row surely
 * gives, and its result has the outputs of all.
 */
export function planAgent(name: AgentName, using: readonly UsingNode[]): AgentPlan {
  const inputs = mergeParts(using.map(inputsOf));
  const outputs = mergeParts(using.map(outputsOf)).map((part) => ({ ...part, optional: false }));
  const whole = using.some(({ node }) => takesWhole(node));
  return { name, inputs, outputs, whole, uses: using.map(useOf) };
}

/** An output that is an object takes the whole result when it stands alone; beside others it is one entry of it. */
function takesWhole({ writes }: NodeIR): boolean {
  const [only] = writes;
  return writes.length === 1 && only?.annotated === true && isObject(only.type);
}

function inputsOf({ graph, node }: UsingNode): readonly Part[] {
  return node.reads.map(({ param, field, path, sure, optional, type }) => {
    const known = path.length > 0 ? undefined : graph.fields.find(({ name }) => name === field);
    const found = type ?? (known === undefined ? UNKNOWN : known.type);
    // What is read inside a value may not be there, whatever the sheet says of the value.
    return { name: param, type: found, optional: optional || !sure };
  });
}

function outputsOf({ graph, node }: UsingNode): readonly Part[] {
  if (takesWhole(node)) return [];
  return node.writes.map(({ key, field, type }) => {
    const wanted = type ?? wantedType(graph, field) ?? STRING;
    return { name: key, type: wanted, optional: false };
  });
}

/** What a node that reads the field says of it. */
function wantedType(graph: GraphIR, field: string): FieldType | null {
  const reads = graph.nodes.flatMap((node) => node.reads);
  return (
    reads.find((read) => read.field === field && read.path.length === 0 && read.type !== null)?.type ?? null
  );
}

/** The parts of all rows; one that a row lacks is optional. */
function mergeParts(rows: readonly (readonly Part[])[]): readonly Part[] {
  const names = [...new Set(rows.flat().map(({ name }) => name))];
  return names.map((name) => {
    const found = rows.map((parts) => parts.find((part) => part.name === name));
    const there = found.filter((part) => part !== undefined);
    const optional = there.length < rows.length || there.some((part) => part.optional);
    return { name, type: unionOf(there.map(({ type }) => type)), optional };
  });
}

function useOf({ graph, node }: UsingNode): Use {
  const [failure] = node.onFailure;
  const text = (node.prompt ?? []).map((part) => (typeof part === "string" ? part : `{${part.join(".")}}`));
  return {
    graph: graph.name,
    node: node.name,
    description: node.description,
    prompt: text.join(""),
    onFailure: failure === undefined ? "" : (graph.nodes[failure]?.name ?? ""),
  };
}
