import { typesOfBuiltins } from "../agents/builtins.js";
import type { AnyGraph } from "../graph/contract/contract.js";
import { childOf } from "../graph/link/marks.js";
import type { GuardedNode } from "./guard.js";

/** The nodes of the graphs that a graph runs, by the names that cases have for them: `Call/Ask`. */
export function innerNodes(graph: AnyGraph): readonly GuardedNode[] {
  return nodesBelow(graph, "", [graph]);
}

/** A graph that runs itself, over others or not, is entered once. */
function nodesBelow(
  { definition }: AnyGraph,
  prefix: string,
  above: readonly AnyGraph[],
): readonly GuardedNode[] {
  return Object.entries(definition.nodes).flatMap(([name, node]) => {
    const { agent } = node;
    const child = typeof agent === "function" ? childOf(agent) : null;
    if (child === null || above.includes(child)) return [];
    const inside = `${prefix}${name}/`;
    const own = Object.entries(child.definition.nodes).map(
      ([inner, { agent, type = typesOfBuiltins.get(agent) ?? "", settings = {} }]): GuardedNode => ({
        name: inside + inner,
        agent: type,
        settings,
      }),
    );
    return [...own, ...nodesBelow(child, inside, [...above, child])];
  });
}
