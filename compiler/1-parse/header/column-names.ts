import { foldName, suggest } from "../../diagnostics/suggest.js";
import { COLUMNS, type ColumnName } from "../../ir.js";
import type { Vocabulary } from "./find-header.js";

const ALIASES: { readonly [C in ColumnName]: readonly string[] } = {
  graph_name: ["graph", "workflow", "workflow_name"],
  node_name: ["node", "step", "step_name", "name"],
  next_node: ["edge", "next", "target"],
  context: ["config", "configuration", "settings"],
  agent_type: ["agent", "type"],
  next_on_success: ["success_next", "on_success", "success_target"],
  next_on_failure: ["failure_next", "on_failure", "failure_target"],
  input_fields: ["inputs"],
  output_field: ["output", "outputs", "output_fields"],
  prompt: ["prompt_template", "template", "instructions"],
  description: ["desc", "details"],
};

export const REQUIRED = ["graph_name", "node_name"] as const satisfies readonly ColumnName[];

const byFoldedName: ReadonlyMap<string, ColumnName> = new Map(
  COLUMNS.flatMap((column) => [column, ...ALIASES[column]].map((name) => [foldName(name), column] as const)),
);

/** The column that a header names; case, white space, `_` and `-` don't matter. */
export function columnNamed(header: string): ColumnName | null {
  return byFoldedName.get(foldName(header)) ?? null;
}

export const SHEET_WORDS: Vocabulary<ColumnName> = {
  named: columnNamed,
  required: REQUIRED,
  wanted: "graph_name (or graph, workflow) and node_name (or node, step) are",
};

/** The setting of a header such as `context.retry`, and where its name begins; null for any other header. */
export function settingNamed(header: string): { readonly name: string; readonly start: number } | null {
  const dot = header.indexOf(".");
  if (dot < 0 || columnNamed(header.slice(0, dot)) !== "context") return null;
  const rest = header.slice(dot + 1);
  const name = rest.trim();
  return name === "" ? null : { name, start: dot + 1 + rest.indexOf(name) };
}

/** The column that a header of other tools is here; null for any other header. */
export function foreignColumn(header: string): ColumnName | null {
  return foldName(header) === "errornode" ? "next_on_failure" : null;
}

/** Words that people write over the cells of a column which has another name. */
const WORDS: readonly (readonly [ColumnName, ...words: string[]])[] = [
  ["graph_name", "process"],
  ["node_name", "task", "activity"],
  ["next_node", "next step", "next task", "then", "go to"],
  ["agent_type", "kind"],
  ["next_on_success", "yes", "if yes", "on yes", "success"],
  ["next_on_failure", "no", "if no", "on no", "failure", "otherwise"],
  ["output_field", "result", "writes"],
  ["prompt", "formula", "expression", "calculation", "text", "message", "question"],
];

const MEANT: ReadonlyMap<string, ColumnName> = new Map(
  WORDS.flatMap(([column, ...words]) => words.map((word) => [foldName(word), column] as const)),
);

/** A header that an unknown one may stand for, among the columns that are not there yet. */
export function suggestColumn(header: string, present: ReadonlySet<ColumnName>): string | null {
  const dot = header.indexOf(".");
  if (dot >= 0) {
    const context = suggest(header.slice(0, dot), ["context", ...ALIASES.context]);
    return context === null ? null : context + header.slice(dot);
  }
  const name = MEANT.get(foldName(header));
  if (name !== undefined && !present.has(name)) return name;
  const absent = COLUMNS.filter((column) => !present.has(column));
  return suggest(header, [...absent, ...absent.flatMap((column) => ALIASES[column])]);
}
