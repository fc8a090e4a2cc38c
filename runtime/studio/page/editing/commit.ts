import { chooseCell } from "../choose.js";
import type { CellPlace } from "../engine/messages.js";
import { addRow, graphName } from "./block-actions.js";
import { renameTo } from "./mending.js";
import { closeEditor, mentions, type OpenEditor, recordOf, renamesOthers } from "./open-editor.js";
import { renamingInTests } from "./rename-tests.js";
import { edit, expectEdit, notice, shownRecords } from "./sheet-editing.js";
import { cellEdits } from "./text/cell-edits.js";
import { withOwnEnds, withPlainEnds } from "./text/line-ends.js";
import { newRowBelow, newRowIn } from "./text/row-edits.js";

/** Keeps what was typed; false when it cannot be, and then the editor stays open. `step` is a node that is to be made. */
export function commitCell(editor: OpenEditor, typed: string, step: string | null = null): boolean {
  const records = shownRecords();
  if (records === null) return true;
  const { column, before } = editor;
  const record = recordOf(editor);
  const text = withOwnEnds(before, typed, records.lineEnd);
  if (editor.commit !== undefined) {
    const isDone = editor.commit(text);
    if (isDone) closeEditor();
    return isDone;
  }
  // A conflict that was only looked at is none that was decided.
  const isSame =
    text === before || (editor.conflicting !== null && withPlainEnds(editor.conflicting) === typed);
  if (isSame) closeEditor();
  else if (record === null || (record < records.count && (records.cells(record)[column] ?? "") !== before))
    return commitOverOthers(editor, text);
  else if (record >= records.count) return commitNewRow(editor, text);
  else if (before !== "" && mayRename(column, text)) {
    const others = mentions.value;
    closeEditor();
    expectEdit(rename({ record, column }, text, others));
  } else {
    const made = step === null ? [] : [newRowBelow(records, record, { node_name: step }).edit];
    if (!edit([...cellEdits(records, [{ record, column, text }]), ...made])) return false;
    closeEditor();
  }
  return true;
}

const mayRename = (column: number, text: string): boolean =>
  renamesOthers.value && text.trim() !== "" && column === shownRecords()?.columnOf("node_name");

/** The name and all cells that hold it are one step; where that cannot be, the cell alone is written. */
async function rename({ record, column }: CellPlace, text: string, others: number): Promise<void> {
  const row = shownRecords()?.rowAt(record) ?? null;
  const along = row === null ? null : renamingInTests({ graph: row.graph, from: row.node, to: text.trim() });
  if (await renameTo({ record, column }, text, along).catch(() => false)) {
    along?.redone();
    if (others > 0)
      notice.value = `Renamed here and in ${others === 1 ? "1 other cell" : `${others} other cells`}.`;
    return;
  }
  const records = shownRecords();
  if (records !== null) edit(cellEdits(records, [{ record, column, text }]));
}

/** Somebody has changed the cell while it was written: the edit says what it was written over. */
function commitOverOthers({ row, record, column, before }: OpenEditor, to: string): boolean {
  const records = shownRecords();
  const [name] = records?.columns.find(([, at]) => at === column) ?? [];
  if (records === null) return true;
  const isDone =
    row === null || name === undefined
      ? edit(cellEdits(records, [{ record, column, text: to }]))
      : edit([{ op: "set", ...row, column: name, from: before, to }]);
  if (isDone) closeEditor();
  return isDone;
}

/** The last row, which is not there yet: its first cell makes it. */
function commitNewRow({ column }: OpenEditor, text: string): boolean {
  const records = shownRecords();
  if (records === null || text.trim() === "") {
    closeEditor();
    return true;
  }
  const [name] = records.columns.find(([, at]) => at === column) ?? [];
  const made = newRowIn(records, graphName(), name === undefined ? {} : { [name]: text });
  const record = addRow(made);
  if (record === null) return false;
  closeEditor();
  const now = shownRecords();
  // No edit can name such a column, so the row is made first.
  if (name === undefined && now !== null) edit(cellEdits(now, [{ record, column, text }]));
  chooseCell(record, column);
  return true;
}
