import { cellText } from "../../../compiler/1-parse/text/scan.js";
import { isComment } from "../../../compiler/1-parse/text/skipped-rows.js";
import {
  type Cells,
  EditError,
  type Edited,
  type InsertRow,
  type MoveRow,
  type RawRecord,
  type RemoveRow,
  type RowName,
  type SetCell,
  type SheetEdit,
} from "./edit.js";
import { SheetRecords } from "./records.js";

/** What became of one edit: a conflict, or what takes it back; null when it held already. */
type Outcome = { readonly now: string | null } | { readonly undo: SheetEdit | null };

const HELD: Outcome = { undo: null };
const GONE: Outcome = { now: null };

/**
 * Applies edits in their order, each on what the one before has left. An edit that does not fit the text any more is a
 * conflict, and changes nothing. Throws an `EditError` for one that fits no sheet.
 */
export function applyEdits(text: string, edits: readonly SheetEdit[]): Edited {
  const records = new SheetRecords(text);
  const applied = applyTo(records, edits);
  return { text: records.text, ...applied };
}

/** `applyEdits` to records, which then are those of the edited text. When it throws they are of no use any more. */
export function applyTo(records: SheetRecords, edits: readonly SheetEdit[]): Omit<Edited, "text"> {
  const outcomes = edits.map((edit, i) => applyOne({ records, i }, edit));
  return {
    applied: outcomes.filter((one) => "undo" in one).length,
    conflicts: outcomes.flatMap((one, edit) => ("now" in one ? [{ edit, now: one.now }] : [])),
    undo: outcomes.flatMap((one) => ("undo" in one && one.undo !== null ? [one.undo] : [])).reverse(),
  };
}

interface Work {
  readonly records: SheetRecords;
  /** The edit's place in the request. */
  readonly i: number;
}

function applyOne(work: Work, edit: SheetEdit): Outcome {
  switch (edit.op) {
    case "set":
      return setCell(work, edit);
    case "insert":
      return insertRow(work, edit);
    case "remove":
      return removeRow(work, edit);
    case "move":
      return moveRow(work, edit);
    case "raw":
      return setRecord(work, edit);
  }
}

function setCell({ records, i }: Work, { graph, node, column, from, to, quoted = true }: SetCell): Outcome {
  const at = placeOf({ records, i }, column);
  checkText(i, to);
  if (at === 0) checkFirst(i, to);
  const record = records.find({ graph, node });
  if (record === null) return GONE;
  const now = records.cells(record)[at] ?? "";
  if (now === to) return HELD;
  if (now !== from) return { now };
  const before = records.at(record)?.text ?? "";
  const hadQuotes = records.scan(before)[at]?.quoted === true;
  records.replace(record, records.withCell(record, at, to, quoted));
  const name = nameAfter(records, record, { column, row: { graph, node }, to });
  const written = records.at(record)?.text ?? "";
  // A record that was too short has grown, and cells that a set leaves are never taken away again.
  const isLonger = records.scan(written).length > records.scan(before).length;
  if (name === null || isLonger) return { undo: { op: "raw", record, from: written, to: before } };
  const bare = hadQuotes ? {} : { quoted: false };
  return { undo: { op: "set", ...name, column, from: to, to: from, ...bare } };
}

/** The name by which a row is found when one of its cells has changed; null when none tells it apart. */
function nameAfter(
  records: SheetRecords,
  record: number,
  { column, row, to }: { readonly column: string; readonly row: RowName; readonly to: string },
): RowName | null {
  if (column !== "graph_name" && column !== "node_name") return row;
  const name = column === "graph_name" ? { ...row, graph: to } : { ...row, node: to };
  return records.find(name) === record ? name : null;
}

