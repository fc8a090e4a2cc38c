import type { Problems } from "../../diagnostics/collect.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import { foldName } from "../../diagnostics/suggest.js";
import { COLUMNS, type ColumnName, type HeaderCell, type HeaderMeaning, type Range } from "../../ir.js";
import { isReserved } from "../cells/name-rules.js";
import { editRecordParts } from "../text/edit-cell.js";
import { indexOf, type Page } from "../text/page.js";
import { placeOf } from "../text/places.js";
import { cellText } from "../text/scan.js";
import { isSkipped } from "../text/skipped-rows.js";
import { spreadsheetError } from "../text/spreadsheet-errors.js";
import { trimRange, trimText } from "../text/white-space.js";
import { columnNamed, foreignColumn, REQUIRED, settingNamed, suggestColumn } from "./column-names.js";
import type { Format, HeaderCandidate } from "./find-header.js";

/** The meaning of a file's columns, by their index. */
export interface Header {
  readonly record: number;
  readonly cells: readonly HeaderCell[];
  /** The index of each column; -1 when the file has none of that name. */
  readonly columns: Readonly<Record<ColumnName, number>>;
  readonly settings: readonly SettingColumn[];
  /** Columns without a header: an error only when a row fills them. */
  readonly unnamed: readonly number[];
}

/** A `context.<setting>` column; the range is the setting's name in the header's cell. */
export interface SettingColumn extends Range {
  readonly name: string;
  readonly column: number;
}

interface Draft {
  readonly page: Page;
  readonly problems: Problems;
  readonly candidate: HeaderCandidate;
  readonly columns: Map<ColumnName, number>;
  /** By their names without case, white space, `_` and `-`. */
  readonly settings: Map<string, SettingColumn>;
  readonly unnamed: number[];
}

/** Reads the header and reports what is wrong with it; null when a required column is missing. */
export function parseHeader(page: Page, format: Format, problems: Problems): Header | null {
  const candidate = format.first;
  if (candidate === null) return null;
  if (format.header !== null && format.header.record > candidate.record) {
    reportTitleRows(page, { first: candidate, header: format.header }, problems);
    return null;
  }
  const draft: Draft = { page, problems, candidate, columns: new Map(), settings: new Map(), unnamed: [] };
  const columns = candidate.cells.map((text) => columnNamed(text));
  const present = new Set(columns.filter((column) => column !== null));
  const cells = candidate.cells.map((text, column) => ({
    text,
    meaning: readHeaderCell(draft, column, present),
  }));
  const missing = REQUIRED.filter((column) => !present.has(column));
  for (const column of missing) reportMissing(draft, column);
  if (missing.length > 0) return null;
  const { settings, unnamed } = draft;
  const places = COLUMNS.map((column) => [column, draft.columns.get(column) ?? -1]);
  return {
    record: candidate.record,
    cells,
    columns: Object.fromEntries(places) as Header["columns"],
    settings: [...settings.values()],
    unnamed,
  };
}

function readHeaderCell(draft: Draft, column: number, present: ReadonlySet<ColumnName>): HeaderMeaning {
  const text = draft.candidate.cells[column] ?? "";
  const range = trimRange(text);
  const header = text.slice(range.start, range.end);
  if (header === "") draft.unnamed.push(column);
  const value = spreadsheetError(header);
  if (value !== null) {
    const place = headerPlace(draft, { column, ...range });
    draft.problems.report("spreadsheet-error", { value }, { place });
    return { kind: "unknown" };
  }
  if (header === "" || header.startsWith("#")) return { kind: "private" };
  const name = columnNamed(header);
  if (name !== null) return readColumn(draft, { name, column, ...range });
  const setting = settingNamed(header);
  if (setting !== null) {
    const start = range.start + setting.start;
    return readSetting(draft, { name: setting.name, column, start, end: start + setting.name.length }, range);
  }
  const foreign = foreignColumn(header);
  if (foreign !== null && !present.has(foreign) && !draft.columns.has(foreign)) {
    reportForeign(draft, { text: header, column, ...range }, foreign);
    return readColumn(draft, { name: foreign, column, ...range });
  }
  if (foldName(header) === "when" && !draft.settings.has("when") && holdsObjects(draft, column)) {
    reportForeign(draft, { text: header, column, ...range }, "context.when");
    return readSetting(draft, { name: "when", column, ...range }, range);
  }
  const suggestion = foldName(header) === "when" ? "context.when" : suggestColumn(header, present);
  reportUnknown(draft, { text: header, column, ...range }, suggestion);
  return { kind: "unknown" };
}

/** True when the cells of a column are objects, as far as they hold anything. */
function holdsObjects({ page, candidate }: Draft, column: number): boolean {
  const { records, recordAt } = indexOf(page);
  let some = false;
  for (let record = candidate.record + 1; record < records.length; record++) {
    const cell = recordAt(record)?.cells[column];
    const text = cell === undefined ? "" : trimText(cellText(page.text, cell));
    if (text === "") continue;
    if (!text.startsWith("{") || !text.endsWith("}")) return false;
    some = true;
  }
  return some;
}

