import type { Problems } from "../../diagnostics/collect.js";
import { foldName, suggest } from "../../diagnostics/suggest.js";
import { TEST_COLUMNS, type TestColumn } from "../../ir.js";
import type { Page } from "../text/page.js";
import { placeOf } from "../text/places.js";
import { spreadsheetError } from "../text/spreadsheet-errors.js";
import { trimRange } from "../text/white-space.js";
import type { Format, HeaderCandidate, Vocabulary } from "./find-header.js";

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
};

export interface TestHeader {
  readonly record: number;
  /** The number of its cells. */
  readonly width: number;
  readonly columns: ReadonlyMap<TestColumn, number>;
}

interface Draft {
  readonly page: Page;
  readonly problems: Problems;
  readonly candidate: HeaderCandidate;
}

/** Reads the header of a test sheet and reports what is wrong with it; null when the column `case` is missing. */
export function parseTestHeader(
  page: Page,
  format: Format<TestColumn>,
  problems: Problems,
): TestHeader | null {
  const { first, header } = format;
  if (first === null) return null;
  const draft: Draft = { page, problems, candidate: first };
  if (header !== first) {
    reportMissing(draft, header === null ? null : header.record + 1);
    return null;
  }
  const columns = new Map<TestColumn, number>();
  const present = new Set(first.cells.flatMap((text) => TEST_WORDS.named(text) ?? []));
  first.cells.forEach((text, index) => {
    const column = TEST_WORDS.named(text);
    const known = column === null ? undefined : columns.get(column);
    if (column === null) reportUnknown(draft, index, present);
    else if (known === undefined) columns.set(column, index);
    else reportDuplicate(draft, { index, column, first: first.cells[known] ?? "" });
  });
  return { record: first.record, width: first.cells.length, columns };
}

const placeAt = ({ page, candidate }: Draft, column: number) =>
  placeOf(page, { record: candidate.record, column, ...trimRange(candidate.cells[column] ?? "") });

function reportMissing(draft: Draft, headerRow: number | null): void {
  const params = { columns: TEST_WORDS.required, headerRow, required: "case is" };
  draft.problems.report("missing-column", params, { place: placeAt(draft, 0), column: "case" });
}

function reportUnknown(draft: Draft, index: number, present: ReadonlySet<TestColumn>): void {
  const text = (draft.candidate.cells[index] ?? "").trim();
  const value = spreadsheetError(text);
  if (value !== null) draft.problems.report("spreadsheet-error", { value }, { place: placeAt(draft, index) });
  if (text === "" || text.startsWith("#")) return;
  const missing = TEST_COLUMNS.filter((column) => !present.has(column));
  const suggestion = suggest(text, missing);
  draft.problems.report("unknown-column", { text, suggestion }, { place: placeAt(draft, index) });
}

function reportDuplicate(
  draft: Draft,
  { index, column, first }: { readonly index: number; readonly column: TestColumn; readonly first: string },
): void {
  const params = { text: (draft.candidate.cells[index] ?? "").trim(), column, first: first.trim() };
  draft.problems.report("duplicate-column", params, { place: placeAt(draft, index), column });
}
