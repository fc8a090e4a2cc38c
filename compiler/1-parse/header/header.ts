import type { Reporter } from "../../diagnostics/collect.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import { foldName } from "../../diagnostics/suggest.js";
import {
  COLUMNS,
  type ColumnName,
  type HeaderCell,
  type HeaderMeaning,
  type Page,
  type Range,
} from "../../ir.js";
import { isReserved } from "../cells/name-rules.js";
import { indexOf } from "../text/page.js";
import { located } from "../text/places.js";
import { cellText } from "../text/scan.js";
import { isSkipped } from "../text/skipped-rows.js";
import { isBlank, trimRange, trimText } from "../text/white-space.js";
import { foreignColumn, settingNamed, suggestColumn } from "./column-names.js";
import type { Format, HeaderCandidate } from "./find-header.js";
import { HeaderReader } from "./header-reader.js";

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
  readonly reader: HeaderReader<ColumnName>;
  /** The columns that the header names in our words. */
  readonly present: ReadonlySet<ColumnName>;
  /** By their names without case, white space, `_` and `-`. */
  readonly settings: Map<string, SettingColumn>;
}

/** Reads the header and reports what is wrong with it; null when a required column is missing. */
export function parseHeader(page: Page, format: Format, problems: Reporter): Header | null {
  const { first, header, vocabulary } = format;
  if (first === null) return null;
  const reader = new HeaderReader(page, first, vocabulary, problems);
  if (header !== null && header.record > first.record) {
    reader.reportMissing(vocabulary.required, header.record + 1, titleRowsFix(page, first, header));
    return null;
  }
  const present = new Set(first.cells.flatMap((text) => vocabulary.named(text) ?? []));
  const draft: Draft = { reader, present, settings: new Map() };
  const cells = first.cells.map((text, column) => ({ text, meaning: readMeaning(draft, column) }));
  const missing = vocabulary.required.filter((column) => !present.has(column));
  for (const column of missing) reader.reportMissing([column], null);
  if (missing.length > 0) return null;
  const places = COLUMNS.map((column) => [column, reader.columns.get(column) ?? -1]);
  return {
    record: first.record,
    cells,
    columns: Object.fromEntries(places) as Header["columns"],
    settings: [...draft.settings.values()],
    unnamed: first.cells.flatMap((text, column) => (isBlank(text) ? [column] : [])),
  };
}

function readMeaning(draft: Draft, column: number): HeaderMeaning {
  const { reader, present, settings } = draft;
  const known = reader.read(column);
  if (known !== null) return known;
  const header = reader.text(column);
  const range = reader.range(column);
  const setting = settingNamed(header);
  if (setting !== null) {
    const start = range.start + setting.start;
    return readSetting(draft, { name: setting.name, column, start, end: start + setting.name.length });
  }
  const foreign = foreignColumn(header);
  if (foreign !== null && (present.has(foreign) || reader.columns.has(foreign))) {
    reader.reportUnknown(column, null, { beside: foreign });
    return { kind: "unknown" };
  }
  if (foreign !== null) {
    reportForeign(draft, column, foreign);
    return reader.add(foreign, column);
  }
  const isWhen = foldName(header) === "when";
  if (isWhen && !settings.has("when") && holdsObjects(reader, column)) {
    reportForeign(draft, column, "context.when");
    return readSetting(draft, { name: "when", column, ...range });
  }
  const meant = isWhen ? "context.when" : suggestColumn(header, present);
  reader.reportUnknown(column, meant, { fix: meant === null ? null : reader.renaming(column, meant, false) });
  return { kind: "unknown" };
}

/** True when the cells of a column are objects, as far as they hold anything. */
function holdsObjects({ page, header }: HeaderReader<ColumnName>, column: number): boolean {
  const { records, recordAt } = indexOf(page);
  let some = false;
  for (let record = header.record + 1; record < records.length; record++) {
    const cell = recordAt(record)?.cells[column];
    const said = cell === undefined ? "nothing" : sayOf(cellText(page.text, cell));
    if (said === "other") return false;
    some ||= said === "object";
  }
  return some;
}

/** What a record says of the columns named `when`: nothing, an object, or that they hold something else. */
export const saysOfWhen = ({ cells: header }: Header, cells: readonly string[]): string =>
  header.map(({ text }, column) => (foldName(text) === "when" ? sayOf(cells[column] ?? "") : "")).join();

function sayOf(cell: string): "nothing" | "object" | "other" {
  const text = trimText(cell);
  if (text === "") return "nothing";
  return text.startsWith("{") && text.endsWith("}") ? "object" : "other";
}

function readSetting({ reader, settings }: Draft, at: SettingColumn): HeaderMeaning {
  const { name, column } = at;
  if (isReserved(name)) {
    const where = { ...reader.at(column), column: "context" } as const;
    reader.problems.report("reserved-name", { what: "setting", name }, where);
    return { kind: "unknown" };
  }
  const first = settings.get(foldName(name))?.column;
  if (first === undefined) settings.set(foldName(name), at);
  else reader.reportDuplicate("context", `context.${name}`, { column, first });
  return { kind: "setting", name };
}

/** A header in the words of another tool is read as what it means here. */
function reportForeign({ reader }: Draft, column: number, name: string): void {
  const params = { what: "column", name: reader.text(column), means: JSON.stringify(name) };
  const where = { ...reader.at(column), fix: reader.renaming(column, name, true) };
  reader.problems.report("foreign-name", params, where);
}

/** The rows above the header become comments. */
function titleRowsFix(page: Page, first: HeaderCandidate, header: HeaderCandidate): Fix {
  const edits = [];
  for (let record = first.record; record < header.record; record++) {
    const { cells = [] } = indexOf(page).recordAt(record) ?? {};
    const [cell] = cells;
    if (cell === undefined || isSkipped(cells.map((each) => cellText(page.text, each)))) continue;
    edits.push({ start: cell.from, end: cell.from, text: "# " });
  }
  return { title: 'start the rows above the header with "# "', safe: true, edits };
}

/** A column without a header is private while it is empty; one that a row fills is unknown. */
export function reportUnnamed(page: Page, header: Header, column: number, problems: Reporter): void {
  const { text = "" } = header.cells[column] ?? {};
  const where = located(page, { record: header.record, column, ...trimRange(text) });
  problems.report("unknown-column", { text: "", suggestion: null }, where);
}
