import { END, type RefGraph, type RefNode, type Target } from "../../reference/graph.js";

/** How a graph is printed. */
export interface CsvOptions {
  readonly graphName?: string;
  readonly names?: readonly string[];
  /** The agent type of `custom` nodes. Default `Ref`. */
  readonly customType?: string;
}

const HEADER =
  "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt";

const quoted = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The graph as a sheet. Nodes are named `N0`, `N1` and so on. */
export function toCsv(graph: RefGraph, options: CsvOptions = {}): string {
  const nameOf = (target: Target): string =>
    target === END ? "END" : (options.names?.[target] ?? `N${target}`);
  const listOf = (targets: readonly Target[]): string => targets.map(nameOf).join("|");
  const rows = graph.nodes.map((from, at) => [
    options.graphName ?? "G",
    nameOf(at),
    listOf(from.next),
    contextOf(from, nameOf),
    from.agent === "custom" ? (options.customType ?? "Ref") : from.agent,
    listOf(from.onSuccess),
    listOf(from.onFailure),
    from.reads.map((read) => (read.optional ? `${read.field}?` : read.field)).join("|"),
    from.writes.join("|"),
    ["input", "human", "failure"].includes(from.agent) ? `This is ${nameOf(at)}.` : "",
  ]);
  return [HEADER, ...rows.map((cells) => cells.map(quoted).join(","))].map((line) => `${line}\n`).join("");
}

function contextOf(from: RefNode, nameOf: (target: Target) => string): string {
  const limit = from.maxVisits === null ? {} : { max_visits: from.maxVisits, on_limit: nameOf(from.onLimit) };
  const merge = Object.keys(from.merge).length === 0 ? {} : { merge: from.merge };
  const settings = { ...limit, ...merge };
  return Object.keys(settings).length === 0 ? "" : JSON.stringify(settings);
}