interface Named<N extends string> extends Range {
  readonly name: N;
  readonly column: number;
}

function readColumn(draft: Draft, at: Named<ColumnName>): HeaderMeaning {
  const first = draft.columns.get(at.name);
  if (first === undefined) draft.columns.set(at.name, at.column);
  else reportDuplicate(draft, { ...at, meaning: at.name, first });
  return { kind: "column", name: at.name };
}

function readSetting(draft: Draft, at: SettingColumn, range: Range): HeaderMeaning {
  if (isReserved(at.name)) {
    const place = headerPlace(draft, { column: at.column, ...range });
    draft.problems.report("reserved-name", { what: "setting", name: at.name }, { place, column: "context" });
    return { kind: "unknown" };
  }
  const folded = foldName(at.name);
  const first = draft.settings.get(folded);
  if (first === undefined) draft.settings.set(folded, at);
  else
    reportDuplicate(draft, {
      ...range,
      column: at.column,
      meaning: `context.${at.name}`,
      first: first.column,
    });
  return { kind: "setting", name: at.name };
}

interface HeaderStretch extends Range {
  readonly column: number;
}

const headerPlace = ({ page, candidate }: Draft, at: HeaderStretch) =>
  placeOf(page, { record: candidate.record, ...at });

function reportDuplicate(draft: Draft, at: HeaderStretch & { meaning: string; first: number }): void {
  const { cells } = draft.candidate;
  const [text = "", first = ""] = [cells[at.column], cells[at.first]].map((cell) => (cell ?? "").trim());
  const column = columnNamed(text) ?? "context";
  const params = { text, column: at.meaning, first };
  draft.problems.report("duplicate-column", params, { place: headerPlace(draft, at), column });
}

function reportUnknown(draft: Draft, at: HeaderStretch & { text: string }, suggestion: string | null): void {
  const { page, candidate, problems } = draft;
  const span = { record: candidate.record, column: at.column, start: at.start, end: at.end };
  const fix: Fix | null =
    suggestion === null
      ? null
      : {
          title: `write ${JSON.stringify(suggestion)}`,
          safe: false,
          edits: editRecordParts(page, span, [{ start: at.start, end: at.end, text: suggestion }]),
        };
  problems.report("unknown-column", { text: at.text, suggestion }, { place: headerPlace(draft, at), fix });
}

/** A header in the words of another tool is read as what it means here. */
function reportForeign(draft: Draft, at: HeaderStretch & { text: string }, name: string): void {
  const { page, candidate, problems } = draft;
  const span = { record: candidate.record, column: at.column, start: at.start, end: at.end };
  const edits = editRecordParts(page, span, [{ start: at.start, end: at.end, text: name }]);
  const fix: Fix = { title: `write ${JSON.stringify(name)}`, safe: true, edits };
  const params = { what: "column", name: at.text, means: JSON.stringify(name) };
  problems.report("foreign-name", params, { place: headerPlace(draft, at), fix });
}

const WANTED = "graph_name (or graph, workflow) and node_name (or node, step) are";

function reportMissing(draft: Draft, column: ColumnName): void {
  const place = headerPlace(draft, { column: 0, ...trimRange(draft.candidate.cells[0] ?? "") });
  draft.problems.report(
    "missing-column",
    { columns: [column], headerRow: null, required: WANTED },
    { place, column },
  );
}

/** The first row is no header, but one below it is: the rows above become comments. */
function reportTitleRows(
  page: Page,
  { first, header }: { first: HeaderCandidate; header: HeaderCandidate },
  problems: Problems,
): void {
  const place = placeOf(page, { record: first.record, column: 0, ...trimRange(first.cells[0] ?? "") });
  const edits = [];
  for (let record = first.record; record < header.record; record++) {
    const { cells = [] } = indexOf(page).recordAt(record) ?? {};
    const [cell] = cells;
    if (cell === undefined || isSkipped(cells.map((each) => cellText(page.text, each)))) continue;
    edits.push({ start: cell.from, end: cell.from, text: "# " });
  }
  const fix: Fix = { title: 'start the rows above the header with "# "', safe: true, edits };
  const params = { columns: REQUIRED, headerRow: header.record + 1, required: WANTED };
  problems.report("missing-column", params, { place, fix });
}

/** A column without a header is private while it is empty; one that a row fills is unknown. */
export function reportUnnamed(page: Page, header: Header, column: number, problems: Problems): void {
  const { text = "" } = header.cells[column] ?? {};
  const place = placeOf(page, { record: header.record, column, ...trimRange(text) });
  problems.report("unknown-column", { text: "", suggestion: null }, { place });
}
