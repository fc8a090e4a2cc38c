import { cellText } from "../../../../../compiler/1-parse/text/scan.js";
import { isComment } from "../../../../../compiler/1-parse/text/skipped-rows.js";
import type { Cells, InsertRow, RawRecord, RowName, SetCell, SheetEdit } from "../../../edits/edit.js";
import type { SheetRecords } from "../../../edits/records.js";
import { freeName, lastRow, rowFrom } from "./row-names.js";

/** An edit that does not fit what the disk has. */
export interface Conflict {
  readonly id: number;
  readonly edit: SheetEdit;
  /** What stands there; null when the row is gone, or when several have its name. */
  readonly now: string | null;
}

/** What is to stand there: the own text, that of the disk, or one behind the other. */
export type Choice = "yours" | "disk" | "both";

/** Columns whose texts can stand one behind the other, and what is put between them. */
const JOINTS: { readonly [column: string]: "line" | "bar" } = {
  ...{ prompt: "line", description: "line" },
  ...{ next_node: "bar", next_on_success: "bar", next_on_failure: "bar" },
  ...{ input_fields: "bar", output_field: "bar" },
};

/** The choices that make sense for a conflict. */
export function choicesOf({ edit, now }: Conflict, records: SheetRecords): readonly Choice[] {
  if (edit.op === "move") return ["disk"];
  if (edit.op === "raw") return choicesOfRecord(edit, now, records);
  if (now === null) return edit.op === "set" && isGone(edit, records) ? ["yours", "disk"] : ["disk"];
  const isList = edit.op === "set" && JOINTS[edit.column] !== undefined;
  if (isList && now.trim() !== "" && edit.to.trim() !== "") return ["yours", "disk", "both"];
  return ["yours", "disk"];
}

/** Of a comment, or a row that no name tells apart: both are two rows, or one comment. */
function choicesOfRecord({ to }: RawRecord, now: string | null, records: SheetRecords): readonly Choice[] {
  const isRow = cellsOfLine(to, records) !== null;
  if (now === null) return isRow ? ["yours", "disk"] : ["disk"];
  const areComments = isComment(now) && isComment(to);
  return isRow || areComments ? ["yours", "disk", "both"] : ["yours", "disk"];
}

/** The cells of a line by their columns; null for what is no row. */
function cellsOfLine(line: string, records: SheetRecords): Cells | null {
  if (!records.hasHeader || isComment(line) || !records.isRecord(line)) return null;
  const texts = records.scan(line).map((cell) => cellText(line, cell));
  const cells = records.columns.flatMap(([column, at]) =>
    (texts[at] ?? "") === "" ? [] : [[column, texts[at]]],
  );
  return cells.length === 0 ? null : (Object.fromEntries(cells) as Cells);
}

function chosenRecord(edit: RawRecord, choice: Choice, records: SheetRecords): readonly SheetEdit[] {
  const { record, to } = edit;
  const now = records.at(record)?.text ?? null;
  if (now !== null && choice === "yours") return [{ ...edit, from: now }];
  if (now !== null && isComment(now) && isComment(to))
    return [{ ...edit, from: now, to: `${now} ${to.replace(/^(?:#|\/\/)\s*/, "")}` }];
  const cells = cellsOfLine(to, records);
  return cells === null ? [] : [{ op: "insert", after: rowFrom(records, record), cells, line: to }];
}

/** No row has the name; one of several that have it cannot be told. */
function isGone({ graph, node }: RowName, records: SheetRecords): boolean {
  for (let record = 0; record < records.count; record++) {
    const row = records.rowAt(record);
    if (row !== null && row.graph === graph && row.node === node) return false;
  }
  return true;
}

/** The edits that a choice stands for, on the text as it is. */
export function chosenEdits(conflict: Conflict, choice: Choice, records: SheetRecords): readonly SheetEdit[] {
  const { edit, now } = conflict;
  if (choice === "disk" || !choicesOf(conflict, records).includes(choice)) return [];
  switch (edit.op) {
    case "set":
      if (now === null) return [rowAnew(edit, records)];
      return [
        { ...edit, from: now, to: choice === "both" ? joined(edit.column, now, edit.to, records) : edit.to },
      ];
    case "raw":
      return chosenRecord(edit, choice, records);
    case "remove":
      return [{ ...edit, cells: {} }];
    case "insert":
      return [
        { op: "insert", after: edit.after, cells: { ...edit.cells, node_name: otherName(edit, records) } },
      ];
    case "move":
      return [];
  }
}

/** The row of a text that somebody has taken away, at the end. */
function rowAnew({ graph, node, column, to }: SetCell, records: SheetRecords): InsertRow {
  const cells = { graph_name: graph, node_name: node, [column]: to };
  return { op: "insert", after: lastRow(records), cells };
}

const otherName = ({ cells, after }: InsertRow, records: SheetRecords): string =>
  freeName(records, cells["graph_name"] || (after?.graph ?? ""), cells["node_name"] ?? "");

function joined(column: string, disk: string, own: string, { lineEnd }: SheetRecords): string {
  if (JOINTS[column] === "line") return `${disk}${lineEnd}${own}`;
  const items = [...disk.split("|"), ...own.split("|")].map((item) => item.trim());
  return [...new Set(items)].join("|");
}

/**
 * Conflicts as they are on the present text. Several of one cell are one, from its first old text to its last new one.
 * Those that want nothing any more are gone.
 */
export function joinConflicts(conflicts: readonly Conflict[], records: SheetRecords): readonly Conflict[] {
  const found = new Map<string, Conflict>();
  for (const conflict of conflicts) {
    const key = keyOf(conflict);
    const known = found.get(key);
    found.set(key, known === undefined ? conflict : both(known, conflict));
  }
  return [...found.values()].map((one) => present(one, records)).filter(isOpen);
}

const keyOf = ({ id, edit }: Conflict): string =>
  edit.op === "set" ? JSON.stringify([edit.graph, edit.node, edit.column]) : String(id);

function both(first: Conflict, last: Conflict): Conflict {
  if (first.edit.op !== "set" || last.edit.op !== "set") return last;
  return { ...last, id: first.id, edit: { ...last.edit, from: first.edit.from } };
}

function present(conflict: Conflict, records: SheetRecords): Conflict {
  const { edit } = conflict;
  if (edit.op === "raw") return { ...conflict, now: records.at(edit.record)?.text ?? null };
  if (edit.op !== "set") return conflict;
  const [record, column] = [records.find(edit), records.columnOf(edit.column)];
  const now = record === null || column < 0 ? null : (records.cells(record)[column] ?? "");
  return now === conflict.now ? conflict : { ...conflict, now };
}

const isOpen = ({ edit, now }: Conflict): boolean =>
  (edit.op !== "set" && edit.op !== "raw") || (now !== edit.to && edit.from !== edit.to);
