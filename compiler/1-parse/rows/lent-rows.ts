import { Problems } from "../../diagnostics/collect.js";
import type { Page, Row } from "../../ir.js";
import type { Header } from "../header/header.js";
import { faultsIn } from "../text/outline.js";
import { indexOf } from "../text/page.js";
import type { Cells } from "../text/records.js";
import { cellText, type RecordScan } from "../text/scan.js";
import { createRowReader, type RowReader } from "./row-reader.js";
import { readRecord } from "./rows.js";

/** What rows are read from. */
export interface RowOrigin {
  readonly page: Page;
  readonly header: Header;
}

/** Rows are read so many at a time. */
const CHUNK = 128;
/** So many rows stay in memory, which are those of most sheets. */
const KEPT = 10_000 / CHUNK;

/**
 * The rows of a sheet that stays open. They take ten times the memory of their text, so of a large sheet only those
 * that were asked for last are kept; others are read again. What all rows are asked for each time is kept beside them.
 */
export class LentRows {
  /** The record of each row. */
  readonly records: Int32Array;
  /** The name of each row's graph. */
  readonly graphs: readonly string[];
  /** Those with more cells than columns. */
  readonly long: ReadonlySet<number>;
  /** Those with a cell that leads to several nodes. */
  readonly splits: ReadonlySet<number>;
  /** As an array, for all that reads sheets. */
  readonly all: readonly Row[];
  readonly #origin: RowOrigin;
  readonly #lent = new Map<number, WeakRef<readonly Row[]>>();
  readonly #kept = new Map<number, readonly Row[]>();

  private constructor(origin: RowOrigin, known: Known) {
    this.#origin = origin;
    this.records = known.records;
    this.graphs = known.graphs;
    this.long = known.long;
    this.splits = known.splits;
    this.all = arrayOf(this.records.length, (index) => this.#rowAt(index));
  }

  static of(origin: RowOrigin, rows: readonly Row[]): LentRows {
    const lent = new LentRows(origin, {
      records: Int32Array.from(rows, ({ record }) => record),
      graphs: rows.map(({ graph }) => graph.name),
      long: indexesOf(rows, isLong),
      splits: indexesOf(rows, isSplit),
    });
    for (let chunk = 0; chunk * CHUNK < Math.min(rows.length, KEPT * CHUNK); chunk++)
      lent.#keep(chunk, rows.slice(chunk * CHUNK, (chunk + 1) * CHUNK));
    return lent;
  }

  /** The rows after some of them were read again. */
  edited(origin: RowOrigin, changed: ReadonlyMap<number, Row>): LentRows {
    const lent = new LentRows(origin, this.#changedBy([...changed.values()]));
    const chunks = new Set([...changed.keys()].map((index) => Math.floor(index / CHUNK)));
    for (const [chunk, rows] of this.#lent) if (!chunks.has(chunk)) lent.#lent.set(chunk, rows);
    for (const [chunk, rows] of this.#kept) {
      if (chunks.has(chunk))
        lent.#keep(
          chunk,
          rows.map((row) => changed.get(row.index) ?? row),
        );
      else lent.#kept.set(chunk, rows);
    }
    return lent;
  }

  /** The index of the row of a record; -1 for a record that is no row. */
  indexOf(record: number): number {
    const { records } = this;
    let low = 0;
    let high = records.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((records[middle] as number) < record) low = middle + 1;
      else high = middle;
    }
    return records[low] === record ? low : -1;
  }

  #changedBy(changed: readonly Row[]): Known {
    const renamed = changed.filter(({ index, graph }) => graph.name !== this.graphs[index]);
    const graphs = renamed.length === 0 ? this.graphs : this.graphs.slice();
    for (const { index, graph } of renamed) (graphs as string[])[index] = graph.name;
    return {
      records: this.records,
      graphs,
      long: changedBy(changed, this.long, isLong),
      splits: changedBy(changed, this.splits, isSplit),
    };
  }

