import type { SheetEdit } from "../../../edits/edit.js";
import { SheetRecords } from "../../../edits/records.js";
import { cellEdits } from "./cell-edits.js";

/** The edits that make the present records those of another text; null where only a program could say which. */
export function editsTo(records: SheetRecords, text: string): readonly SheetEdit[] | null {
  const after = new SheetRecords(text);
  if (after.count !== records.count || after.delimiter !== records.delimiter) return null;
  const edits: SheetEdit[] = [];
  const cells: { record: number; column: number; text: string }[] = [];
  for (let record = 0; record < records.count; record++) {
    const [from, to] = [records.at(record)?.text ?? "", after.at(record)?.text ?? ""];
    if (from === to) continue;
    const [old, now] = [records.cells(record), after.cells(record)];
    if (record <= records.headerRecord || now.length !== old.length || records.rowAt(record) === null)
      edits.push({ op: "raw", record, from, to });
    else
      for (const [column, cell] of now.entries())
        if (cell !== old[column]) cells.push({ record, column, text: cell });
  }
  return [...cellEdits(records, cells), ...edits];
}
