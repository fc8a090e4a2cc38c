import type { RowName, SheetEdit } from "../../../edits/edit.js";
import type { SheetRecords } from "../../../edits/records.js";
import { lastRow } from "./row-names.js";

/**
 * An edit as it fits the present records: a whole record is found again by its text when others have moved it, and a
 * new row stands below the nearest row above its place that is still there. `before` shows where that was.
 */
export function placed(edit: SheetEdit, records: SheetRecords, before: SheetRecords): SheetEdit {
  if (edit.op === "raw") return placedRecord(edit, records);
  if (edit.op !== "insert" && edit.op !== "move") return edit;
  if (edit.after === null || records.find(edit.after) !== null) return edit;
  return { ...edit, after: nearestAbove(edit.after, records, before) };
}

function placedRecord<E extends SheetEdit & { readonly op: "raw" }>(edit: E, records: SheetRecords): E {
  const isThere = (record: number, text: string): boolean => records.at(record)?.text === text;
  if (isThere(edit.record, edit.from) || isThere(edit.record, edit.to)) return edit;
  const found: number[] = [];
  for (let record = 0; record < records.count && found.length < 2; record++)
    if (isThere(record, edit.from)) found.push(record);
  return found.length === 1 ? { ...edit, record: found[0] as number } : edit;
}

function nearestAbove(after: RowName, records: SheetRecords, before: SheetRecords): RowName {
  const at = before.find(after) ?? before.count;
  for (let record = at - 1; record > before.headerRecord; record--) {
    const name = before.nameOf(record);
    if (name !== null && records.find(name) !== null) return name;
  }
  return lastRow(records) ?? after;
}
