import { type CellPart, editCell, editCellParts } from "../../1-parse/text/edit-cell.js";
import { cellSpan, locatedIn } from "../../1-parse/text/places.js";
import type { Edit, Fix } from "../../diagnostics/diagnostic.js";
import type { Json, Row, SettingItem, Sheet } from "../../ir.js";
import type { AgentFacts } from "../../world.js";
import { type Analysis, reportRow, spotSpan } from "../draft.js";
import { isOfColumn, shapeOf } from "./settings.js";

/** The meaning of another tool's setting: one of ours with its value, or a node to go to on failure. */
type Meaning = { readonly name: string; readonly value: Json } | { readonly onFailure: string };

const INTERACTIONS: { readonly [written: string]: string } = {
  approval: "approval",
  choice: "choice",
  multiple_choice: "choice",
  text: "text",
  text_input: "text",
};

/** The settings of other tools that have one meaning here; null for a value that could not be kept. */
const FOREIGN: { readonly [name: string]: (value: Json) => Meaning | null } = {
  timeout_seconds: (value) =>
    typeof value === "number" ? { name: "timeout_ms", value: Math.round(value * 1000) } : null,
  interaction_type: (value) => {
    const kind = typeof value === "string" && Object.hasOwn(INTERACTIONS, value) ? INTERACTIONS[value] : null;
    return typeof kind === "string" ? { name: "interaction", value: kind } : null;
  },
  workflow: graphOf,
  subgraph_name: graphOf,
  error_node: (value) =>
    typeof value === "string" && value.trim() !== "" ? { onFailure: value.trim() } : null,
};

/** Some tools write a graph of the same sheet as `::Name`, and one of another sheet as `other.csv::Name`. */
function graphOf(value: Json): Meaning | null {
  if (typeof value !== "string") return null;
  const name = value.trim().replace(/^::/, "");
  return { name: "graph", value: name.replace(/\.csv(?=::)/i, "") };
}

/** A row in the words of this tool; settings of other tools are understood, with a warning each. */
export function nameForeign(analysis: Analysis, row: Row, facts: AgentFacts | null): Row {
  if (facts === null || row.damaged || row.long !== null) return row;
  let named = row;
  for (const item of row.settings) {
    const meaning = isOfColumn(item) ? columnMeaning(analysis, item, named) : meaningOf(named, item, facts);
    if (meaning === null) continue;
    if (!isOfColumn(item)) report(analysis, row, item, meaning);
    named = applied(named, item, meaning);
  }
  return named;
}

function meaningOf(row: Row, item: SettingItem, facts: AgentFacts): Meaning | null {
  if (shapeOf(item.name, facts) !== undefined || !Object.hasOwn(FOREIGN, item.name)) return null;
  const meaning = FOREIGN[item.name]?.(item.spot.value) ?? null;
  if (meaning === null) return null;
  if ("onFailure" in meaning) {
    const isThere = row.onFailure.every(({ name }) => name === meaning.onFailure);
    return isThere && isVerbatim(item) ? meaning : null;
  }
  const isFree = !row.settings.some(({ name }) => name === meaning.name);
  return isFree && shapeOf(meaning.name, facts) !== undefined ? meaning : null;
}

/** Nothing but its quotes stands around the text: offsets in it count from there. */
const isVerbatim = ({ spot: { value, start, end } }: SettingItem): boolean =>
  typeof value === "string" && end - start === value.length + 2;

function applied(row: Row, item: SettingItem, meaning: Meaning): Row {
  if ("onFailure" in meaning) {
    const { start, end } = item.spot;
    const at = spotSpan(item.cell, { start: start + 1, end: end - 1 });
    const settings = row.settings.filter((other) => other.nameAt !== item.nameAt);
    const onFailure = row.onFailure.length > 0 ? row.onFailure : [{ name: meaning.onFailure, at }];
    return { ...row, settings, onFailure };
  }
  const { name, value } = meaning;
  const settings = row.settings.map((other) =>
    other.nameAt === item.nameAt ? { ...item, name, spot: { ...item.spot, value } } : other,
  );
  return { ...row, settings };
}

type Renaming = Extract<Meaning, { readonly name: string }>;

/** The meanings of a column's cells, by the index of their row; null where they stay as they are. */
type ColumnMeanings = ReadonlyMap<number, Renaming> | null;

const columns = new WeakMap<Analysis, Map<number, ColumnMeanings>>();

/** A changed sheet is read anew. */
export const forgetColumns = (analysis: Analysis): boolean => columns.delete(analysis);

/** True when the rows of all graphs together decide what a column means. */
export const hasForeignColumn = ({ header }: Sheet): boolean =>
  header.some(({ meaning }) => meaning.kind === "setting" && Object.hasOwn(FOREIGN, meaning.name));

