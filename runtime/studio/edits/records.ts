import { SHEET_WORDS } from "../../../compiler/1-parse/header/column-names.js";
import { findFormat } from "../../../compiler/1-parse/header/find-header.js";
import { type Header, parseHeader } from "../../../compiler/1-parse/header/header.js";
import { type Cell, cellText, scanRecord } from "../../../compiler/1-parse/text/scan.js";
import { isComment, isSkipped } from "../../../compiler/1-parse/text/skipped-rows.js";
import { trimText } from "../../../compiler/1-parse/text/white-space.js";
import type { Reporter } from "../../../compiler/diagnostics/collect.js";
import type { Delimiter, HeaderCell } from "../../../compiler/ir.js";
import type { RowName } from "./edit.js";

/** One record: its text, and the line's end behind it. */
export interface RecordText {
  readonly text: string;
  readonly end: string;
}

const MARK = "\ufeff";

/** The rows of a sheet by their names, and their names by their records. */
interface RowTable {
  readonly records: ReadonlyMap<string, readonly number[]>;
  readonly names: ReadonlyMap<number, RowName>;
}

/** A sheet as its records. Each edit changes the text of few of them; all others stay as they are. */
export class SheetRecords {
  readonly #head: string;
  readonly #delimiter: Delimiter;
  readonly #headerRecord: number;
  readonly #records: RecordText[] = [];
  /** For a line behind one without an end. */
  readonly #usualEnd: string;
  #header: Header | null;
  #rows: RowTable | null = null;
  readonly #parsed = new WeakMap<RecordText, readonly string[]>();

  constructor(text: string) {
    const mark = text.startsWith(MARK) ? MARK : "";
    const plain = text.slice(mark.length);
    const format = findFormat(plain, SHEET_WORDS);
    const { delimiter, start } = format;
    this.#head = mark + plain.slice(0, start);
    this.#delimiter = delimiter;
    for (let at = start; at < plain.length; ) {
      const { end, next } = scanRecord(plain, at, delimiter);
      this.#records.push({ text: plain.slice(at, end), end: plain.slice(end, next) });
      at = next;
    }
    this.#usualEnd = this.#records.find(({ end }) => end !== "")?.end ?? "\n";
    this.#header = headerOf(plain);
    this.#headerRecord = this.#header?.record ?? -1;
  }

  get text(): string {
    return this.#head + this.#records.map(({ text, end }) => text + end).join("");
  }

  get hasHeader(): boolean {
    return this.#header !== null;
  }

  /** The number of records, the header and comments among them. */
  get count(): number {
    return this.#records.length;
  }

  get delimiter(): Delimiter {
    return this.#delimiter;
  }

  /** The line end that the sheet has, also for line breaks inside its cells. */
  get lineEnd(): string {
    return this.#usualEnd;
  }

  /** -1 without a header. */
  get headerRecord(): number {
    return this.#headerRecord;
  }

  /** The cells of the header, with what they mean. */
  get header(): readonly HeaderCell[] {
    return this.#header?.cells ?? [];
  }

  /** False where bad quotes leave it open what a cell holds. */
  get isSound(): boolean {
    return this.#records.every(({ text }) => this.isRecord(text));
  }

