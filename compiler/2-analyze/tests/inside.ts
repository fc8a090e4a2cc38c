import type { GraphIR, NodeIR } from "../../ir.js";
import { nodesByName } from "../by-name.js";

/** A node on the way that a name such as `Call/Ask` goes. */
export interface Step {
  readonly graph: GraphIR;
  readonly node: NodeIR;
  /** The offset in the name. */
  readonly from: number;
}

export interface Way {
  readonly steps: readonly Step[];
  /** `unseen`: the last step runs a graph that is not known here. */
  readonly end: "node" | "unseen" | "nothing";
}

/** The graph that a node of another one runs; null when it is not known. */
export type GraphOf = (name: string, from: GraphIR) => GraphIR | null;

/** The nodes that a name such as `Ask`, `Call/Ask` or `Each[2]/Ask` goes by; a node's whole name is that node. */
export function wayOf(name: string, graph: GraphIR, graphOf: GraphOf): Way {
  const steps: Step[] = [];
  for (let from = 0, within = graph; ; ) {
    const rest = name.slice(from);
    const found = nodesByName(within).get(rest);
    if (found !== undefined) return { steps: [...steps, { graph: within, node: found, from }], end: "node" };
    const caller = callerIn(within, rest);
    if (caller === null) return { steps, end: "nothing" };
    const { node, length } = caller;
    steps.push({ graph: within, node, from });
    const inner = graphOf(calledBy(node) ?? "", within);
    if (inner === null) return { steps, end: "unseen" };
    within = inner;
    from += length;
  }
}

/** No name of a node is longer, also with the number of an item behind it. */
const LONGEST = 300;

/** The first node of a graph that runs another and begins a name, and how much of the name it takes. */
function callerIn(graph: GraphIR, name: string): { readonly node: NodeIR; readonly length: number } | null {
  let first: { readonly node: NodeIR; readonly length: number } | null = null;
  for (let at = name.indexOf("/"); at >= 0 && at < LONGEST; at = name.indexOf("/", at + 1)) {
    const head = name.slice(0, at);
    for (const one of new Set([head, head.replace(/\[\d+\]$/, "")])) {
      const node = nodesByName(graph).get(one);
      if (node === undefined || one === "" || calledBy(node) === null || at + 1 === name.length) continue;
      if (first === null || node.index < first.node.index) first = { node, length: at + 1 };
    }
  }
  return first;
}

/** The graph that a node runs; null for all other nodes. */
export function calledBy({ agent, settings }: NodeIR): string | null {
  const { graph } = settings;
  return agent.builtin && agent.type === "graph" && typeof graph === "string" ? graph : null;
}

/** So many names inside of graphs are offered. */
const MOST_INSIDE = 10_000;

/** The names that a case may use: the nodes, and those of the graphs that they run. */
export function namesInside(graph: GraphIR, graphOf: GraphOf): readonly string[] {
  let left = MOST_INSIDE;
  return graph.nodes.flatMap((node) => {
    const called = calledBy(node);
    const inner = called === null ? null : graphOf(called, graph);
    const names = (inner?.nodes ?? []).slice(0, left).map(({ name }) => `${node.name}/${name}`);
    left -= names.length;
    return [node.name, ...names];
  });
}
