import type { GraphIR } from "../../compiler/ir.js";
import type { Edge } from "./edges.js";

/** What stands at an edge in a drawing; null for a plain next. */
export function edgeLabel(graph: GraphIR, { from, on, values }: Edge): string | null {
  if (on === "next" || on === "case") {
    const shown = values.slice(0, 4).join(", ");
    return shown === "" ? null : values.length > 4 ? `${shown}, …` : shown;
  }
  if (on !== "limit") return on;
  const visits = graph.nodes[from]?.maxVisits ?? 0;
  return `after ${visits} ${visits === 1 ? "visit" : "visits"}`;
}
