import type { ColumnName, NameItem } from "../../ir.js";
import { graphNameFault, type NameFault, nodeNameFault } from "../cells/name-rules.js";
import { trimRange } from "../text/white-space.js";
import { columnOf, holdsError, type RowCells, spanOf, textOf } from "./row-cells.js";
import { reportCell } from "./row-report.js";

/** The graph of the rows above, which a merged cell leaves to the rows below it. */
export interface GraphAbove {
  readonly name: string;
  /** It may be written into another cell. */
  readonly sound: boolean;
}

/** Reads a cell that holds one name, trimmed. */
export function readName(row: RowCells, name: ColumnName): NameItem {
  const text = textOf(row, name);
  const range = trimRange(text);
  return { name: text.slice(range.start, range.end), at: spanOf(row, columnOf(row, name), range) };
}

/** The graph of a row; `own` is the name that its own cell holds. */
export interface NamedGraph {
  readonly graph: NameItem;
  readonly own: NameItem;
  /** The name that a merged cell leaves to the rows below. */
  readonly above: GraphAbove | null;
}

/** The row's graph: its own, or the one above where the cell is empty. */
export function readGraphName(row: RowCells, above: GraphAbove | null): NamedGraph {
  const own = readName(row, "graph_name");
  if (own.name === "") {
    if (holdsError(row, "graph_name")) return { graph: own, own, above: null };
    return { graph: { name: above?.name ?? "", at: own.at }, own, above };
  }
  // Rows of one graph mostly stand together: they share its name.
  if (own.name === above?.name) return { graph: { name: above.name, at: own.at }, own, above };
  return { graph: own, own, above: { name: own.name, sound: graphNameFault(own.name) === null } };
}

/** Reports what is wrong with the names of a row's graph and node, as its own cells have them. */
export function reportNames(
  row: RowCells,
  { graph, node }: { readonly graph: NameItem; readonly node: NameItem },
  above: GraphAbove | null,
): void {
  if (graph.name !== "") {
    if (above?.sound !== true) reportName(row, "graph", graph, graphNameFault(graph.name));
  } else if (!holdsError(row, "graph_name")) reportMissing(row, "graph_name", above);
  if (node.name !== "") reportName(row, "node", node, nodeNameFault(node.name));
  else if (!holdsError(row, "node_name")) reportMissing(row, "node_name", null);
}

function reportName(
  row: RowCells,
  what: "graph" | "node",
  { name, at }: NameItem,
  fault: NameFault | null,
): void {
  if (fault === null) return;
  const stretch = { column: at.column, name: `${what}_name`, start: at.start, end: at.end } as const;
  if (fault.kind === "reserved") reportCell(row.reporter, stretch, "reserved-name", { what, name });
  else reportCell(row.reporter, stretch, "bad-name", { what, name, why: fault.why });
}

function reportMissing(row: RowCells, name: "graph_name" | "node_name", above: GraphAbove | null): void {
  const { length } = textOf(row, name);
  const at = { column: columnOf(row, name), name, start: 0, end: length };
  const parts = [{ start: 0, end: length, text: above?.name ?? "" }];
  const title = `write ${JSON.stringify(above?.name)}, the graph of the rows above`;
  const cure = above === null || !above.sound ? null : { title, safe: true, parts };
  reportCell(row.reporter, at, "missing-name", { column: name, above: above?.name ?? null }, cure);
}
