import { locate } from "../1-parse/places.js";
import { createSuggester } from "../diagnostics/suggest.js";
import type { Row } from "../ir.js";
import type { Analysis, Draft, DraftNode } from "./draft.js";
import { createNode } from "./nodes.js";

/** Gathers the rows of each graph, in the order in which the graphs first appear. Linear. */
export function groupRows(analysis: Analysis): readonly Draft[] {
  const groups = new Map<string, Row[]>();
  for (const row of analysis.sheet.rows) {
    // A row without a graph's name has been reported; no graph is made of it.
    if (row.graph.name === "") continue;
    const group = groups.get(row.graph.name);
    if (group === undefined) groups.set(row.graph.name, [row]);
    else group.push(row);
  }
  return [...groups].map(([name, rows]) => createDraft(analysis, name, rows));
}

function createDraft(analysis: Analysis, name: string, rows: readonly Row[]): Draft {
  const byName = new Map<string, number>();
  const nodes: DraftNode[] = [];
  let duplicates = 0;
  for (const row of rows) {
    const first = byName.get(row.node.name);
    if (first !== undefined && row.node.name !== "") {
      reportDuplicate(analysis, name, row, nodes[first] as DraftNode);
      duplicates++;
    } else byName.set(row.node.name, nodes.length);
    nodes.push(createNode(analysis, name, row, nodes.length));
  }
  byName.delete("");
  // A second row of one name may hold the edges that the author means, so nothing is called missing beside it.
  const incomplete = duplicates > 0 || nodes.some(({ row }) => row.damaged || row.node.name === "");
  return {
    analysis,
    name,
    nodes,
    byName,
    suggestNode: createSuggester([...byName.keys(), "END"]),
    incomplete,
  };
}

function reportDuplicate({ problems, sheet }: Analysis, graph: string, row: Row, first: DraftNode): void {
  const params = { name: row.node.name, row: first.row.record + 1 };
  const place = locate(sheet, row.node.at);
  problems.report("duplicate-node", params, { place, graph, node: row.node.name, column: "node_name" });
}
