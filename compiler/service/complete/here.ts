import { trimText } from "../../1-parse/text/white-space.js";
import { findSetHere, type SetHere } from "../../2-analyze/fields/set-here.js";
import type { GraphIR, NodeIR } from "../../ir.js";
import type { About, AgentFacts } from "../../world.js";
import type { View } from "../document.js";
import { columnOf, type Layout } from "../layout.js";
import type { Caret } from "./caret.js";

/** The caret with what is known around it. */
export interface Here {
  readonly view: View;
  readonly layout: Layout;
  readonly caret: Caret;
  /** The graph of the row; of a case, the one that it tests. */
  readonly graph: GraphIR | null;
  /** The node of the row; null for a row that is none yet. */
  readonly node: NodeIR | null;
  /** Its number in the graph; -1 without one. */
  readonly index: number;
  /** Null for a custom agent. */
  readonly facts: AgentFacts | null;
  readonly about: About | null;
}

export function hereAt(view: View, layout: Layout, caret: Caret): Here {
  const name = cellOf({ layout, caret }, "graph_name");
  const [only] = view.graphs;
  const isOnly = view.kind === "tests" && name === "" && view.graphs.length === 1;
  const graph = isOnly ? (only ?? null) : (view.graphs.find((one) => one.name === name) ?? null);
  const index =
    view.kind === "tests" ? -1 : (graph?.nodes.findIndex(({ row }) => row === caret.record + 1) ?? -1);
  const node = graph?.nodes[index] ?? null;
  const about = view.world.about ?? null;
  return { view, layout, caret, graph, node, index, facts: factsOf(view, node), about };
}

/** The text of another cell of the row, trimmed. */
export function cellOf({ layout, caret }: Pick<Here, "layout" | "caret">, column: string): string {
  return trimText(caret.cells[columnOf(layout, column)] ?? "");
}

/** The facts of a node's agent; null for a custom one. */
export function factsOf({ world }: View, node: NodeIR | null): AgentFacts | null {
  if (node?.agent.builtin !== true) return null;
  return world.world.agents.find(({ type }) => type === node.agent.type) ?? null;
}

/** A graph by the name that a setting calls it by, also one of another sheet. */
export const graphNamed = ({ graphs, world }: View, name: string): GraphIR | null =>
  graphs.find((one) => one.name === name) ?? world.world.otherGraph?.(name) ?? null;

const known = new WeakMap<GraphIR, SetHere>();

/** `findSetHere` of a graph; it is worked out once for each. */
export function setHere(view: View, graph: GraphIR): SetHere {
  const found = known.get(graph);
  if (found !== undefined) return found;
  const { agents } = view.world.world;
  const made = findSetHere(graph, { agents, graphOf: (name) => graphNamed(view, name) });
  known.set(graph, made);
  return made;
}