  #rowAt(index: number): Row | undefined {
    if (index >= this.records.length) return undefined;
    const chunk = Math.floor(index / CHUNK);
    const kept = this.#kept.get(chunk);
    if (kept !== undefined) return kept[index - chunk * CHUNK];
    const rows = this.#lent.get(chunk)?.deref() ?? this.#read(chunk);
    this.#keep(chunk, rows);
    return rows[index - chunk * CHUNK];
  }

  #keep(chunk: number, rows: readonly Row[]): void {
    this.#kept.set(chunk, rows);
    this.#lent.set(chunk, new WeakRef(rows));
    if (this.#kept.size <= KEPT) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }

  #read(chunk: number): readonly Row[] {
    const first = chunk * CHUNK;
    const readRow = rowReader(this.#origin, new Problems(""), this.graphs[first - 1] ?? null);
    const records = this.records.subarray(first, first + CHUNK);
    return Array.from(records, (record, i) => {
      const row = readAgain(
        this.#origin,
        { record, index: first + i },
        { problems: new Problems(""), readRow },
      );
      if (row === null) throw new Error("a record that was a row is none");
      return row;
    });
  }
}

type Known = Pick<LentRows, "records" | "graphs" | "long" | "splits">;

const isLong = ({ long }: Row): boolean => long !== null;
const isSplit = ({ next, onSuccess, onFailure }: Row): boolean =>
  Math.max(next.length, onSuccess.length, onFailure.length) > 1;

const indexesOf = (rows: readonly Row[], isOne: (row: Row) => boolean): ReadonlySet<number> =>
  new Set(rows.flatMap((row) => (isOne(row) ? [row.index] : [])));

/** Which rows are such after some were read again, in their order; the same set when none became or ceased to be one. */
function changedBy(
  changed: readonly Row[],
  before: ReadonlySet<number>,
  isOne: (row: Row) => boolean,
): ReadonlySet<number> {
  if (changed.every((row) => before.has(row.index) === isOne(row))) return before;
  const after = new Set([...before, ...indexesOf(changed, isOne)]);
  for (const row of changed) if (!isOne(row)) after.delete(row.index);
  return new Set([...after].sort((a, b) => a - b));
}

/** An array of so many elements that are asked for one by one. */
function arrayOf<T>(length: number, at: (index: number) => T | undefined): readonly T[] {
  const indexOfKey = (key: string | symbol): number =>
    typeof key === "string" && /^\d+$/.test(key) && Number(key) < length ? Number(key) : -1;
  return new Proxy<T[]>(new Array(length), {
    get(target, key) {
      const index = indexOfKey(key);
      return index < 0 ? Reflect.get(target, key) : at(index);
    },
    has: (target, key) => indexOfKey(key) >= 0 || Reflect.has(target, key),
    getOwnPropertyDescriptor(target, key) {
      const index = indexOfKey(key);
      if (index < 0) return Reflect.getOwnPropertyDescriptor(target, key);
      return { value: at(index), writable: true, enumerable: true, configurable: true };
    },
    ownKeys: () => [...Array.from({ length }, (_, index) => String(index)), "length"],
  });
}

/** A reader that begins below a row of a graph. */
export const rowReader = (origin: RowOrigin, problems: Problems, above: string | null): RowReader =>
  createRowReader({ ...origin, problems, mayHoldErrors: true }, above);

/** Reads a record once more; null when it is no row. */
export function readAgain(
  origin: RowOrigin,
  { record, index }: { readonly record: number; readonly index: number },
  { problems, readRow }: { readonly problems: Problems; readonly readRow: RowReader },
): Row | null {
  const { page } = origin;
  const scan = indexOf(page).recordAt(record);
  if (scan === null) return null;
  const faults = faultsIn(page, record, scan.cells);
  return readRecord(
    { ...origin, problems },
    { record, index, cells: cellsOf(page.text, scan), faults },
    readRow,
  );
}

/** The cells as strings of their own. A slice would keep the whole text alive of which it was taken. */
export function cellsOf(text: string, { cells, end }: RecordScan): Cells {
  const from = cells[0]?.start ?? end;
  const own = ` ${text.slice(from, end)}`.slice(1);
  return cells.map((cell) => cellText(own, { ...cell, from: cell.from - from, to: cell.to - from }));
}
