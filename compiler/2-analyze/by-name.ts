import { createNear, type Near } from "../diagnostics/suggest.js";
import type { FieldIR, GraphIR, InputItem, NodeIR } from "../ir.js";

/** The first item of each name, in their order. */
export function firsts<T>(items: Iterable<T>, nameOf: (item: T) => string): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const item of items) {
    const name = nameOf(item);
    if (!found.has(name)) found.set(name, item);
  }
  return found;
}

const fields = new WeakMap<GraphIR["fields"], ReadonlyMap<string, FieldIR>>();
const nodes = new WeakMap<GraphIR["nodes"], ReadonlyMap<string, NodeIR>>();

/** The fields of a graph that is understood; worked out once, as long as the graph is as it is. */
export function fieldsByName(graph: GraphIR): ReadonlyMap<string, FieldIR> {
  const list = graph.fields;
  const known = fields.get(list) ?? firsts(list, ({ name }) => name);
  fields.set(list, known);
  return known;
}

const near = new WeakMap<GraphIR["fields"], Near>();
const required = new WeakMap<GraphIR["fields"], readonly FieldIR[]>();

/** The fields of a graph that a name may stand for. Very many nodes may run a graph of very many fields. */
export function nearFields({ fields: list }: GraphIR, name: string): readonly string[] {
  const known = near.get(list) ?? createNear(list.map((field) => field.name));
  near.set(list, known);
  return known(name);
}

/** The fields that whoever runs a graph must give. */
export function requiredFields({ fields: list }: GraphIR): readonly FieldIR[] {
  const known = required.get(list) ?? list.filter(({ input }) => input === "required");
  required.set(list, known);
  return known;
}

export function nodesByName(graph: GraphIR): ReadonlyMap<string, NodeIR> {
  const list = graph.nodes;
  const known = nodes.get(list) ?? firsts(list, ({ name }) => name);
  nodes.set(list, known);
  return known;
}

/** Up to this many inputs a plain loop is cheaper than a map. */
const FEW = 8;

interface InputsByName {
  readonly byParam: ReadonlyMap<string, InputItem>;
  readonly byField: ReadonlyMap<string, InputItem>;
}

const inputsKnown = new WeakMap<readonly InputItem[], InputsByName>();

function inputsByName(inputs: readonly InputItem[]): InputsByName {
  const known = inputsKnown.get(inputs) ?? {
    byParam: firsts(inputs, ({ param }) => param),
    byField: firsts(inputs, ({ field }) => field),
  };
  inputsKnown.set(inputs, known);
  return known;
}

/** The input of a name inside the agent. A node may have very many, and be asked for each. */
export const inputOfParam = (inputs: readonly InputItem[], name: string): InputItem | undefined =>
  inputs.length <= FEW ? inputs.find(({ param }) => param === name) : inputsByName(inputs).byParam.get(name);

/** The input of a name: by its name inside the agent, else by its field. */
export const inputOf = (inputs: readonly InputItem[], name: string): InputItem | undefined =>
  inputOfParam(inputs, name) ??
  (inputs.length <= FEW
    ? inputs.find(({ field }) => field === name)
    : inputsByName(inputs).byField.get(name));
