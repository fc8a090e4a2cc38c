import { END, type GraphIR, type NodeIR, type SplitIR, type Target } from "../../compiler/ir.js";
import { agentFacts } from "../agents/facts.js";

/** The origin of an edge: a column of the sheet, a choice of the node's agent, or its visit limit. */
export type EdgeKind = "next" | "success" | "failure" | "case" | "otherwise" | "limit";

/** One way from a node; an agent's choices that lead to one node are one edge. */
export interface Edge {
  readonly from: number;
  readonly to: Target;
  readonly on: EdgeKind;
  /** The answers that lead here, for an agent that chooses; it may also answer with the name of a listed node. */
  readonly values: readonly string[];
}

/** The edges that a sheet writes, by node: columns in their order, then choices, then the limit. Linear. */
export function listEdges(graph: GraphIR): readonly (readonly Edge[])[] {
  return graph.nodes.map(edgesOf);
}

function edgesOf(node: NodeIR, from: number): readonly Edge[] {
  const values = caseValues(node);
  const listed = choosesNext(node) ? new Set(node.next) : new Set<Target>();
  const column = (targets: Iterable<Target>, on: EdgeKind): Edge[] =>
    [...new Set(targets)].map((to) => ({ from, to, on, values: [] }));
  const edges = [
    ...column(node.next, "next"),
    ...column(node.onSuccess, "success"),
    ...column(node.onFailure, "failure"),
  ];
  for (const to of values.keys()) if (!listed.has(to)) edges.push({ from, to, on: "case", values: [] });
  if (node.otherwise !== null) edges.push({ from, to: node.otherwise, on: "otherwise", values: [] });
  if (node.maxVisits !== null) edges.push({ from, to: node.onLimit, on: "limit", values: [] });
  const chosen = ({ on, to }: Edge): boolean => on === "case" || (on === "next" && listed.has(to));
  return edges.map((edge) => (chosen(edge) ? { ...edge, values: values.get(edge.to) ?? [] } : edge));
}

function caseValues(node: NodeIR): ReadonlyMap<Target, readonly string[]> {
  const values = new Map<Target, string[]>();
  for (const { value, target } of node.cases) {
    const known = values.get(target);
    if (known === undefined) values.set(target, [value]);
    else known.push(value);
  }
  return values;
}

const choosers = new Set(agentFacts.filter(({ chooses }) => chooses).map(({ type }) => type));
const outcomes = new Map(agentFacts.map(({ type, outcome }) => [type, outcome]));

/** True when the node's agent goes to one of its targets instead of all. */
export const choosesNext = ({ agent }: NodeIR): boolean => agent.builtin && choosers.has(agent.type);

/** The outcomes after which the run ends although no column says so: `next` stands for whatever the node answers. */
export function silentEnds(node: NodeIR): readonly ("next" | "success" | "failure")[] {
  const outcome = (node.agent.builtin ? outcomes.get(node.agent.type) : undefined) ?? "succeeds";
  if (node.next.length > 0) return [];
  const chosen = node.cases.length > 0 || node.otherwise !== null;
  const success = outcome !== "fails" && node.onSuccess.length === 0 && !chosen;
  const failure = outcome !== "succeeds" && node.onFailure.length === 0;
  if (success) return node.onFailure.length === 0 ? ["next"] : ["success"];
  return failure ? ["failure"] : [];
}

/** The split that an edge is a branch of, if any. */
export type SplitLookup = (edge: Edge) => SplitIR | undefined;

export function splitLookup(graph: GraphIR): SplitLookup {
  const byNode = new Map<string, SplitIR>(graph.splits.map((split) => [`${split.by} ${split.node}`, split]));
  return (edge) => byNode.get(`${edge.on} ${edge.from}`);
}

/** A target's name; the end is `END`, or null where a node has that name. */
export function targetName(graph: GraphIR): (target: Target) => string | null {
  const end = graph.nodes.some(({ name }) => name === "END") ? null : "END";
  return (target) => (target === END ? end : (graph.nodes[target]?.name ?? end));
}

/** The label of an edge in a drawing; null for a plain next. */
export function edgeLabel(graph: GraphIR, { from, on, values }: Edge): string | null {
  if (on === "next" || on === "case") {
    const shown = values.slice(0, 4).join(", ");
    return shown === "" ? null : values.length > 4 ? `${shown}, …` : shown;
  }
  if (on !== "limit") return on;
  const visits = graph.nodes[from]?.maxVisits ?? 0;
  return `after ${visits} ${visits === 1 ? "visit" : "visits"}`;
}

/** An edge as drawings show it; silent where the run ends because no column says where it goes. */
export interface Arrow extends Pick<Edge, "from" | "to" | "on"> {
  readonly label: string | null;
  readonly isSplit: boolean;
  readonly isSilent: boolean;
}

/** The edges of a graph, then its silent ends. */
export function listArrows(graph: GraphIR): readonly Arrow[] {
  const split = splitLookup(graph);
  const edges = listEdges(graph).flat();
  return [
    ...edges.map((edge) => {
      const { from, to, on } = edge;
      return {
        from,
        to,
        on,
        label: edgeLabel(graph, edge),
        isSplit: split(edge) !== undefined,
        isSilent: false,
      };
    }),
    ...graph.nodes.flatMap((node, from) =>
      silentEnds(node).map((on) => {
        const label = on === "next" ? null : on;
        return { from, to: END, on, label, isSplit: false, isSilent: true };
      }),
    ),
  ];
}
