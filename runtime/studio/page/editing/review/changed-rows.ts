import type { SheetRecords } from "../../../edits/records.js";

export interface ChangedCell {
  /** Its index in the file. */
  readonly column: number;
  readonly before: string;
  readonly after: string;
}

/** What became of a row. A record that is no row has its whole text as its one cell. */
export interface ChangedRow {
  readonly kind: "new" | "removed" | "changed";
  /** Its number in the file, as it was or as it will be. */
  readonly record: number;
  readonly name: string | null;
  readonly graph: string | null;
  readonly isMoved: boolean;
  readonly cells: readonly ChangedCell[];
}

/** The rows that are not what they were, in the order of the sheet; those that go stand where they were. */
export function changedRows(before: SheetRecords, after: SheetRecords): readonly ChangedRow[] {
  const pairs = paired(before, after);
  const moved = movedOf(pairs);
  const used = new Set(pairs.values());
  const gone: ChangedRow[] = [];
  for (let record = 0; record < before.count; record++)
    if (!used.has(record)) gone.push(rowOf("removed", before, record, cellsOf(before, record, "")));
  const rows: ChangedRow[] = [];
  /** The old record that would come next. */
  let next = 0;
  for (let record = 0; record < after.count; record++) {
    const old = pairs.get(record);
    const isMoved = moved.has(record);
    if (old !== undefined && !isMoved) next = old;
    while (gone[0] !== undefined && gone[0].record <= next) {
      next = Math.max(next, gone[0].record + 1);
      rows.push(gone.shift() as ChangedRow);
    }
    if (old !== undefined && !isMoved) next = old + 1;
    if (old === undefined) rows.push(rowOf("new", after, record, cellsOf(after, record, "", true)));
    else rows.push({ ...rowOf("changed", after, record, differing(before, old, after, record)), isMoved });
  }
  return [...rows, ...gone].filter(({ cells, isMoved }) => cells.length > 0 || isMoved);
}

function rowOf(
  kind: ChangedRow["kind"],
  records: SheetRecords,
  record: number,
  cells: readonly ChangedCell[],
): ChangedRow {
  const row = records.rowAt(record);
  return { kind, record, name: row?.node ?? null, graph: row?.graph ?? null, isMoved: false, cells };
}

/** All that stands in a record, as what goes or what comes. */
function cellsOf(
  records: SheetRecords,
  record: number,
  other: string,
  isNew = false,
): readonly ChangedCell[] {
  const texts = records.rowAt(record) === null ? [records.at(record)?.text ?? ""] : records.cells(record);
  return texts.flatMap((text, column) =>
    text === other
      ? []
      : [isNew ? { column, before: other, after: text } : { column, before: text, after: other }],
  );
}

function differing(
  before: SheetRecords,
  old: number,
  after: SheetRecords,
  record: number,
): readonly ChangedCell[] {
  const [was, is] = [before.at(old)?.text ?? "", after.at(record)?.text ?? ""];
  if (was === is) return [];
  if (after.rowAt(record) === null) return [{ column: 0, before: was, after: is }];
  const [from, to] = [before.cells(old), after.cells(record)];
  const length = Math.max(from.length, to.length);
  return Array.from({ length }, (_, column) => column).flatMap((column) => {
    const [one, other] = [from[column] ?? "", to[column] ?? ""];
    return one === other ? [] : [{ column, before: one, after: other }];
  });
}

/** The old record of each new one: of the same name or text, else in the same place with much in common. */
function paired(before: SheetRecords, after: SheetRecords): ReadonlyMap<number, number> {
  const places = new Map<string, number[]>();
  for (let record = 0; record < before.count; record++) {
    const key = keyOf(before, record);
    const known = places.get(key);
    if (known === undefined) places.set(key, [record]);
    else known.push(record);
  }
  const pairs = new Map<number, number>();
  for (let record = 0; record < after.count; record++) {
    const old = places.get(keyOf(after, record))?.shift();
    if (old !== undefined) pairs.set(record, old);
  }
  pairRenamed(pairs, before, after);
  return pairs;
}

/** The header is one record, whatever it says. */
function keyOf(records: SheetRecords, record: number): string {
  if (record === records.headerRecord) return "header";
  const row = records.rowAt(record);
  return row === null ? `text ${records.at(record)?.text}` : `row ${JSON.stringify([row.graph, row.node])}`;
}

/** A record below the same one as before is the same with another name, when it holds mostly what it held. */
function pairRenamed(pairs: Map<number, number>, before: SheetRecords, after: SheetRecords): void {
  const used = new Set(pairs.values());
  for (let record = 0; record < after.count; record++) {
    if (pairs.has(record)) continue;
    const old = record === 0 ? 0 : (pairs.get(record - 1) ?? -2) + 1;
    if (old < 0 || old >= before.count || used.has(old)) continue;
    const [from, to] = [before.cells(old), after.cells(record)];
    const filled = to.filter((cell, i) => cell !== "" || (from[i] ?? "") !== "").length;
    if (2 * differing(before, old, after, record).length > filled + 1) continue;
    pairs.set(record, old);
    used.add(old);
  }
}

/** The records that changed places: all but the longest run of those that kept their order. */
function movedOf(pairs: ReadonlyMap<number, number>): ReadonlySet<number> {
  const inOrder = [...pairs].sort(([a], [b]) => a - b);
  const ends: number[] = [];
  const before: number[] = [];
  for (const [i, [, old]] of inOrder.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((inOrder[ends[middle] as number]?.[1] ?? 0) < old) low = middle + 1;
      else high = middle;
    }
    before[i] = low === 0 ? -1 : (ends[low - 1] as number);
    ends[low] = i;
  }
  const kept = new Set<number>();
  for (let i = ends.at(-1) ?? -1; i >= 0; i = before[i] ?? -1) kept.add(i);
  return new Set(inOrder.flatMap(([record], i) => (kept.has(i) ? [] : [record])));
}