  /** The names of the graphs of all rows. */
  graphs(): readonly string[] {
    const at = this.columnOf("graph_name");
    const names = this.#records.map((_, record) =>
      this.#isRow(record) ? trimText(this.cells(record)[at] ?? "") : "",
    );
    return [...new Set(names.filter((name) => name !== ""))];
  }

  /** The number of cells of a whole row. */
  get width(): number {
    return this.#header?.cells.length ?? 0;
  }

  /** Where a column of this name stands; -1 when the header has none. */
  columnOf(name: string): number {
    const { columns, settings = [] } = this.#header ?? {};
    if (columns !== undefined && Object.hasOwn(columns, name)) return columns[name as keyof typeof columns];
    return settings.find((setting) => `context.${setting.name}` === name)?.column ?? -1;
  }

  /** The columns that an edit can name, each with its place. */
  get columns(): readonly (readonly [name: string, column: number])[] {
    if (this.#header === null) return [];
    const own = Object.entries(this.#header.columns).filter(([, column]) => column >= 0);
    return [...own, ...this.#header.settings.map(({ name, column }) => [`context.${name}`, column] as const)];
  }

  at(record: number): RecordText | undefined {
    return this.#records[record];
  }

  /** The only record of a row; null when it is gone, or when several have its name. */
  find(row: RowName): number | null {
    const [record, ...others] = this.#table().records.get(keyOf(row)) ?? [];
    return record === undefined || others.length > 0 ? null : record;
  }

  /** The name of the row that a record is; null for a comment and the like, and for a name that several have. */
  nameOf(record: number): RowName | null {
    const name = this.rowAt(record);
    return name === null || this.find(name) !== record ? null : name;
  }

  /** The name of the row that a record is, also when others have it, too; null for a comment and the like. */
  rowAt(record: number): RowName | null {
    return this.#table().names.get(record) ?? null;
  }

  /** The place of a row below another one; null stands for the header. */
  below(row: RowName | null): number | null {
    if (row === null) return this.#headerRecord + 1;
    const found = this.find(row);
    return found === null ? null : found + 1;
  }

  /** The record that is the nearest row above; null for none. */
  rowAbove(record: number): number | null {
    for (let above = record - 1; above > this.#headerRecord; above--) if (this.#isRow(above)) return above;
    return null;
  }

  cells(record: number): readonly string[] {
    const one = this.#records[record];
    if (one === undefined) return [];
    const known = this.#parsed.get(one);
    if (known !== undefined) return known;
    const cells = this.scan(one.text).map((cell) => cellText(one.text, cell));
    this.#parsed.set(one, cells);
    return cells;
  }

  scan(text: string): readonly Cell[] {
    return scanRecord(text, 0, this.#delimiter).cells;
  }

  /** Whether a text is one record, whose quotes are sound where that matters. */
  isRecord(text: string): boolean {
    const { cells, end } = scanRecord(text, 0, this.#delimiter);
    return end === text.length && (isComment(text) || cells.every(({ fault }) => fault === null));
  }

  /** A line of cells. */
  lineOf(cells: readonly string[]): string {
    return cells.map((cell) => this.written(cell, false)).join(this.#delimiter);
  }

  /** A cell in quotes where it must have them, or is to have them. */
  written(cell: string, quoted: boolean): string {
    const needs = cell.includes(this.#delimiter) || /["\r\n]/.test(cell) || trimText(cell) !== cell;
    return quoted || needs ? `"${cell.replaceAll('"', '""')}"` : cell;
  }

  /** The record with another cell. A record that is too short gets the cells between. */
  withCell(record: number, column: number, cell: string, keepsQuotes: boolean): string {
    const { text } = this.#records[record] as RecordText;
    return this.#withCell(text, { column, cell, keepsQuotes });
  }

  #withCell(
    text: string,
    {
      column,
      cell,
      keepsQuotes,
    }: { readonly column: number; readonly cell: string; readonly keepsQuotes: boolean },
  ): string {
    const scanned = this.scan(text);
    const old = scanned[column];
    if (old === undefined)
      return text + this.#delimiter.repeat(column - scanned.length + 1) + this.written(cell, false);
    const written = this.written(cell, old.quoted && keepsQuotes);
    return text.slice(0, old.start) + written + text.slice(old.end);
  }

  /** The record with other cells, each by its column. */
  withCells(record: number, cells: readonly { readonly column: number; readonly text: string }[]): string {
    const text = this.at(record)?.text ?? "";
    return cells.reduce(
      (line, { column, text: cell }) => this.#withCell(line, { column, cell, keepsQuotes: true }),
      text,
    );
  }

  replace(record: number, text: string): void {
    const { end } = this.#records[record] as RecordText;
    const before = this.#nameAt(record);
    this.#records[record] = { text, end };
    if (record <= this.#headerRecord) this.#header = headerOf(this.#plain());
    if (record <= this.#headerRecord || this.#nameAt(record) !== before) this.#rows = null;
  }

  /** The last line may have no end: then none comes behind the new one, and its own goes before it. */
  insert(record: number, text: string, end: string | null = null): void {
    this.#rows = null;
    const above = this.#records[record - 1];
    if (above === undefined || above.end !== "") {
      this.#records.splice(record, 0, { text, end: end ?? above?.end ?? this.#usualEnd });
      return;
    }
    this.#records[record - 1] = { text: above.text, end: end ?? this.#usualEnd };
    this.#records.splice(record, 0, { text, end: "" });
  }

  /** Gives the line's end that went with it; null for that of a last line without one. */
  remove(record: number): string | null {
    this.#rows = null;
    const [{ end }] = this.#records.splice(record, 1) as [RecordText];
    const above = this.#records[record - 1];
    if (end !== "" || above === undefined) return end === "" ? null : end;
    this.#records[record - 1] = { text: above.text, end: "" };
    return above.end;
  }

  #plain(): string {
    return this.text.slice(this.#head.startsWith(MARK) ? MARK.length : 0);
  }

  /** The names in the row's own cells; null for what is no row. */
  #nameAt(record: number): string | null {
    if (!this.#isRow(record)) return null;
    const cells = this.cells(record);
    const [graphs, nodes] = [this.columnOf("graph_name"), this.columnOf("node_name")];
    return keyOf({ graph: cells[graphs] ?? "", node: cells[nodes] ?? "" });
  }

  #isRow(record: number): boolean {
    return record > this.#headerRecord && !isSkipped(this.cells(record));
  }

  #table(): RowTable {
    this.#rows ??= this.#findRows();
    return this.#rows;
  }

  /** An empty cell of the graph's name stands for that of the row above. */
  #findRows(): RowTable {
    const rows = new Map<string, number[]>();
    const names = new Map<number, RowName>();
    const [graphs, nodes] = [this.columnOf("graph_name"), this.columnOf("node_name")];
    let graph = "";
    for (let record = this.#headerRecord + 1; record < this.#records.length && this.hasHeader; record++) {
      if (!this.#isRow(record)) continue;
      const cells = this.cells(record);
      graph = trimText(cells[graphs] ?? "") || graph;
      const name = { graph, node: trimText(cells[nodes] ?? "") };
      names.set(record, name);
      const known = rows.get(keyOf(name));
      if (known === undefined) rows.set(keyOf(name), [record]);
      else known.push(record);
    }
    return { records: rows, names };
  }
}

/** Both names in one text, which no other two make. */
function keyOf({ graph, node }: RowName): string {
  const [first, second] = [trimText(graph), trimText(node)];
  return `${first.length} ${first}${second}`;
}

/** What is wrong with a header is told where the sheet is understood. A page need not have the messages for it twice. */
const UNHEARD: Reporter = { report: () => undefined };

function headerOf(text: string): Header | null {
  const format = findFormat(text, SHEET_WORDS);
  const page = { file: "", text, delimiter: format.delimiter, start: format.start };
  return parseHeader(page, format, UNHEARD);
}
