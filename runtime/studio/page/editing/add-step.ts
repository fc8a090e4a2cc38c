import type { Cells, SheetEdit } from "../../edits/edit.js";
import type { SheetRecords } from "../../edits/records.js";
import { chooseCell } from "../choose.js";
import type { EdgeOfGraph, GraphOfSheet } from "../engine/messages.js";
import { place } from "../state.js";
import { openCell } from "./open-editor.js";
import { dropProposal, edit, notice, propose, shownRecords, whyReadOnly } from "./sheet-editing.js";
import { cellEdits } from "./text/cell-edits.js";
import { NEW_NAME, newRowBelow } from "./text/row-edits.js";
import { freeName } from "./text/row-names.js";

const COLUMNS: { readonly [on: string]: string } = {
  next: "next_node",
  success: "next_on_success",
  failure: "next_on_failure",
};

/** Where a step can be put: a cell that names the node behind it, or that names none where the run ends. */
interface Place {
  readonly record: number;
  readonly column: number;
  /** The cell's text with another name in place of the node behind the edge. */
  readonly with: (name: string) => string;
  /** What stands in the new step's own cell then. */
  readonly next: string;
}

function placeOn(
  { from, to, on }: EdgeOfGraph,
  { nodes }: GraphOfSheet,
  records: SheetRecords,
): Place | null {
  const record = nodes[from]?.record ?? -1;
  const column = records.columnOf(COLUMNS[on] ?? "");
  if (record < 0 || column < 0 || records.columnOf("next_node") < 0) return null;
  const text = records.cells(record)[column] ?? "";
  const target = to < 0 ? "END" : (nodes[to]?.name ?? "");
  if (text.trim() === "") return to < 0 ? { record, column, with: (name) => name, next: "" } : null;
  const items = text.split(/([|\r\n]+)/);
  const at = items.findIndex((item) => item.trim() === target);
  if (at < 0) return null;
  const item = items[at] ?? "";
  return {
    record,
    column,
    with: (name) =>
      items
        .with(
          at,
          item.replace(target, () => name),
        )
        .join(""),
    next: target,
  };
}

/** Whether a step can be put on an edge. */
export function canAddStepOn(edge: EdgeOfGraph, graph: GraphOfSheet): boolean {
  // Beside a run there is no grid that would show the new row.
  if (place.value.screen !== "sheets") return false;
  const records = shownRecords();
  return whyReadOnly.value === null && records !== null && placeOn(edge, graph, records) !== null;
}

/** The edits that put a step on an edge: a row, and a cell that leads to it. */
function editsFor(
  records: SheetRecords,
  { record, column, with: text, next }: Place,
  name: string,
): readonly SheetEdit[] {
  const cells: Cells = { node_name: name, ...(next === "" ? {} : { next_node: next }) };
  return [
    ...cellEdits(records, [{ record, column, text: text(name) }]),
    newRowBelow(records, record, cells).edit,
  ];
}

/**
 * Shows a new step on an edge, with its name's editor open. Keeping the name writes both cells as one step; Esc takes
 * it away again.
 */
export function addStepOn(edge: EdgeOfGraph, graph: GraphOfSheet): void {
  const records = shownRecords();
  const place = records === null ? null : placeOn(edge, graph, records);
  const row = place === null ? null : (records?.rowAt(place.record) ?? null);
  if (records === null || place === null || row === null) return;
  const first = freeName(records, row.graph, NEW_NAME);
  if (!propose(editsFor(records, place, first))) return;
  const record = shownRecords()?.find({ graph: row.graph, node: first }) ?? null;
  const column = records.columnOf("node_name");
  if (record === null) return void dropProposal();
  chooseCell(record, column);
  const commit = (text: string): boolean => {
    const name = text.trim() === "" ? first : text.trim();
    dropProposal();
    const now = shownRecords();
    const again = now === null ? null : placeOn(edge, graph, now);
    const isFree = now?.find({ graph: row.graph, node: name }) === null;
    if (now !== null && again !== null && isFree && edit(editsFor(now, again, name))) return true;
    if (!isFree) notice.value = `There is a step ${name} already.`;
    return propose(now === null || again === null ? [] : editsFor(now, again, first)) && false;
  };
  const reverted = (): void => {
    dropProposal();
    chooseCell(place.record, column);
  };
  openCell({ record, column, isSelected: true, commit, reverted });
}
