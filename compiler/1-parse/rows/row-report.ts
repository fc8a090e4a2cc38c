import type { Code, Params } from "../../diagnostics/catalogue.js";
import type { Problems } from "../../diagnostics/collect.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import type { ColumnName, Page, Range, TestColumn } from "../../ir.js";
import type { JsonReading } from "../cells/json-spots.js";
import { type CellFix, editRecordParts } from "../text/edit-cell.js";
import { located } from "../text/places.js";

/** Shared by all parts of a row that report problems. */
export interface RowReporter {
  readonly page: Page;
  readonly problems: Problems;
  readonly record: number;
  /** From this column on a bad quote has shifted the text, so nothing is said of it. */
  readonly unreadableFrom: number;
  /** Each cell stands in its own column. In a row with too many cells, only the surplus is mended. */
  readonly sure: boolean;
  graph: string | null;
  node: string | null;
}

export interface CellStretch extends Range {
  readonly column: number;
  readonly name: ColumnName | TestColumn;
}

/** Reports a problem at a stretch of a cell of the row, unless that cell could not be read. */
export function reportCell<C extends Code>(
  reporter: RowReporter,
  at: CellStretch,
  code: C,
  params: Params<C>,
  cure: CellFix | null = null,
): void {
  const { page, problems, record, graph, node, sure } = reporter;
  if (at.column >= reporter.unreadableFrom || problems.isFull(code, { record, column: at.column })) return;
  const span = { record, column: at.column, start: at.start, end: at.end };
  const fix: Fix | null =
    cure === null || !sure
      ? null
      : { title: cure.title, safe: cure.safe, edits: editRecordParts(page, span, cure.parts) };
  problems.report(code, params, { ...located(page, span), graph, node, column: at.name, fix });
}

/** Reports what JSON does not allow, though it was understood, and the keys that were refused. */
export function reportJson(
  reporter: RowReporter,
  cell: Omit<CellStretch, keyof Range>,
  { lenient, reserved, repeated }: JsonReading,
  what: "setting" | "field",
): void {
  for (const { key, ...at } of reserved)
    reportCell(reporter, { ...cell, ...at }, "reserved-name", { what, name: key });
  for (const { key, ...at } of repeated) reportCell(reporter, { ...cell, ...at }, "duplicate-key", { key });
  const [first] = lenient;
  if (first === undefined) return;
  const parts = lenient.map(({ start, end, json }) => ({ start, end, text: json }));
  const fix: CellFix = { title: "write it as JSON", safe: true, parts };
  const params = { column: cell.name, what: first.what };
  reportCell(reporter, { ...cell, start: first.start, end: first.end }, "python-literal", params, fix);
}
