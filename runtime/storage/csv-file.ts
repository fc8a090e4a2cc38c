import type { Json } from "../graph/contract/contract.js";
import type { StorageRead, StorageWrite } from "../graph/contract/services.js";
import { isReserved, text } from "../graph/values/values.js";
import { beginningOf, MARK, wholeLines } from "./chunks.js";
import { type Cells, type CsvStyle, type NumberedRow, openTable } from "./csv-rows.js";
import { type CellPlace, type ColumnReaders, createReaders, readTyped } from "./csv-types.js";
import { createEdit, describe, type Edit, type Entry, idFieldOf, isEntry } from "./edit.js";
import { failure } from "./failure.js";
import { readEntries } from "./query.js";
import { type Change, type Format, isWhole, type Source } from "./source.js";

/** Each row is a mapping from column names to texts. */
export const csvFile: Format = { read, change };

/** Null for a column without a name, which is ignored. */
type Header = readonly (string | null)[];

type Meant = Pick<StorageRead, "id" | "idField" | "query" | "columns">;

async function read(source: Source, request: StorageRead): Promise<Json | undefined> {
  const { shown } = source;
  const { header: cells, rows } = await openTable(source);
  const header = readHeader(cells ?? [], shown);
  if (cells !== null) requireColumns(header, request, shown);
  const readers = request.columns === undefined ? null : createReaders(request.columns);
  const entryIn = (row: NumberedRow): Entry => {
    const texts = entryOf(header, row, shown);
    return readers === null ? texts : typed(texts, readers, { shown, row: row.number });
  };
  return readEntries(mapped(rows, entryIn), request, shown);
}

async function* mapped<A, B>(
  batches: AsyncIterable<readonly A[]>,
  make: (one: A) => B,
): AsyncGenerator<Iterable<B>> {
  for await (const batch of batches)
    yield (function* () {
      for (const one of batch) yield make(one);
    })();
}

function typed(texts: Entry, readers: ColumnReaders, at: Omit<CellPlace, "column">): Entry {
  const entry: { [name: string]: Json } = {};
  for (const name of Object.keys(texts)) {
    const read = readers.get(name);
    const text = texts[name] as string;
    const value = read === undefined ? text : readTyped(read, text, { ...at, column: name });
    if (value !== undefined) entry[name] = value;
  }
  return entry;
}

function readHeader(cells: Cells, shown: string): Header {
  const names = cells.map((cell) => unguarded(cell.trim()));
  for (const [column, name] of names.entries()) {
    if (isReserved(name)) throw failure(shown, `a column cannot be named ${JSON.stringify(name)}`);
    if (name !== "" && names.indexOf(name) !== column)
      throw failure(shown, `two columns are named ${JSON.stringify(name)}`);
  }
  return names.map((name) => (name === "" ? null : name));
}

/** A misspelt column would look like an empty one. */
function requireColumns(header: Header, request: Meant, shown: string): void {
  const { id, query = {}, columns } = request;
  const { filter = {}, sort = [] } = query;
  const named = id === undefined ? [...Object.keys(filter), ...[sort].flat()] : [idFieldOf(request)];
  const all = [...named, ...Object.keys(columns?.types ?? {})];
  const missing = all.find((name) => !header.includes(name));
  if (missing === undefined) return;
  const names = header.filter((name) => name !== null).join(", ");
  const isId = id !== undefined && missing === idFieldOf(request);
  const help = isId ? `; name the one that holds the ids with "id_field"` : "";
  throw failure(shown, `there is no column ${JSON.stringify(missing)} among ${names}${help}`);
}

function entryOf(header: Header, { cells, number }: NumberedRow, shown: string): Entry {
  if (cells.length > header.length && cells.slice(header.length).some((cell) => cell !== ""))
    throw failure(shown, `row ${number} has ${cells.length} cells, the header has ${header.length}`);
  const entry: { [name: string]: Json } = {};
  for (let i = 0; i < header.length; i++) {
    const name = header[i] as string | null;
    if (name !== null) entry[name] = unguarded(cells[i] ?? "");
  }
  return entry;
}

async function change(source: Source | null, asked: StorageWrite): Promise<Change> {
  const request = withoutGaps(asked);
  const { mode, id, file } = request;
  refuseOthers(request);
  const isNew = mode === "write" && isWhole(request);
  const edit = createEdit(isNew ? { ...request, mode: "append" } : request);
  checkNames(edit.fields, file);
  if (isNew) return { content: created(edit, request, await headerOf(source, edit)), count: edit.count };
  if (source === null) return { content: created(edit, request, edit.fields), count: edit.count };
  const content =
    mode === "append" && id === undefined ? appended(source, edit) : edited(source, edit, request);
  return { content, count: edit.count };
}

/** Refuses names that a later read would change. */
function checkNames(names: readonly string[], file: string): void {
  for (const name of names) {
    const shown = JSON.stringify(name);
    if (name === "" || isReserved(name)) throw failure(file, `a column cannot be named ${shown}`);
    if (name !== name.trim())
      throw failure(file, `a column cannot be named ${shown}: space around a name would be lost`);
  }
}

