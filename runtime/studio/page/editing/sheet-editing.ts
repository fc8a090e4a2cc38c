import { computed, signal } from "@preact/signals";
import { EditError, type SheetEdit } from "../../edits/edit.js";
import { SheetRecords } from "../../edits/records.js";
import type { WorldData } from "../../world-data.js";
import { engine } from "../connection/present.js";
import { EngineText } from "../engine/engine-text.js";
import type { TableRow, Understood } from "../engine/messages.js";
import { columnsOf, rowsOf } from "../sheet/table.js";
import { chosen, opened, session, sheets } from "../state.js";
import { changedCells, moved } from "./changes.js";
import { keepDraft, keptDraft } from "./drafts.js";
import { portOf } from "./sheet-port.js";
import type { Choice, Conflict } from "./text/conflicts.js";
import { type Along, type DiskText, OwnEdits } from "./text/own-edits.js";
import { Saver, type SaveState } from "./text/saver.js";

/** A sheet that this page has opened, with its own edits. */
interface InHand {
  readonly name: string;
  readonly own: OwnEdits;
  readonly saver: Saver;
  readonly text: EngineText;
}

const FLASH_MS = 1_200;

/** All that were opened: steps can be taken back when somebody returns, and what is not saved is kept. */
const inHand = new Map<string, InHand>();
let present: InHand | null = null;

export const saveState = signal<SaveState>({ kind: "saved" });
export const conflicts = signal<readonly Conflict[]>([]);
/** Cells that somebody else has just changed. */
export const flashing = signal<ReadonlySet<string>>(new Set());
/** One sentence on what was done, or why it was not. */
export const notice = signal("");

/** Why the sheet is only read; null where it is edited. */
export const whyReadOnly = computed<string | null>(() => {
  const summary = sheets.value?.find(({ name }) => name === opened.value?.name);
  if (summary?.writable === false) return summary.reason ?? "it cannot be written";
  return session.value?.can.includes("write") === true
    ? null
    : "you may not write sheets: your key lacks write";
});

/** Whether nothing is written before somebody has looked at all of it. */
export const isReviewed = computed(() => session.value?.save === "review");

/** The sheet as it is shown; null before one is. */
export const shownRecords = (): SheetRecords | null => present?.own.records ?? null;

/** Shows a sheet, and brings its edits to the disk from now on. What the world adds to it comes when it is there. */
export async function beginEditing(name: string, disk: DiskText, world: Promise<WorldData>): Promise<void> {
  const known = inHand.get(name);
  for (const other of inHand.values()) other.text.forget();
  if (known === undefined) take(name, disk, world);
  else {
    present = known;
    known.text.wantWorld(world);
    known.saver.heard(disk.etag);
  }
  show();
  await present?.text.settled();
}

function take(name: string, disk: DiskText, world: Promise<WorldData>): void {
  const own = new OwnEdits(disk);
  const made: InHand = {
    ...{ name, own },
    saver: new Saver({
      own,
      each: !isReviewed.value,
      port: portOf(name),
      later: (ms, work) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
      told: () => {
        if (present === made) saveState.value = made.saver.state;
      },
      rebased: (before) => {
        if (present === made) showRebased(before);
      },
    }),
    text: new EngineText(engine, name, disk.text, world, (understood, { sheets: all }) => {
      if (present === made) showUnderstood(understood, all.find((one) => one.name === name)?.group ?? "");
    }),
  };
  inHand.set(name, made);
  present = made;
  if (!isReviewed.value || whyReadOnly.value !== null) return;
  own.restore(keptDraft(name));
  made.saver.changed();
}

const NOTHING: Understood = { graphs: [], problems: [] };

/** Shows the present text; what the compiler says of it follows. */
function show(): void {
  if (present === null) return;
  const { name, own, saver, text } = present;
  const before = opened.value?.name === name ? opened.value : null;
  const rows = rowsOf(own.records);
  const known = before === null ? NOTHING : moved(before, before.rows, rows);
  const isUnderstood = before?.isUnderstood === true;
  opened.value = {
    ...known,
    isUnderstood,
    rows,
    columns: columnsOf(own.records, rows),
    name,
    group: before?.group ?? "",
    etag: own.disk.etag,
  };
  [saveState.value, conflicts.value] = [saver.state, own.conflicts];
  text.want(own.records.text);
  if (isReviewed.value && !keepDraft(name, own.draft))
    notice.value = "These changes are too many to outlive a reload of the page: save them soon.";
}

