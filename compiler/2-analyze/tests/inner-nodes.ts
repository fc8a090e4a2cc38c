import type { GraphIR, NodeIR } from "../../ir.js";

/** A node that is named, perhaps inside a sub-graph; `unseen` when it is one of a graph of another sheet. */
export type MockedNode = NodeIR | "unseen";

/** The node of a name such as `Ask`, `Call/Ask`, or `Each[2]/Ask` for one item; null when there is none. */
export function findInside(name: string, graph: GraphIR, graphs: readonly GraphIR[]): MockedNode | null {
  const found = graph.nodes.find((node) => node.name === name);
  if (found !== undefined) return found;
  for (const caller of graph.nodes) {
    const child = calledBy(caller);
    if (child === null || !name.startsWith(caller.name)) continue;
    const rest = /^(?:\[\d+\])?\/(.+)$/s.exec(name.slice(caller.name.length))?.[1];
    if (rest === undefined) continue;
    const inner = graphs.find((one) => one.name === child);
    return inner === undefined ? "unseen" : findInside(rest, inner, graphs);
  }
  return null;
}

/** The graph that a node runs; null for all other nodes. */
function calledBy({ agent, settings }: NodeIR): string | null {
  const { graph } = settings;
  return agent.builtin && agent.type === "graph" && typeof graph === "string" ? graph : null;
}

/** The names that a case may use: the nodes, and those of the graphs that they run. */
export function namesInside(graph: GraphIR, graphs: readonly GraphIR[]): readonly string[] {
  return graph.nodes.flatMap((node) => {
    const inner = graphs.find((one) => one.name === calledBy(node));
    return [node.name, ...(inner?.nodes ?? []).map(({ name }) => `${node.name}/${name}`)];
  });
}