/** Loops leave null for failed items; such items make no row. */
function withoutGaps(request: StorageWrite): StorageWrite {
  const { value } = request;
  return Array.isArray(value) ? { ...request, value: value.filter((row) => row !== null) } : request;
}

function refuseOthers({ value, mode, file }: StorageWrite): void {
  if (mode === "delete") return;
  const rows: readonly Json[] = Array.isArray(value) ? value : [value ?? null];
  const other = rows.find((row) => !isEntry(row));
  if (other === undefined) return;
  throw failure(file, `a row is a mapping from columns to values, not ${describe(other)}`);
}

/** An empty list keeps the old header. */
async function headerOf(source: Source | null, { fields }: Edit): Promise<readonly string[]> {
  if (fields.length > 0 || source === null) return fields;
  const { header } = await openTable(source);
  return readHeader(header ?? [], source.shown).filter((name) => name !== null);
}

function* created(edit: Edit, request: StorageWrite, names: readonly string[]): Generator<string> {
  const { delimiter = "," } = request;
  if (names.length === 0) return;
  yield `${formatHeader(names.map(guarded), delimiter)}\n`;
  for (const entry of edit.end())
    yield formatLine(cellsOf(names, entry as Entry), { delimiter, lineEnd: "\n" });
}

/** A row of empty cells gets quotes, or it would be an empty line. */
function formatLine(cells: Cells, { delimiter, lineEnd }: Omit<CsvStyle, "preamble">): string {
  if (cells.every((cell) => cell === ""))
    return `""${delimiter.repeat(Math.max(0, cells.length - 1))}${lineEnd}`;
  return cells.map((cell) => quoted(cell, cell.includes(delimiter))).join(delimiter) + lineEnd;
}

const cellsOf = (header: Header, entry: Entry): Cells =>
  header.map((name) => (name === null || !Object.hasOwn(entry, name) ? "" : guarded(entry[name])));

/** Copies the old bytes when all columns exist; otherwise rewrites the file. */
async function* appended(source: Source, edit: Edit): AsyncGenerator<string | Uint8Array> {
  const { style, header: cells } = await openTable(source);
  const header = readHeader(cells ?? [], source.shown);
  const isPlain = cells !== null && edit.fields.every((name) => header.includes(name));
  if (!isPlain || (await beginningOf(source)).encoding !== "utf-8") return yield* edited(source, edit, {});
  yield* wholeLines(source, style.lineEnd, [10, 13]);
  for (const entry of edit.end()) yield formatLine(cellsOf(header, entry as Entry), style);
}

/** New columns come last. Unchanged rows keep their cells. */
async function* edited(source: Source, edit: Edit, request: Meant): AsyncGenerator<string> {
  const { shown } = source;
  const { style, header: cells, rows } = await openTable(source);
  const { isMarked, encoding } = await beginningOf(source);
  if (isMarked || encoding !== "utf-8") yield MARK;
  if (style.preamble !== "") yield style.preamble + style.lineEnd;
  const old = readHeader(cells ?? [], shown);
  if (cells !== null) requireColumns(old, request, shown);
  const added = edit.fields.filter((name) => !old.includes(name));
  const header = [...old, ...added];
  if (header.length > 0)
    yield formatHeader([...(cells ?? []), ...added.map(guarded)], style.delimiter) + style.lineEnd;
  for await (const batch of rows)
    for (const row of batch) {
      const line = editRow(edit, header, row, shown);
      if (line !== null) yield formatLine(line, style);
    }
  for (const entry of edit.end()) yield formatLine(cellsOf(header, entry as Entry), style);
}

/** Null when the row is deleted. */
function editRow(edit: Edit, header: Header, row: NumberedRow, shown: string): Cells | null {
  const { cells } = row;
  const entry = entryOf(header, row, shown);
  const changed = edit.visit(entry);
  if (changed === undefined) return null;
  const kept = header.map((_, column) => cells[column] ?? "");
  if (changed === entry) return kept;
  return header.map((name, column) => {
    if (name === null) return kept[column] ?? "";
    const value = Object.hasOwn(changed as Entry, name) ? (changed as Entry)[name] : undefined;
    return value === entry[name] ? (kept[column] ?? "") : guarded(value);
  });
}

/** Spreadsheet programs run cells with these first characters as formulas, also after apostrophes. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-\d+(?:[.,]\d+)?$/;

/** Prevents CSV injection: an apostrophe makes a formula text. Numbers stay numbers. */
function guarded(value: Json | undefined): string {
  const plain = text(value);
  if (typeof value === "number" || !FORMULA.test(plain) || NUMBER.test(plain)) return plain;
  return `'${plain}`;
}

const unguarded = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

/** The delimiter is detected from the header, so cells with any delimiter are quoted. */
function formatHeader(cells: readonly string[], delimiter: string): string {
  return cells.map((cell) => quoted(cell, /[,;]/.test(cell))).join(delimiter);
}

function quoted(cell: string, always: boolean): string {
  if (!always && !/["\t\r\n]|^\s|\s$/.test(cell)) return cell;
  return `"${cell.replaceAll('"', '""')}"`;
}
