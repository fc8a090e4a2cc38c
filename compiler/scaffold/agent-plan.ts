import { kebabCase, splitAcronyms } from "../3-emit/names.js";
import { agentBase, type NameRefusal } from "../agent-name.js";
import type { FieldType, GraphIR, NodeIR } from "../ir.js";
import { isObject, STRING, UNKNOWN } from "../types/field-type.js";
import { unionOf } from "../types/union.js";

export interface AgentName {
  /** Without the word Agent at its end: `NextRow`. */
  readonly base: string;
  /** `NextRowAgent`. */
  readonly className: string;
  /** Without its ending: `next-row`. */
  readonly file: string;
}

/** Says why when the text cannot name an agent. */
export function parseAgentName(text: string): AgentName | NameRefusal {
  const base = agentBase(text);
  if (typeof base !== "string") return base;
  return { base, className: `${base}Agent`, file: kebabCase(splitAcronyms(base)) };
}

export interface Part {
  readonly name: string;
  readonly type: FieldType;
  /** Some row omits it, or may omit it. */
  readonly optional: boolean;
}

export interface Use {
  readonly graph: string;
  readonly node: string;
  readonly description: string;
  readonly prompt: string;
  /** The name of the node after a failure; empty when there is none. */
  readonly onFailure: string;
}

export interface AgentPlan {
  readonly name: AgentName;
  /** Null when no row uses the agent: then any input is accepted. */
  readonly inputs: readonly Part[] | null;
  /** Null when no row uses the agent: then the result is one text. */
  readonly outputs: readonly Part[] | null;
  /** Some row writes the whole result into one object field. */
  readonly whole: boolean;
  readonly uses: readonly Use[];
}

export interface UsingNode {
  readonly graph: GraphIR;
  readonly node: NodeIR;
}

export const planGenericAgent = (name: AgentName): AgentPlan => ({
  name,
  inputs: null,
  outputs: null,
  whole: false,
  uses: [],
});

/**
 * The agent must fit all rows that use it. An input that some row may omit is optional, and the result has the outputs
 * of all rows.
 */
export function planAgent(name: AgentName, using: readonly UsingNode[]): AgentPlan {
  const inputs = mergeParts(using.map(inputsOf));
  const outputs = mergeParts(using.map(outputsOf)).map((part) => ({ ...part, optional: false }));
  const whole = using.some(({ node }) => takesWhole(node));
  return { name, inputs, outputs, whole, uses: using.map(useOf) };
}

/** A single object output receives the whole result; beside other outputs it is one entry. */
function takesWhole({ writes }: NodeIR): boolean {
  const [only] = writes;
  return writes.length === 1 && only?.annotated === true && isObject(only.type);
}

function inputsOf({ graph, node }: UsingNode): readonly Part[] {
  return node.reads.map(({ param, field, path, sure, optional, type }) => {
    const known = path.length > 0 ? undefined : graph.fields.find(({ name }) => name === field);
    const found = type ?? (known === undefined ? UNKNOWN : known.type);
    // A path into a value may lead to nothing, even where the value is surely set.
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

function wantedType(graph: GraphIR, field: string): FieldType | null {
  const reads = graph.nodes.flatMap((node) => node.reads);
  return (
    reads.find((read) => read.field === field && read.path.length === 0 && read.type !== null)?.type ?? null
  );
}

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
