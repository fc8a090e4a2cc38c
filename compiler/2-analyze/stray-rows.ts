import { indexOf } from "../1-parse/text/page.js";
import type { Fix } from "../diagnostics/diagnostic.js";
import type { Row, Sheet } from "../ir.js";
import { type Analysis, reportRow } from "./draft.js";

/** What names a graph and a node, and says nothing of it. */
const isBare = (row: Row): boolean =>
  !row.damaged &&
  row.long === null &&
  row.node.name !== "" &&
  [row.agent.name, row.description, row.context].every((text) => text === "") &&
  row.prompt === null &&
  [row.next, row.onSuccess, row.onFailure, row.inputs, row.outputs, row.settings].every(
    ({ length }) => length === 0,
  );

/** A prompt may be a line break: then its cell is not empty. */
function hasNoPrompt(sheet: Sheet, { record }: Row): boolean {
  const cells = indexOf(sheet).recordAt(record)?.cells ?? [];
  const prompt = sheet.header.findIndex(
    ({ meaning }) => meaning.kind === "column" && meaning.name === "prompt",
  );
  const cell = cells[prompt];
  return cell === undefined || cell.from === cell.to;
}

/** Reports graphs of one bare row beside others: a sum or a signature below the table. Graphs are indexes of rows. Linear. */
export function checkStrayRows(analysis: Analysis, graphs: readonly (readonly number[])[]): void {
  const { sheet } = analysis;
  const strays = graphs.flatMap(([index, another]) => {
    const row = index === undefined || another !== undefined ? undefined : sheet.rows[index];
    return row !== undefined && isBare(row) && hasNoPrompt(sheet, row) ? [row] : [];
  });
  if (strays.length === graphs.length) return;
  for (const row of strays) {
    const where = { span: row.graph.at, column: "graph_name" as const, fix: asNote(sheet, row) };
    reportRow(analysis, row, "stray-row", { graph: row.graph.name }, where);
  }
}

function asNote(sheet: Sheet, { record }: Row): Fix | null {
  const cell = indexOf(sheet).recordAt(record)?.cells[0];
  if (cell === undefined) return null;
  return {
    title: 'start the row with "# "',
    safe: false,
    edits: [{ start: cell.from, end: cell.from, text: "# " }],
  };
}
