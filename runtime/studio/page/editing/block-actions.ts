import { chooseCell } from "../choose.js";
import { graph } from "../state.js";
import { anchor, chosenBlock, type Shown } from "./selection.js";
import { edit, notice, shownRecords } from "./sheet-editing.js";
import { type CellText, cellEdits } from "./text/cell-edits.js";
import { type Pasted, pastedBlock, writeBlock } from "./text/clipboard.js";
import {
  blockEdits,
  copyOf,
  moveOf,
  type NewRow,
  newRowBelow,
  newRowIn,
  removalOf,
} from "./text/row-edits.js";

/** What stands in the chosen cells. */
function chosenTexts({ rows, columns }: Shown): readonly (readonly string[])[] {
  const block = chosenBlock({ rows, columns });
  if (block === null) return [];
  return rows
    .slice(block.top, block.bottom + 1)
    .map(({ cells }) => columns.slice(block.left, block.right + 1).map(({ index }) => cells[index] ?? ""));
}

/** The chosen cells as text for a spreadsheet. */
export const copied = (shown: Shown): string => writeBlock(chosenTexts(shown));

/** The records and columns of the chosen cells, without comments and the row that is not there yet. */
function chosenPlaces({ rows, columns }: Shown) {
  const block = chosenBlock({ rows, columns });
  if (block === null) return { records: [], columns: [] };
  const records = rows.slice(block.top, block.bottom + 1).filter(isWritten);
  return {
    records: records.map(({ record }) => record),
    columns: columns.slice(block.left, block.right + 1).map(({ index }) => index),
  };
}

const isWritten = ({ isComment, record }: Shown["rows"][number]): boolean =>
  !isComment && record < (shownRecords()?.count ?? 0);

/** Empties the chosen cells. */
export function clearCells(shown: Shown): void {
  const records = shownRecords();
  const { records: wanted, columns } = chosenPlaces(shown);
  if (records === null) return;
  edit(
    cellEdits(
      records,
      wanted.flatMap((record) => columns.map((column) => ({ record, column, text: "" }))),
    ),
  );
}

/** Writes the first chosen row into those below; one row alone takes what stands above it. */
export function fillDown(shown: Shown): void {
  const records = shownRecords();
  const places = chosenPlaces(shown);
  const { columns } = places;
  if (records === null) return;
  const [first = -1, ...others] = places.records;
  const above = shown.rows.findLast(({ record, isComment }) => record < first && !isComment)?.record ?? -1;
  const [from, to] = others.length > 0 ? [first, others] : [above, [first]];
  if (from < 0) return;
  const texts = to.flatMap((record) =>
    columns.map((column): CellText => ({ record, column, text: records.cells(from)[column] ?? "" })),
  );
  edit(cellEdits(records, texts));
}

/** Writes a block over the cells from the chosen one on. One cell fills all that are chosen. */
export function paste(shown: Shown, data: Pasted): void {
  const records = shownRecords();
  const block = chosenBlock(shown);
  if (records === null || block === null || data.getData("text/plain") === "") return;
  const cells = pastedBlock(data, records.delimiter);
  const [only] = cells.length === 1 && cells[0]?.length === 1 ? cells[0] : [];
  if (only !== undefined && anchor.value !== null) {
    const { records: wanted, columns } = chosenPlaces(shown);
    const texts = wanted.flatMap((record) => columns.map((column) => ({ record, column, text: only })));
    edit(cellEdits(records, texts));
    return;
  }
  const rows = shown.rows.slice(block.top).filter(isWritten);
  const columns = shown.columns.slice(block.left).map(({ index }) => index);
  const at = { rows: rows.map(({ record }) => record), columns };
  if (!edit(blockEdits(records, at, cells))) return;
  const width = Math.max(...cells.map((line) => line.length));
  if (width > columns.length)
    notice.value = `${width - columns.length} columns had no place and were left out.`;
}

/** Makes a row; it is chosen then. Null when it cannot be made. */
export function addRow(made: NewRow | null): number | null {
  if (made === null || !edit([made.edit])) return null;
  const record = shownRecords()?.find(made.name) ?? null;
  const column = shownRecords()?.columnOf("node_name") ?? 0;
  anchor.value = null;
  if (record !== null) chooseCell(record, column);
  return record;
}

export function insertBelow(record: number): number | null {
  const records = shownRecords();
  if (records === null) return null;
  return addRow(
    record >= records.count ? newRowIn(records, graphName(), {}) : newRowBelow(records, record, {}),
  );
}

/** The graph that a new row belongs to. */
export const graphName = (): string => graph.value?.name ?? "";

export function duplicate(record: number): number | null {
  const records = shownRecords();
  return records === null ? null : addRow(copyOf(records, record));
}

export function removeRows(shown: Shown): void {
  const records = shownRecords();
  const block = chosenBlock(shown);
  if (records === null || block === null) return;
  const wanted = shown.rows.slice(block.top, block.bottom + 1).map(({ record }) => record);
  const column = shown.columns[block.left]?.index ?? 0;
  if (
    !edit(
      removalOf(
        records,
        wanted.filter((record) => record < records.count),
      ),
    )
  )
    return;
  anchor.value = null;
  const left = shown.rows.length - wanted.length;
  const next = shown.rows[Math.max(0, Math.min(block.top, left - 1))];
  if (next !== undefined) chooseCell(next.record, column);
  notice.value = wanted.length === 1 ? "1 row removed." : `${wanted.length} rows removed.`;
}

export function moveRow(record: number, column: number, step: 1 | -1): void {
  const records = shownRecords();
  const name = records?.rowAt(record) ?? null;
  if (records === null || name === null || !edit(moveOf(records, record, step))) return;
  anchor.value = null;
  const moved = shownRecords()?.find(name) ?? record;
  chooseCell(moved, column);
}
