import type { RowName } from "../../../edits/edit.js";
import type { SheetRecords } from "../../../edits/records.js";

/** A name that no row of the graph has: the wanted one, or that with the first number that is free. */
export function freeName(records: SheetRecords, graph: string, wanted: string): string {
  const taken = new Set<string>();
  for (let record = 0; record < records.count; record++) {
    const row = records.rowAt(record);
    if (row?.graph === graph) taken.add(row.node);
  }
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}${number}`;
    if (!taken.has(name)) return name;
  }
}

/** The last row that its name tells apart; of one graph, when one is given. */
export function lastRow(records: SheetRecords, graph?: string): RowName | null {
  for (let record = records.count - 1; record > records.headerRecord; record--) {
    const name = records.nameOf(record);
    if (name !== null && (graph === undefined || name.graph === graph)) return name;
  }
  return null;
}

/** The nearest row, from a record upwards, that its name tells apart. */
export function rowFrom(records: SheetRecords, record: number): RowName | null {
  for (let at = record; at > records.headerRecord; at--) {
    const name = records.nameOf(at);
    if (name !== null) return name;
  }
  return null;
}
