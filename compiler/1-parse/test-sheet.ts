import type { Problems } from "../diagnostics/collect.js";
import { foldName, suggest } from "../diagnostics/suggest.js";
import { type JsonSpot, type Page, type RecordSpan, TEST_COLUMNS, type TestColumn } from "../ir.js";
import { readJson } from "./cells/json-spots.js";
import type { Format, Vocabulary } from "./header/find-header.js";
import { HeaderReader } from "./header/header-reader.js";
import { type RowReporter, reportCell, reportJson } from "./rows/row-report.js";
import { reportFaults, shortRow } from "./rows/rows.js";
import { openPage, type PageSource, reportEmpty } from "./text/open-page.js";
import { shareIndex } from "./text/page.js";
import { located } from "./text/places.js";
import { type Cells, readRecords } from "./text/records.js";
import { isSkipped } from "./text/skipped-rows.js";
import { spreadsheetError } from "./text/spreadsheet-errors.js";
import { isBlank, trimRange } from "./text/white-space.js";

/** A cell of a test sheet that holds something, without the white space around it. */
export interface CaseCell extends RecordSpan {
  readonly name: TestColumn;
  readonly text: string;
  /** The value where the text is JSON; null for other text and for faulty JSON. */
  readonly json: JsonSpot | null;
}

/** The columns whose entries may stand in columns of their own, as in `given.amount`. */
const PARTED = ["given", "mocks", "answers", "expect_state"] as const;
export type PartedColumn = (typeof PARTED)[number];

/** A column of one entry. */
export interface EntryColumn {
  readonly name: PartedColumn;
  readonly key: string;
  /** The key in the header. */
  readonly keyAt: RecordSpan;
}

/** A cell of such a column. */
export interface EntryCell extends CaseCell, Omit<EntryColumn, "name"> {
  readonly name: PartedColumn;
}

export interface TestCase {
  /** The record's number from 0; a spreadsheet shows it plus one. */
  readonly record: number;
  /** A stray quote makes all cells of a row unsure. Only a whole case is run. */
  readonly readable: "whole" | "in part" | "not";
  /** The cells that hold something, without those that could not be read. */
  readonly cells: ReadonlyMap<TestColumn, CaseCell>;
  /** What stands in columns of single entries. */
  readonly entries: readonly EntryCell[];
  readonly unread: ReadonlySet<TestColumn>;
}

export interface TestSheet extends Page {
  readonly header: TestHeader;
  readonly cases: readonly TestCase[];
}

/** Reads a test sheet: text to cases, every cell on its own. Null when the file is none. Linear. */
export function parseTests(source: PageSource, problems: Problems): TestSheet | null {
  const opened = openPage(source, TEST_WORDS, problems);
  if (opened === null) return null;
  const { page, format, outline } = opened;
  const header = parseTestHeader(page, format, problems);
  reportFaults({ page, problems }, outline.faults, null, null);
  const cases: TestCase[] = [];
  if (header !== null) {
    const faulty = new Set(outline.faults.map(({ record }) => record));
    readRecords(page, outline, header.record + 1, (cells, record) => {
      if (!isSkipped(cells))
        cases.push(readCase(header, reporterFor(page, problems, record), cells, faulty.has(record)));
    });
  }
  if (header === null || cases.length === 0) {
    reportEmpty(opened, "one row for each case", problems);
    return null;
  }
  const sheet: TestSheet = { ...page, header, cases };
  shareIndex(page, sheet);
  return sheet;
}

const reporterFor = (page: Page, problems: Problems, record: number): RowReporter => ({
  ...{ page, problems, record, unreadableFrom: Infinity, sure: true },
  ...{ graph: null, node: null },
});