function insertRow({ records, i }: Work, { after, cells, line }: InsertRow): Outcome {
  const width = records.width;
  const texts: string[] = new Array<string>(width).fill("");
  for (const [column, text] of Object.entries(cells)) {
    checkText(i, text);
    texts[placeOf({ records, i }, column)] = text;
  }
  checkFirst(i, texts[0] ?? "");
  if (texts.every((text) => text.trim() === "")) throw new EditError(i, "the row would be empty");
  const written = line ?? records.lineOf(texts);
  if (line !== undefined) checkLine({ records, i }, line, cells);
  const at = records.below(after);
  if (at === null) return GONE;
  const name = { graph: cells["graph_name"] || (after?.graph ?? ""), node: cells["node_name"] ?? "" };
  // A request whose answer was lost is sent again.
  const known = name.node === "" ? null : records.find(name);
  if (known !== null && differing(records, known, cells) === null) return HELD;
  records.insert(at, written);
  return { undo: { op: "remove", ...name, cells } };
}

function checkLine({ records, i }: Work, line: string, cells: Cells): void {
  const found = records.scan(line);
  const isSound = records.isRecord(line) && !isComment(line);
  const isSame = Object.entries(cells).every(([column, text]) => {
    const cell = found[records.columnOf(column)];
    return text === (cell === undefined ? "" : cellText(line, cell));
  });
  if (!isSound || !isSame) throw new EditError(i, "line does not hold these cells");
}

function removeRow({ records, i }: Work, { graph, node, cells }: RemoveRow): Outcome {
  for (const column of Object.keys(cells)) placeOf({ records, i }, column);
  const record = records.find({ graph, node });
  if (record === null) return GONE;
  const now = differing(records, record, cells);
  if (now !== null) return { now };
  const above = records.rowAbove(record);
  const texts = records.cells(record);
  const all = records.columns.flatMap(([name, column]) => {
    const text = texts[column];
    return text === undefined || text === "" ? [] : [[name, text] as const];
  });
  const line = records.at(record)?.text ?? "";
  const after = above === null ? null : records.nameOf(above);
  records.remove(record);
  return { undo: { op: "insert", after, cells: Object.fromEntries(all), line } };
}

/** The text of the first cell that is not as given; null when all are. */
function differing(records: SheetRecords, record: number, cells: Cells): string | null {
  const texts = records.cells(record);
  for (const [column, text] of Object.entries(cells)) {
    const now = texts[records.columnOf(column)] ?? "";
    if (now !== text) return now;
  }
  return null;
}

function moveRow({ records }: Work, { graph, node, after }: MoveRow): Outcome {
  const record = records.find({ graph, node });
  const target = records.below(after);
  if (record === null || target === null) return GONE;
  if (target === record || target === record + 1) return HELD;
  const above = records.rowAbove(record);
  const origin = above === null ? null : records.nameOf(above);
  const line = records.at(record)?.text ?? "";
  const end = records.remove(record);
  records.insert(target > record ? target - 1 : target, line, end);
  return { undo: { op: "move", graph, node, after: origin } };
}

function setRecord({ records, i }: Work, { record, from, to }: RawRecord): Outcome {
  checkText(i, to);
  if (!records.isRecord(to))
    throw new EditError(i, "the text is more than one record, or its quotes are damaged");
  const now = records.at(record)?.text ?? null;
  if (now === null) return GONE;
  if (now === to) return HELD;
  if (now !== from) return { now };
  records.replace(record, to);
  return { undo: { op: "raw", record, from: to, to: from } };
}

function placeOf({ records, i }: Work, column: string): number {
  if (!records.hasHeader)
    throw new EditError(i, "the sheet has no header: only whole records can be changed");
  const at = records.columnOf(column);
  if (at < 0) throw new EditError(i, `the sheet has no column ${JSON.stringify(column)}`);
  return at;
}

function checkText(i: number, text: string): void {
  if (/\p{Surrogate}/u.test(text)) throw new EditError(i, "the text holds half of a character");
}

function checkFirst(i: number, text: string): void {
  if (isComment(text)) throw new EditError(i, "the row would become a comment");
}
