import { editCell, editCellParts } from "../../1-parse/text/edit-cell.js";
import { cellSpan, textAt } from "../../1-parse/text/places.js";
import { trimRange } from "../../1-parse/text/white-space.js";
import type { Edit, Fix } from "../../diagnostics/diagnostic.js";
import type { CellSpan, InputItem, PromptItem, Range, Row, SettingItem } from "../../ir.js";
import type { AgentFacts } from "../../world.js";
import { fieldsByName, inputOfParam } from "../by-name.js";
import { type Draft, type DraftNode, writeFix } from "../draft.js";
import { groupBy } from "../group-by.js";
import { mentionsIn } from "./input-names.js";

/**
 * The cure that lets a node read another field. Placeholders of its prompt that name the field follow.
 * Where other cells name the input, or another input has the new name, it keeps its own: `old=new`.
 */
export function renameRead(draft: Draft, node: DraftNode, item: InputItem, name: string): Fix | null {
  const { sheet } = draft.analysis;
  const text = textAt(sheet, item.at);
  const from = text.indexOf("=") + 1;
  const start = text.indexOf(item.field, from);
  if (start < 0) return null;
  const isNamed = from > 0 || isKept(draft, node, item, name);
  const written = from === 0 && isNamed ? `${item.param}=${name}` : name;
  const at = item.at.start + start;
  const part = { start: at, end: at + item.field.length, text: written };
  const edits = [
    ...editCellParts(sheet, item.at, [part]),
    ...(isNamed ? [] : inPrompt(draft, node, item, name)),
  ];
  return { title: `write ${JSON.stringify(written)}`, safe: false, edits };
}

/** Whether something that the cure does not write names the input. */
function isKept(
  { analysis }: Draft,
  { facts, formula, row, prompt, settings }: DraftNode,
  { param }: InputItem,
  name: string,
): boolean {
  const called = facts?.type === "graph" ? analysis.graphOf(String(settings["graph"])) : null;
  if (called !== null && fieldsByName(called).has(param)) return true;
  if (inputOfParam(row.inputs, name) !== undefined) return true;
  if (formula !== null || (prompt !== null && prompt.reference !== null)) return true;
  return facts !== null && row.settings.some((one) => namesIn(facts, one).has(param));
}

const named = new WeakMap<SettingItem, ReadonlySet<string>>();

/** The inputs that a setting names. Each misspelt input asks for them. */
function namesIn(facts: AgentFacts, setting: SettingItem): ReadonlySet<string> {
  const known = named.get(setting) ?? new Set(mentionsIn(facts, setting).map(({ name }) => name));
  named.set(setting, known);
  return known;
}

function inPrompt(
  { analysis: { sheet } }: Draft,
  node: DraftNode,
  item: InputItem,
  name: string,
): readonly Edit[] {
  const { prompt } = node;
  if (prompt === null) return [];
  const parts = placeholdersOf(prompt, item.param).map(({ start, end, path }) => ({
    ...{ start, end },
    text: `{${[name, ...path.slice(1)].join(".")}}`,
  }));
  return parts.length === 0 ? [] : editCellParts(sheet, prompt.at, parts);
}

type Placeholder = Extract<PromptItem["parts"][number], { readonly kind: "field" }>;
const placeholders = new WeakMap<PromptItem, ReadonlyMap<string, readonly Placeholder[]>>();

function placeholdersOf(prompt: PromptItem, param: string): readonly Placeholder[] {
  const fields = (): readonly Placeholder[] => prompt.parts.filter((part) => part.kind === "field");
  const known = placeholders.get(prompt) ?? groupBy(fields(), ({ path }) => path[0] ?? "");
  placeholders.set(prompt, known);
  return known.get(param) ?? [];
}

const filledParts = new WeakMap<Row, Range>();

/** Where the names in the cell of the inputs stand: each problem of a long prompt asks for it. */
function filledPart(row: Row, textOf: () => string): Range {
  const known = filledParts.get(row) ?? trimRange(textOf());
  filledParts.set(row, known);
  return known;
}

/** The cure that adds a field to the inputs of a row; null where the sheet has no column for them. */
export function addInput({ analysis: { sheet } }: Draft, row: Row, name: string, safe: boolean): Fix | null {
  const cell = cellSpan(sheet, row.index, "input_fields");
  if (cell === null) return null;
  const { start: first, end: start } = filledPart(row, () => textAt(sheet, cell));
  const text = first === start ? name : `|${name}`;
  const edits = [editCell(sheet, { ...cell, start, end: start }, text)];
  return { title: `add ${JSON.stringify(name)} to input_fields`, safe, edits };
}

/** The cure that takes another field of a called graph: `theirs=mine` keeps the name that the field has here. */
export function nameTheirs(draft: Draft, at: CellSpan, theirs: string, safe: boolean): Fix {
  const item = textAt(draft.analysis.sheet, at);
  const equals = item.indexOf("=");
  const mine = equals < 0 ? item : item.slice(equals + 1).trimStart();
  return writeFix(draft, at, `${theirs}=${mine}`, safe);
}