function readCase(header: TestHeader, reporter: RowReporter, cells: Cells, faulty: boolean): TestCase {
  const { record } = reporter;
  if (!faulty) checkWidth(header, reporter, cells);
  const read = new Map<TestColumn, CaseCell>();
  const unread = new Set<TestColumn>();
  for (const [name, column] of header.columns) {
    const text = cells[column] ?? "";
    if (isBlank(text)) continue;
    const range = trimRange(text);
    const cell = { name, record, column, ...range, text: text.slice(range.start, range.end) };
    const json = readText(reporter, cell, text, holdsJson(cell) && !faulty);
    if (json === "unread" || (json === null && holdsJson(cell))) unread.add(name);
    else read.set(name, { ...cell, json });
  }
  const entries = header.entries.flatMap((column) => {
    const cell = readEntry(reporter, column, cells, faulty);
    if (cell === "unread") unread.add(column.name);
    return cell === null || cell === "unread" ? [] : [cell];
  });
  const readable = faulty ? "not" : unread.size === 0 ? "whole" : "in part";
  return { record, readable, cells: read, entries, unread };
}

function readEntry(
  reporter: RowReporter,
  { name, key, keyAt }: EntryColumn,
  cells: Cells,
  faulty: boolean,
): EntryCell | "unread" | null {
  const { column } = keyAt;
  const whole = cells[column] ?? "";
  if (isBlank(whole)) return null;
  const { start, end } = trimRange(whole);
  const { record } = reporter;
  const text = whole.slice(start, end);
  const isJson = text.startsWith("{") || text.startsWith("[");
  const json = readText(reporter, { name, record, column, start, end, text }, whole, isJson && !faulty);
  if (json === "unread" || (json === null && isJson)) return "unread";
  return { name, record, column, start, end, text, json, key, keyAt };
}

/** The JSON of a cell; null where it holds none. */
function readText(
  reporter: RowReporter,
  cell: Omit<CaseCell, "json">,
  text: string,
  isJson: boolean,
): JsonSpot | "unread" | null {
  const value = spreadsheetError(text);
  if (value === null) return isJson ? readCell(reporter, cell, text) : null;
  reportCell(reporter, cell, "spreadsheet-error", { value });
  return "unread";
}

const JSON_COLUMNS: ReadonlySet<TestColumn> = new Set(["given", "mocks", "answers", "expect_state"]);

/** A path may be a list, an error an object; other columns are JSON, or never. */
function holdsJson({ name, text }: Pick<CaseCell, "name" | "text">): boolean {
  if (name === "expect_path") return text.startsWith("[");
  return JSON_COLUMNS.has(name) || (name === "expect_error" && text.startsWith("{"));
}

function readCell(reporter: RowReporter, cell: Omit<CaseCell, "json">, text: string): JsonSpot | null {
  const { name, column } = cell;
  const reading = readJson(text, cell);
  const { spot, fault, reserved } = reading;
  if (fault !== null) {
    const cure = 'JSON is written {"customer": "Ada", "urgent": true}';
    const params = { why: `${name} is not JSON: ${fault.why}`, cure };
    reportCell(reporter, { name, column, ...fault }, "bad-case", params);
  }
  reportJson(reporter, { name, column }, reading, "field");
  return reserved.length > 0 ? null : spot;
}

/** A row must be as wide as the header; surplus cells may stand there when they are empty. */
function checkWidth(header: TestHeader, { page, problems, record }: RowReporter, cells: Cells): void {
  const params = { cells: cells.length, columns: header.width };
  if (cells.length < header.width) problems.report("short-row", params, shortRow(page, record, params));
  const surplus = cells.findIndex((cell, column) => column >= header.width && !isBlank(cell));
  if (surplus < 0) return;
  const span = { record, column: surplus, start: 0, end: cells[surplus]?.length ?? 0 };
  problems.report("long-row", { ...params, cure: null }, located(page, span));
}

/** The graph's column answers to the names that it has in sheets of workflows. */
const GRAPH_ALIASES = ["graph", "workflow", "workflow_name"] as const;

const byFoldedName: ReadonlyMap<string, TestColumn> = new Map([
  ...TEST_COLUMNS.map((column) => [foldName(column), column] as const),
  ...GRAPH_ALIASES.map((name) => [foldName(name), "graph_name"] as const),
]);

