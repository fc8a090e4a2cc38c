import type { View } from "../../../../compiler/service/document.js";
import { listEdges } from "../../../draw/edges.js";
import { familyOf } from "../../../draw/svg/svg-style.js";
import type { GraphOfSheet, Problem, Understood } from "./messages.js";

/** What the page shows of a view. */
export const understood = ({ graphs, diagnostics }: View): Understood => ({
  graphs: graphs.map(graphOf),
  problems: diagnostics.map(problemOf),
});

export function problemOf(
  { code, severity, message, label, help, span, node, graph, fix }: View["diagnostics"][number],
  id: number,
): Problem {
  const offered = fix === null || fix.edits.length === 0 ? null : { title: fix.title, safe: fix.safe };
  return { id, code, severity, message, label, help, span, node, graph, fix: offered };
}

const graphOf = (graph: View["graphs"][number]): GraphOfSheet => ({
  name: graph.name,
  nodes: graph.nodes.map(({ name, row, agent, reachable }) => ({
    ...{ name, record: row - 1, agent: agent.written || agent.type },
    ...{ family: familyOf(agent), isReachable: reachable },
  })),
  edges: listEdges(graph).flatMap((edges) => edges.map(({ from, to, on }) => ({ from, to, on }))),
});
