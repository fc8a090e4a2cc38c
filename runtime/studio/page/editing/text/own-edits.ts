import { applyTo } from "../../../edits/apply.js";
import { EditError, type RowName, type SheetEdit } from "../../../edits/edit.js";
import { SheetRecords } from "../../../edits/records.js";
import { type Choice, type Conflict, chosenEdits, joinConflicts } from "./conflicts.js";
import { placed } from "./placed.js";

/** A text of the disk, with the server's tag of it. */
export interface DiskText {
  readonly text: string;
  readonly etag: string;
}

interface Pending {
  readonly edit: SheetEdit;
  /** It is only shown: nobody has said yet that it is meant. */
  readonly isProposed: boolean;
  /** All cells of a row that it takes away, also those that no edit can name. */
  readonly cells: readonly string[];
}

/** So many steps can be taken back. */
const MOST_STEPS = 200;
/** What one request takes along. */
const MOST_SENT = 500;
const MOST_SENT_CHARACTERS = 250_000;

/** What goes along with a step elsewhere, and is taken back with it. */
export interface Along {
  readonly undone: () => void;
  readonly redone: () => void;
}

interface Step {
  readonly edits: readonly SheetEdit[];
  readonly along: Along | null;
}

/** The page's own edits of a sheet, over what the disk has. What is shown is both. */
export class OwnEdits {
  #disk: DiskText;
  #records: SheetRecords;
  #pending: readonly Pending[] = [];
  #conflicts: readonly Conflict[] = [];
  readonly #undo: Step[] = [];
  readonly #redo: Step[] = [];

  constructor(disk: DiskText) {
    this.#disk = disk;
    this.#records = new SheetRecords(disk.text);
  }

  /** The sheet as it is shown. */
  get records(): SheetRecords {
    return this.#records;
  }

  get disk(): DiskText {
    return this.#disk;
  }

  get conflicts(): readonly Conflict[] {
    return this.#conflicts;
  }

  get canUndo(): boolean {
    return this.#undo.length > 0;
  }

  get canRedo(): boolean {
    return this.#redo.length > 0;
  }

  /** One step: it is taken back as a whole. Throws an `EditError`, and then nothing has changed. */
  change(edits: readonly SheetEdit[], along: Along | null = null): void {
    this.#conflicts = this.#conflicts.filter((one) => !edits.some((edit) => isSameCell(one.edit, edit)));
    const undo = this.#apply(edits, false);
    if (undo.length === 0) return;
    this.#push(this.#undo, { edits: undo, along });
    this.#redo.length = 0;
  }

  undo(): void {
    this.#step(this.#undo, this.#redo)?.along?.undone();
  }

  redo(): void {
    this.#step(this.#redo, this.#undo)?.along?.redone();
  }

  /** Shows edits that are not meant yet. */
  propose(edits: readonly SheetEdit[]): void {
    this.drop();
    this.#apply(edits, true);
  }

