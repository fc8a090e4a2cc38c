import { signal } from "@preact/signals";
import { isComment } from "../../../../compiler/1-parse/text/skipped-rows.js";
import { applyTo } from "../../edits/apply.js";
import type { RowName } from "../../edits/edit.js";
import { SheetRecords } from "../../edits/records.js";
import { engine } from "../connection/present.js";
import type { Judged, Splice } from "../engine/messages.js";
import { splicesBetween } from "../engine/splices.js";
import { graphName } from "./block-actions.js";
import { conflictOf, edit, notice, settledText, shownRecords, whyReadOnly } from "./sheet-editing.js";
import { newRowIn } from "./text/row-edits.js";

/** A cell that is being written. */
export interface OpenEditor {
  readonly record: number;
  readonly column: number;
  /** The row's name: others may move the row while it is written. Null where the record alone tells. */
  readonly row: RowName | null;
  /** What the cell held when the editor was opened. */
  readonly before: string;
  /** The own text of a conflict, which is shown in its place. */
  readonly conflicting: string | null;
  /** What the field begins with. */
  readonly first: string;
  /** Whether all of it is selected, so that typing takes its place. */
  readonly isSelected: boolean;
  /** The place of the cell for the compiler, and what makes its row when that is not there yet. */
  readonly made: readonly Splice[];
  readonly judgedRecord: number;
  /** What is done with the text in place of writing the cell; true when the editor may close. */
  readonly commit?: (text: string) => boolean;
  readonly reverted?: () => void;
}

const NOTHING: Judged = { problems: [], offers: [], fixes: [] };

export const openEditor = signal<OpenEditor | null>(null);
export const judged = signal<Judged>(NOTHING);
/** How many other cells hold the name that is being written over. */
export const mentions = signal(0);
/** Whether they get the new name, too. */
export const renamesOthers = signal(true);

type Wanted = Pick<OpenEditor, "record" | "column" | "commit" | "reverted"> & {
  readonly first?: string;
  readonly isSelected?: boolean;
};

/** Opens the editor of a cell; false where nothing can be written. */
export function openCell(wanted: Wanted): boolean {
  const records = shownRecords();
  if (records === null) return false;
  const { record, column, first, isSelected = false, ...more } = asComment(records, wanted);
  if (whyReadOnly.value !== null) {
    notice.value = `This sheet is not changed here: ${whyReadOnly.value}.`;
    return false;
  }
  const editor = editorOf(record, column);
  if (editor === null) return false;
  judged.value = NOTHING;
  [mentions.value, renamesOthers.value] = [0, true];
  notice.value = "";
  openEditor.value = { ...editor, ...more, first: first ?? editor.first, isSelected };
  const isRenaming =
    more.commit === undefined && column === records.columnOf("node_name") && editor.before !== "";
  if (isRenaming) void countMentions(openEditor.value);
  return true;
}

/** A comment is written in its first cell, or as its whole line where it goes over several. */
function asComment(records: SheetRecords, wanted: Wanted): Wanted {
  const { record } = wanted;
  const [text = "", ...others] = records.cells(record);
  if (record >= records.count || !isComment(text)) return wanted;
  if (others.every((cell) => cell === "")) return { ...wanted, column: 0 };
  const from = records.at(record)?.text ?? "";
  const commit = (typed: string): boolean => {
    const to = typed.replaceAll(/[\r\n]+/g, " ");
    return from === to || edit([{ op: "raw", record, from, to }]);
  };
  return { first: from, ...wanted, column: 0, commit };
}

/** What is needed to write a cell, in the grid or elsewhere. */
export function editorOf(record: number, column: number): OpenEditor | null {
  const records = shownRecords();
  if (records === null || whyReadOnly.value !== null) return null;
  const row = records.nameOf(record);
  const before = records.cells(record)[column] ?? "";
  const conflicting = row === null ? null : (conflictOf(row, column)?.text ?? null);
  const place = record < records.count ? { made: [], judgedRecord: record } : newPlace(records);
  const first = conflicting ?? before;
  return { ...place, record, column, row, before, conflicting, first, isSelected: false };
}

/** The row that is not there yet, in a text that only the compiler sees. */
function newPlace(records: SheetRecords): Pick<OpenEditor, "made" | "judgedRecord"> {
  const plain = records.text.replace(/^\ufeff/, "");
  const scratch = new SheetRecords(plain);
  const { edit, name } = newRowIn(scratch, graphName(), {});
  applyTo(scratch, [edit]);
  return { made: splicesBetween(plain, scratch.text), judgedRecord: scratch.find(name) ?? records.count };
}

async function countMentions(editor: OpenEditor): Promise<void> {
  const { record, column } = editor;
  await settledText();
  const found = await engine.ask({ kind: "mentions", cell: { record, column } });
  if (openEditor.value === editor) mentions.value = found;
}

/** Where the row of an editor is now; null when it is gone. */
export function recordOf({ row, record }: OpenEditor): number | null {
  return row === null ? record : (shownRecords()?.find(row) ?? null);
}

export function closeEditor(): void {
  openEditor.value = null;
  renamesOthers.value = true;
}

let isAsking = false;
let next: (() => Promise<void>) | null = null;

/** Has the cell judged as it is typed: one question is under way, and the last one waits. */
export function judgeCell(editor: OpenEditor, text: string, caret: number): void {
  next = async () => {
    const { made, judgedRecord, column } = editor;
    await settledText();
    const record = made.length === 0 ? recordOf(editor) : judgedRecord;
    if (record === null) return;
    const answer = await engine.ask({ kind: "judge", written: { made, record, column, text, caret } });
    if (openEditor.value === editor) judged.value = answer;
  };
  if (!isAsking) void work();
}

async function work(): Promise<void> {
  isAsking = true;
  for (let now = next; now !== null; now = next) {
    next = null;
    await now();
  }
  isAsking = false;
}