/** Rows share the header of a setting's column: it is read in other words only where that holds for all that fill it. */
function columnMeaning(analysis: Analysis, { name, nameAt }: SettingItem, row: Row): Meaning | null {
  if (!Object.hasOwn(FOREIGN, name)) return null;
  const known = columns.get(analysis) ?? new Map<number, ColumnMeanings>();
  columns.set(analysis, known);
  if (!known.has(nameAt.column)) known.set(nameAt.column, readColumn(analysis, nameAt));
  return known.get(nameAt.column)?.get(row.index) ?? null;
}

/** Two columns of other tools that both name a graph are left as they are. */
const isNamed = (written: string, name: string): boolean =>
  name === "graph" && Object.hasOwn(FOREIGN, written) && FOREIGN[written] === graphOf;

function readColumn(analysis: Analysis, at: SettingItem["nameAt"]): ColumnMeanings {
  const { sheet, problems } = analysis;
  const meanings = new Map<number, Renaming>();
  const parts: Edit[] = [];
  let named: SettingItem | null = null;
  for (const row of sheet.rows) {
    const item = row.settings.find(({ nameAt }) => nameAt.row === at.row && nameAt.column === at.column);
    if (item === undefined) continue;
    const { facts } = analysis.agentOf(row.agent.name);
    const meaning = facts === null || row.damaged || row.long !== null ? null : meaningOf(row, item, facts);
    if (meaning === null || "onFailure" in meaning) return null;
    meanings.set(row.index, meaning);
    named = item;
    if (meaning.value !== item.spot.value)
      parts.push(editCell(sheet, spotSpan(item.cell, item.spot), String(meaning.value)));
  }
  const [first] = meanings.values();
  if (named === null || first === undefined) return null;
  const { name } = first;
  const isTaken = sheet.header.some(
    ({ meaning }, column) =>
      column !== at.column &&
      meaning.kind === "setting" &&
      (meaning.name === name || isNamed(meaning.name, name)),
  );
  if (isTaken) return null;
  const edits = [editCell(sheet, at, name), ...parts];
  const title = `write ${JSON.stringify(name)}${parts.length > 0 ? ", with its values" : ""}`;
  const fix: Fix = { title, safe: true, edits };
  const means = `${JSON.stringify(name)}${parts.length > 0 ? ", with other values," : ""}`;
  const where = { ...locatedIn(sheet, at), column: "context", fix } as const;
  problems.report("foreign-name", { what: "setting", name: named.name, means }, where);
  return meanings;
}

function report(analysis: Analysis, row: Row, item: SettingItem, meaning: Meaning): void {
  const isMoved = "onFailure" in meaning;
  const changed =
    isMoved || meaning.value === item.spot.value ? "" : ` with the value ${JSON.stringify(meaning.value)}`;
  const means = isMoved ? "the column next_on_failure" : `${JSON.stringify(meaning.name)}${changed}`;
  const { sheet } = analysis;
  const fix = isMoved ? moveFix(sheet, row, item, meaning.onFailure) : renameFix(sheet, item, meaning);
  const params = { what: "setting", name: item.name, means } as const;
  reportRow(analysis, row, "foreign-name", params, { span: item.nameAt, column: "context", fix });
}

function renameFix(sheet: Sheet, { nameAt, spot, cell }: SettingItem, { name, value }: Renaming): Fix {
  const parts: CellPart[] = [{ start: nameAt.start, end: nameAt.end, text: JSON.stringify(name) }];
  if (value !== spot.value) parts.push({ start: spot.start, end: spot.end, text: JSON.stringify(value) });
  const said = `write ${parts.map(({ text }) => text).join(": ")}`;
  return { title: said, safe: true, edits: editCellParts(sheet, cell, parts) };
}

/** Takes the node out of the context and writes it into its column; null where the sheet has none. */
function moveFix(sheet: Sheet, row: Row, item: SettingItem, target: string): Fix | null {
  const to = cellSpan(sheet, row.index, "next_on_failure");
  if (to === null) return null;
  const edits: Edit[] = [editCell(sheet, { ...item.cell, ...withoutEntry(row, item) }, "")];
  if (row.onFailure.length === 0) edits.push(editCell(sheet, to, target));
  return { title: `write ${JSON.stringify(target)} into next_on_failure`, safe: true, edits };
}

/** The stretch that an entry takes in its object, with one of the commas beside it; alone it is the whole cell. */
function withoutEntry(row: Row, item: SettingItem): { readonly start: number; readonly end: number } {
  const entries = row.settings.filter(({ nameAt }) => nameAt.column === item.nameAt.column);
  const at = entries.findIndex(({ nameAt }) => nameAt === item.nameAt);
  const [before, after] = [entries[at - 1], entries[at + 1]];
  if (after !== undefined) return { start: item.nameAt.start, end: after.nameAt.start };
  if (before !== undefined) return { start: before.spot.end, end: item.spot.end };
  return { start: item.cell.start, end: item.cell.end };
}
