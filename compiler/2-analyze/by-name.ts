import type { FieldIR, GraphIR, NodeIR } from "../ir.js";

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

export function nodesByName(graph: GraphIR): ReadonlyMap<string, NodeIR> {
  const list = graph.nodes;
  const known = nodes.get(list) ?? firsts(list, ({ name }) => name);
  nodes.set(list, known);
  return known;
}
