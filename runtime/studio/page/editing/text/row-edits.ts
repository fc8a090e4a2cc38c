import { applyTo } from "../../../edits/apply.js";
import type { Cells, RowName, SheetEdit } from "../../../edits/edit.js";
import { SheetRecords } from "../../../edits/records.js";
import { type CellText, cellEdits } from "./cell-edits.js";
import { freeName, lastRow, rowFrom } from "./row-names.js";

/** What a new row is called until somebody names it. */
export const NEW_NAME = "Step";

/** A row to be, below another one. */
export interface NewRow {
  readonly edit: SheetEdit;
  readonly name: RowName;
}

/** A new row below a record, with what is known of its cells; a name is found for it when it has none. */
export function newRowBelow(records: SheetRecords, record: number, known: Cells, graph?: string): NewRow {
  return newRow(records, rowFrom(records, record), known, graph);
}

/** A new row behind the last one of a graph. */
export const newRowIn = (records: SheetRecords, graph: string, known: Cells): NewRow =>
  newRow(records, lastRow(records, graph) ?? lastRow(records), known, graph);

function newRow(records: SheetRecords, after: RowName | null, known: Cells, wanted?: string): NewRow {
  const graph = known["graph_name"] || wanted || after?.graph || lastRow(records)?.graph || "Main";
  const node = known["node_name"] || freeName(records, graph, NEW_NAME);
  const isBelowOwn = after !== null && after.graph === graph;
  // Where rows leave the graph's name to the row above, the new one does, too.
  const leaves = isBelowOwn && ownGraph(records, records.find(after) ?? -1) === "" && !known["graph_name"];
  const cells = { ...known, graph_name: leaves ? "" : graph, node_name: node };
  return { edit: { op: "insert", after, cells }, name: { graph, node } };
}

const ownGraph = (records: SheetRecords, record: number): string =>
  records.cells(record)[records.columnOf("graph_name")]?.trim() ?? "";

/** The edits that take rows away. What no name tells apart becomes an empty line. */
export function removalOf(records: SheetRecords, wanted: readonly number[]): readonly SheetEdit[] {
  const gone = new Set(wanted);
  return [...wanted]
    .sort((a, b) => b - a)
    .flatMap((record) => {
      const name = records.nameOf(record);
      const from = records.at(record)?.text ?? "";
      if (name === null) return from === "" ? [] : [{ op: "raw", record, from, to: "" } as const];
      return [
        ...heirOf(records, record, gone),
        { op: "remove", ...name, cells: cellsOf(records, record) } as const,
      ];
    });
}

/** The row below, when it has its graph's name from a row that goes. */
function heirOf(records: SheetRecords, record: number, gone: ReadonlySet<number>): readonly SheetEdit[] {
  const graph = ownGraph(records, record);
  if (graph === "") return [];
  let below = record + 1;
  while (below < records.count && (records.rowAt(below) === null || gone.has(below))) below++;
  const isHeir = records.rowAt(below)?.graph === graph && ownGraph(records, below) === "";
  const column = records.columnOf("graph_name");
  return isHeir ? cellEdits(records, [{ record: below, column, text: graph }]) : [];
}

function cellsOf(records: SheetRecords, record: number): Cells {
  const texts = records.cells(record);
  return Object.fromEntries(records.columns.map(([column, at]) => [column, texts[at] ?? ""]));
}

/** The same row once more below itself, under another name. Null for what is no row. */
export function copyOf(records: SheetRecords, record: number): NewRow | null {
  const [name, row] = [records.nameOf(record), records.rowAt(record)];
  if (row === null) return null;
  const node = freeName(records, row.graph, row.node === "" ? NEW_NAME : row.node);
  const column = records.columnOf("node_name");
  const line = records.withCells(record, [{ column, text: node }]);
  const cells = { ...cellsOf(records, record), node_name: node };
  const after = name ?? rowFrom(records, record);
  return { edit: { op: "insert", after, cells, line }, name: { graph: row.graph, node } };
}

/** The edits that move a row by one place; none at the ends. */
export function moveOf(records: SheetRecords, record: number, step: 1 | -1): readonly SheetEdit[] {
  const name = records.nameOf(record);
  const near = (from: number): number => {
    let at = from + step;
    while (at > records.headerRecord && at < records.count && records.rowAt(at) === null) at += step;
    return at > records.headerRecord && at < records.count ? at : -1;
  };
  const neighbour = near(record);
  if (name === null || neighbour < 0) return [];
  if (step > 0) return moveBelow(records, name, neighbour);
  const above = near(neighbour);
  return above < 0 ? [{ op: "move", ...name, after: null }] : moveBelow(records, name, above);
}

function moveBelow(records: SheetRecords, name: RowName, record: number): readonly SheetEdit[] {
  const after = records.nameOf(record);
  return after === null ? [] : [{ op: "move", ...name, after }];
}

/** The edits that write a block of cells over others; rows that are not there are made at the end. */
export function blockEdits(
  records: SheetRecords,
  { rows, columns }: { readonly rows: readonly number[]; readonly columns: readonly number[] },
  block: readonly (readonly string[])[],
): readonly SheetEdit[] {
  const cells = block
    .slice(0, rows.length)
    .flatMap((line, i): CellText[] =>
      textsOf(line, columns).map((cell) => ({ ...cell, record: rows[i] as number })),
    );
  const edits = [...cellEdits(records, cells)];
  if (block.length <= rows.length) return edits;
  const scratch = new SheetRecords(records.text);
  applyTo(scratch, edits);
  const names = new Map(records.columns.map(([column, index]) => [index, column]));
  for (const line of block.slice(rows.length)) {
    const known = textsOf(line, columns).flatMap(({ column, text }) => {
      const name = names.get(column);
      return name === undefined ? [] : [[name, text] as const];
    });
    const { edit } = newRow(scratch, lastRow(scratch), Object.fromEntries(known));
    applyTo(scratch, [edit]);
    edits.push(edit);
  }
  return edits;
}

const textsOf = (line: readonly string[], columns: readonly number[]) =>
  line.flatMap((text, i) => {
    const column = columns[i];
    return column === undefined ? [] : [{ column, text }];
  });
