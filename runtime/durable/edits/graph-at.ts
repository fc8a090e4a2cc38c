import type { AnyGraph } from "../../graph/contract/contract.js";
import { childOf } from "../../graph/link/marks.js";

/** The graph that a node of a whole name, such as `Call/Ask` or `Each[2]/Ask`, stands in; else what is missing. */
export function graphAt(
  graph: AnyGraph,
  name: string,
): { readonly graph: AnyGraph } | { readonly gone: string } {
  let here: AnyGraph = graph;
  let next: AnyGraph | null = graph;
  const way: string[] = [];
  for (const part of name.split("/")) {
    way.push(part);
    const node: AnyGraph["definition"]["nodes"][string] | undefined =
      next?.definition.nodes[part.replace(/\[\d+\]$/, "")];
    if (next === null || node === undefined) return { gone: way.join("/") };
    here = next;
    next = childOf(node.agent as object);
  }
  return { graph: here };
}
