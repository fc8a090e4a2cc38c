import { foldName, suggest } from "../../diagnostics/suggest.js";
import { TEST_COLUMNS, type TestColumn } from "../../ir.js";
import type { Vocabulary } from "./find-header.js";

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

/** A header that an unknown one may stand for, among the columns that are not there yet. */
export function suggestTestColumn(header: string, present: ReadonlySet<TestColumn>): string | null {
  return suggest(
    header,
    TEST_COLUMNS.filter((column) => !present.has(column)),
  );
}
