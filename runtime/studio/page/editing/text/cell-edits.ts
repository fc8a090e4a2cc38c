import { isComment } from "../../../../../compiler/1-parse/text/skipped-rows.js";
import type { SheetEdit } from "../../../edits/edit.js";
import type { SheetRecords } from "../../../edits/records.js";

/** A cell that is to have a text. */
export interface CellText {
  readonly record: number;
  /** Its index in the file. */
  readonly column: number;
  readonly text: string;
}

/** The edits that write cells, each in the smallest way. Those that hold already are none. */
export function cellEdits(records: SheetRecords, cells: readonly CellText[]): readonly SheetEdit[] {
  const changed = cells.filter(({ record, column, text }) => (records.cells(record)[column] ?? "") !== text);
  const rows = new Map<number, CellText[]>();
  for (const cell of changed) rows.set(cell.record, [...(rows.get(cell.record) ?? []), cell]);
  const renamed = [...rows].filter(([, row]) => row.some(({ column }) => isName(records, column)));
  // Names that change places would be the same for a moment: such rows are written by their numbers.
  const areMany = renamed.length > 1;
  return [...rows].flatMap(([record, row]) =>
    areMany && row.some(({ column }) => isName(records, column))
      ? wholeRecord(records, record, row)
      : rowEdits(records, record, row),
  );
}

const isName = (records: SheetRecords, column: number): boolean =>
  column === records.columnOf("graph_name") || column === records.columnOf("node_name");

function rowEdits(records: SheetRecords, record: number, row: readonly CellText[]): readonly SheetEdit[] {
  const name = records.nameOf(record);
  const names = new Map(records.columns.map(([column, at]) => [at, column]));
  const canSet = row.every(({ column, text }) => names.has(column) && !(column === 0 && isComment(text)));
  if (name === null || !canSet || row.filter(({ column }) => isName(records, column)).length > 1)
    return wholeRecord(records, record, row);
  // The name comes last: all edits before it find the row by the old one.
  const inOrder = [...row].sort(
    (a, b) => Number(isName(records, a.column)) - Number(isName(records, b.column)),
  );
  return inOrder.map(({ column, text: to }): SheetEdit => {
    const from = records.cells(record)[column] ?? "";
    return { op: "set", ...name, column: names.get(column) ?? "", from, to };
  });
}

function wholeRecord(records: SheetRecords, record: number, row: readonly CellText[]): readonly SheetEdit[] {
  const from = records.at(record)?.text ?? "";
  const to = records.withCells(record, row);
  return from === to ? [] : [{ op: "raw", record, from, to }];
}
