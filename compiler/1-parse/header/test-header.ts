import type { Problems } from "../../diagnostics/collect.js";
import { foldName, suggest } from "../../diagnostics/suggest.js";
import { type Page, TEST_COLUMNS, type TestColumn } from "../../ir.js";
import type { Format, Vocabulary } from "./find-header.js";
import { HeaderReader } from "./header-reader.js";

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

export interface TestHeader {
  readonly record: number;
  /** The number of its cells. */
  readonly width: number;
  readonly columns: ReadonlyMap<TestColumn, number>;
}

/** Reads the header of a test sheet and reports what is wrong with it; null when the column `case` is missing. */
export function parseTestHeader(
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
  for (const column of first.cells.keys())
    if (reader.read(column) === null) reader.reportUnknown(column, suggest(reader.text(column), missing));
  return { record: first.record, width: first.cells.length, columns: reader.columns };
}