function showUnderstood(understood: Understood, group: string): void {
  if (opened.value !== null) opened.value = { ...opened.value, ...understood, group, isUnderstood: true };
}

function showRebased(before: SheetRecords): void {
  const row = before.rowAt(chosen.value?.record ?? -1);
  const record = row === null ? null : (present?.own.records.find(row) ?? null);
  show();
  if (present === null) return;
  if (record !== null && chosen.value !== null) chosen.value = { ...chosen.value, record };
  const changed = changedCells(before, present.own.records);
  flashing.value = changed;
  setTimeout(() => {
    if (flashing.value === changed) flashing.value = new Set();
  }, FLASH_MS);
}

/** One step; false when it cannot be made. */
export const edit = (edits: readonly SheetEdit[], along: Along | null = null): boolean =>
  change((own) => own.change(edits, along));

/** Shows edits that are written only when they are kept. */
export const propose = (edits: readonly SheetEdit[]): boolean => change((own) => own.propose(edits));
export const dropProposal = (): boolean => change((own) => own.drop());

export function undo(): void {
  if (present?.own.canUndo === true) change((own) => own.undo());
  else notice.value = "There is nothing to take back.";
}

export function redo(): void {
  if (present?.own.canRedo === true) change((own) => own.redo());
  else notice.value = "There is nothing to do again.";
}

export const settle = (id: number, choice: Choice): boolean => change((own) => own.settle(id, choice));

function change(work: (own: OwnEdits) => void): boolean {
  if (present === null) return false;
  const why = whyReadOnly.value;
  if (why !== null) {
    notice.value = `Not changed: ${why}.`;
    return false;
  }
  try {
    work(present.own);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    notice.value = `Not changed: ${error.message}.`;
    return false;
  }
  notice.value = "";
  show();
  present.saver.changed();
  return true;
}

/** The own text of a cell that somebody else has changed, too; null for all others. */
export function conflictOf(
  { graph, node }: Pick<TableRow, "graph" | "node">,
  column: number,
): { readonly text: string; readonly conflict: Conflict } | null {
  // First of all, so that whoever draws a row hears of conflicts.
  if (conflicts.value.length === 0 || present === null || graph === null || node === null) return null;
  const [name] = present.own.records.columns.find(([, at]) => at === column) ?? [];
  const conflict = name === undefined ? null : present.own.conflictAt({ graph, node }, name);
  return conflict?.edit.op === "set" ? { text: conflict.edit.to, conflict } : null;
}

/** Edits that the compiler still works out, such as a new name wherever it stands. */
const expected = new Set<Promise<void>>();

/** What is saved from now on has the edit that this work makes. */
export function expectEdit(work: Promise<void>): void {
  expected.add(work);
  void work.finally(() => expected.delete(work));
}

/** The edits that were expected up to now are made. */
export const editsMade = (): Promise<unknown> => Promise.allSettled(expected);

/** Writes what is not written yet; false when it cannot be, or when nobody has looked at it yet. */
export async function saveNow(): Promise<boolean> {
  await editsMade();
  if (present === null) return true;
  return isReviewed.value ? saveState.value.kind === "saved" : present.saver.flush();
}

/** Writes what somebody has looked at; false when it cannot be. */
export async function saveReviewed(): Promise<boolean> {
  const isDone = present === null || (await present.saver.flush());
  show();
  return isDone;
}

/** The sheet as the disk has it and as it is shown. */
export const beforeAndAfter = (): readonly [SheetRecords, SheetRecords] | null =>
  present === null ? null : [new SheetRecords(present.own.disk.text), present.own.records];

export const discardDraft = (): boolean => change((own) => own.discard());

export const writeAgain = async (): Promise<void> => present?.saver.createAgain();

/** A sheet has changed on the disk; null: it is gone. */
export function heardOfSheet(name: string, etag: string | null): void {
  inHand.get(name)?.saver.heard(etag);
}

export function heardOfWorld(world: WorldData): void {
  present?.text.wantWorld(Promise.resolve(world));
}

/** The compiler has the text that is shown. */
export const settledText = async (): Promise<void> => present?.text.settled();

/** Something would be lost if the page were left. */
export const isUnsaved = (): boolean =>
  expected.size > 0 ||
  [...inHand.values()].some(({ own, saver }) => saver.state.kind !== "saved" || own.conflicts.length > 0);
