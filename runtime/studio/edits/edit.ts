/** Edits of a sheet, as the page sends them. Cells are named by the columns' own names: `prompt`, `context.when`. */
export type SheetEdit = SetCell | InsertRow | RemoveRow | MoveRow | RawRecord;

/** A row, by the names of its graph and its node. */
export interface RowName {
  readonly graph: string;
  readonly node: string;
}

export interface SetCell extends RowName {
  readonly op: "set";
  readonly column: string;
  /** The text that the cell has, and the one that it is to have. */
  readonly from: string;
  readonly to: string;
  /** False: quotes that the cell has are left out where the new text needs none. An undo tells so. */
  readonly quoted?: boolean | undefined;
}

export interface InsertRow {
  readonly op: "insert";
  /** The row above; null for the place below the header. */
  readonly after: RowName | null;
  readonly cells: Cells;
  /** The record as it is to be written, with these cells. An undo tells so. */
  readonly line?: string | undefined;
}

export interface RemoveRow extends RowName {
  readonly op: "remove";
  /** What the row must hold. */
  readonly cells: Cells;
}

export interface MoveRow extends RowName {
  readonly op: "move";
  readonly after: RowName | null;
}

/** A whole record: a comment, or a row that no name tells apart. */
export interface RawRecord {
  readonly op: "raw";
  /** From 0. Every record counts, also the header and comments. */
  readonly record: number;
  readonly from: string;
  readonly to: string;
}

export interface Cells {
  readonly [column: string]: string;
}

/** The edit, by its place in the request, and what stands there now: null when the row is gone or not unique. */
export interface Conflict {
  readonly edit: number;
  readonly now: string | null;
}

export interface Edited {
  readonly text: string;
  /** The number of edits that hold now, also of those that were there already. */
  readonly applied: number;
  readonly conflicts: readonly Conflict[];
  /** What takes them back, in its order. */
  readonly undo: readonly SheetEdit[];
}

/** An edit that no sheet could take. Nothing of its request is written. */
export class EditError extends Error {
  readonly edit: number;
  constructor(edit: number, message: string) {
    super(message);
    this.edit = edit;
  }
}
