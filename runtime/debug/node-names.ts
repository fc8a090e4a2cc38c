import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { AnyGraph, GraphDefinition, NodeTable, Stop } from "../graph/contract/contract.js";
import { childOf } from "../graph/link/marks.js";

type Definition = GraphDefinition<NodeTable, string>;

/** The nodes that a run of a graph can come to, also inside the graphs that it runs. */
export type NodeNames = ReturnType<typeof createNodeNames>;

/** A node is named as its own graph names it, or by its whole name: `Call/Ask`. */
export function createNodeNames({ definition }: AnyGraph) {
  const definitions = gather(definition);
  const names = new Set([...definitions].flatMap(({ nodes }) => Object.keys(nodes)));
  return {
    isKnown: (name: string): boolean => names.has(name) || leads(definition, withoutItems(name)),
    /** The node that a misspelt name may stand for. */
    meant: (name: string): string | null => suggest(name, names),
  };
}

/** A name of a loop's node means the node for all items. */
export const isNamed = (names: ReadonlySet<string>, { node, name }: Stop): boolean =>
  names.size > 0 && (names.has(name) || names.has(node) || names.has(withoutItems(node)));

const withoutItems = (name: string): string => name.replace(/\[\d+\](?=\/)/g, "");

function gather(first: Definition): ReadonlySet<Definition> {
  const found = new Set([first]);
  // A set is walked in the order of adding, and what is added meanwhile is walked as well.
  for (const { nodes } of found)
    for (const { agent } of Object.values(nodes)) {
      const child = childOf(agent as object);
      if (child !== null) found.add(child.definition);
    }
  return found;
}

function leads({ nodes }: Definition, name: string): boolean {
  if (Object.hasOwn(nodes, name)) return true;
  return Object.entries(nodes).some(([node, { agent }]) => {
    if (!name.startsWith(`${node}/`)) return false;
    const child = childOf(agent as object);
    return child !== null && leads(child.definition, name.slice(node.length + 1));
  });
}