  /** The proposal is not meant. */
  drop(): void {
    if (!this.#pending.some(({ isProposed }) => isProposed)) return;
    this.#pending = this.#pending.filter(({ isProposed }) => !isProposed);
    this.rebase(this.#disk);
  }

  /** What is to be sent next, in its order. */
  toSend(): readonly SheetEdit[] {
    const edits: SheetEdit[] = [];
    let characters = 0;
    for (const { edit, isProposed } of this.#pending) {
      characters += JSON.stringify(edit).length;
      const isFull = edits.length > 0 && characters > MOST_SENT_CHARACTERS;
      if (isProposed || isFull || edits.length === MOST_SENT) break;
      edits.push(edit);
    }
    return edits;
  }

  /** The first edits stand on the disk now, on nothing but the text that was known. */
  sent(count: number, etag: string): void {
    const edits = this.#pending.slice(0, count).map(({ edit }) => edit);
    this.#pending = this.#pending.slice(count);
    if (this.#pending.length === 0) {
      this.#disk = { text: this.#records.text, etag };
      return;
    }
    const records = new SheetRecords(this.#disk.text);
    applyTo(records, edits);
    this.#disk = { text: records.text, etag };
  }

  /** The whole text as it is shown was written. */
  created(disk: DiskText): void {
    this.#pending = this.#pending.filter(({ isProposed }) => isProposed);
    this.#disk = disk;
  }

  /** Puts the own edits on another text of the disk. What does not fit any more is a conflict, and stays named. */
  rebase(disk: DiskText): void {
    const [before, pending] = [this.#records, this.#pending];
    this.#disk = disk;
    this.#records = new SheetRecords(disk.text);
    this.#pending = [];
    for (const one of pending) {
      const edit = placed(one.edit, this.#records, before);
      const now = changeOf(one, this.#records);
      if (now === null) this.#applyOrName(edit, one.isProposed);
      else this.#name(edit, now);
    }
    this.#conflicts = joinConflicts(this.#conflicts, this.#records);
  }

  /** All that the disk does not have yet. */
  get draft(): readonly SheetEdit[] {
    const meant = this.#pending.filter(({ isProposed }) => !isProposed);
    return [...this.#conflicts, ...meant].map(({ edit }) => edit);
  }

  /** Takes up a draft again. What does not fit any more is a conflict. */
  restore(draft: readonly SheetEdit[]): void {
    for (const edit of draft) this.#applyOrName(placed(edit, this.#records, this.#records), false);
    this.#conflicts = joinConflicts(this.#conflicts, this.#records);
  }

  /** Shows what the disk has: own edits are gone, and the steps that were made of them. */
  discard(): void {
    [this.#pending, this.#conflicts] = [[], []];
    [this.#undo.length, this.#redo.length] = [0, 0];
    this.#records = new SheetRecords(this.#disk.text);
  }

  /** A person has decided. */
  settle(id: number, choice: Choice): void {
    const conflict = this.#conflicts.find((one) => one.id === id);
    if (conflict === undefined) return;
    this.#conflicts = this.#conflicts.filter((one) => one !== conflict);
    this.change(chosenEdits(conflict, choice, this.#records));
  }

  /** The conflict of a cell, which shows what its writer meant. */
  conflictAt({ graph, node }: RowName, column: string): Conflict | null {
    const isOf = ({ edit }: Conflict): boolean =>
      edit.op === "set" && edit.graph === graph && edit.node === node && edit.column === column;
    return this.#conflicts.find(isOf) ?? null;
  }

  #step(from: Step[], to: Step[]): Step | undefined {
    const step = from.pop();
    if (step === undefined) return undefined;
    this.drop();
    const back = this.#apply(
      step.edits.map((edit) => placed(edit, this.#records, this.#records)),
      false,
    );
    if (back.length > 0) this.#push(to, { ...step, edits: back });
    return step;
  }

  #push(steps: Step[], step: Step): void {
    steps.push(step);
    if (steps.length > MOST_STEPS) steps.shift();
  }

  /** Gives what takes the edits back. */
  #apply(edits: readonly SheetEdit[], isProposed: boolean): readonly SheetEdit[] {
    const [pending, conflicts] = [this.#pending, this.#conflicts];
    const text = this.#records.text;
    try {
      const undo = edits.flatMap((edit) => this.#applyOne(edit, isProposed)).reverse();
      this.#conflicts = joinConflicts(this.#conflicts, this.#records);
      return undo;
    } catch (error) {
      [this.#pending, this.#conflicts] = [pending, conflicts];
      this.#records = new SheetRecords(text);
      throw error;
    }
  }

  /** Others may have taken away what an edit needs, such as its column. */
  #applyOrName(edit: SheetEdit, isProposed: boolean): void {
    try {
      this.#applyOne(edit, isProposed);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      this.#name(edit, null);
    }
  }

  #applyOne(edit: SheetEdit, isProposed: boolean): readonly SheetEdit[] {
    const cells = edit.op === "remove" ? this.#records.cells(this.#records.find(edit) ?? -1) : [];
    const { conflicts, undo } = applyTo(this.#records, [edit]);
    for (const { now } of conflicts) this.#name(edit, now);
    // What holds already needs no writing.
    if (undo.length > 0) this.#pending = [...this.#pending, { edit, isProposed, cells }];
    return undo;
  }

  #name(edit: SheetEdit, now: string | null): void {
    this.#conflicts = [...this.#conflicts, { id: nextId(), edit, now }];
  }
}

/** What somebody has written into a row that is to go; null when nothing has changed in it. */
function changeOf({ edit, cells }: Pending, records: SheetRecords): string | null {
  if (edit.op !== "remove") return null;
  const record = records.find(edit);
  const now = record === null ? cells : records.cells(record);
  return now.find((cell, column) => cell !== (cells[column] ?? "")) ?? null;
}

/** Who writes a cell anew has decided what is to stand there. */
function isSameCell(one: SheetEdit, other: SheetEdit): boolean {
  if (one.op !== "set" || other.op !== "set" || one.column !== other.column) return false;
  return one.graph === other.graph && one.node === other.node;
}

let lastId = 0;
const nextId = (): number => ++lastId;