/** The columns of a test sheet: only the name of the case must be there. */
export const TEST_WORDS: Vocabulary<TestColumn> = {
  named: (header) => byFoldedName.get(foldName(header.trim())) ?? null,
  required: ["case"],
  wanted: "case is",
};

interface TestHeader {
  readonly record: number;
  readonly width: number;
  readonly columns: ReadonlyMap<TestColumn, number>;
  readonly entries: readonly EntryColumn[];
}

/** What a header such as `given.amount` names, and where its key begins; null for others. */
export function entryNamed(
  header: string,
): { readonly name: PartedColumn; readonly key: string; readonly start: number } | null {
  const [whole, first = "", sign = "", key = ""] = /^([^.]+)(\s*\.\s*)(\S.*)$/s.exec(header) ?? [];
  const name = PARTED.find((one) => foldName(one) === foldName(first));
  return whole === undefined || name === undefined ? null : { name, key, start: first.length + sign.length };
}

/** Words that people write for the columns of a test sheet. */
const MEANT: ReadonlyMap<string, TestColumn> = new Map([
  ...["expect", "expected", "state", "output", "result"].map((word) => [word, "expect_state"] as const),
  ...["input", "inputs", "initialstate"].map((word) => [word, "given"] as const),
  ...[["mock", "mocks"] as const, ["answer", "answers"] as const],
  ...(["status", "path", "absent", "error"] as const).map((word) => [word, `expect_${word}`] as const),
]);

/** The column, or the column of one entry, that a header stands for which names none; null where nobody knows. */
function meantColumn(header: string, missing: readonly TestColumn[]): string | null {
  const [, head = "", rest = ""] = /^([^.]+)\.\s*(\S.*)$/s.exec(header) ?? [];
  if (rest !== "") {
    const name = MEANT.get(foldName(head)) ?? suggest(head, PARTED);
    return PARTED.some((one) => one === name) ? `${name}.${rest}` : null;
  }
  const name = MEANT.get(foldName(header));
  return name !== undefined && missing.includes(name) ? name : suggest(header, missing);
}

function entryColumn(reader: HeaderReader<TestColumn>, column: number): EntryColumn | null {
  const named = entryNamed(reader.text(column));
  if (named === null) return null;
  const { name, key } = named;
  const start = reader.range(column).start + named.start;
  const keyAt = { record: reader.header.record, column, start, end: start + key.length };
  return { name, key, keyAt };
}

/** Reads the header of a test sheet and reports what is wrong with it; null when the column `case` is missing. */
function parseTestHeader(
  page: Page,
  { first, header, vocabulary }: Format<TestColumn>,
  problems: Problems,
): TestHeader | null {
  if (first === null) return null;
  const reader = new HeaderReader(page, first, vocabulary, problems);
  if (header !== first) {
    reader.reportMissing(vocabulary.required, header === null ? null : header.record + 1);
    return null;
  }
  const present = new Set(first.cells.flatMap((text) => vocabulary.named(text) ?? []));
  const missing = TEST_COLUMNS.filter((column) => !present.has(column));
  const entries: EntryColumn[] = [];
  for (const column of first.cells.keys()) {
    if (reader.read(column) !== null) continue;
    const entry = entryColumn(reader, column);
    if (entry !== null) {
      const same = entries.find(({ name, key }) => name === entry.name && key === entry.key);
      if (same === undefined) entries.push(entry);
      else
        reader.reportDuplicate(entry.name, `${entry.name}.${entry.key}`, {
          column,
          first: same.keyAt.column,
        });
      continue;
    }
    const meant = meantColumn(reader.text(column), missing);
    reader.reportUnknown(column, meant, {
      fix: meant === null ? null : reader.renaming(column, meant, false),
    });
  }
  return { record: first.record, width: first.cells.length, columns: reader.columns, entries };
}
