import { editCell, editCellParts } from "../../1-parse/text/edit-cell.js";
import { cellSpan, textAt } from "../../1-parse/text/places.js";
import { trimRange } from "../../1-parse/text/white-space.js";
import type { Edit, Fix } from "../../diagnostics/diagnostic.js";
import type { CellSpan, InputItem, Row } from "../../ir.js";
import { type Draft, type DraftNode, writeFix } from "../draft.js";
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
  if (called?.fields.some((field) => field.name === param) === true) return true;
  if (row.inputs.some((other) => other.param === name)) return true;
  if (formula !== null || (prompt !== null && prompt.reference !== null)) return true;
  return facts !== null && row.settings.some((one) => mentionsIn(facts, one).some((it) => it.name === param));
}

function inPrompt(
  { analysis: { sheet } }: Draft,
  node: DraftNode,
  item: InputItem,
  name: string,
): readonly Edit[] {
  const { prompt } = node;
  if (prompt === null) return [];
  const parts = prompt.parts.flatMap((part) => {
    if (part.kind === "text" || part.path[0] !== item.param) return [];
    return [{ start: part.start, end: part.end, text: `{${[name, ...part.path.slice(1)].join(".")}}` }];
  });
  return parts.length === 0 ? [] : editCellParts(sheet, prompt.at, parts);
}

/** The cure that adds a field to the inputs of a row; null where the sheet has no column for them. */
export function addInput({ analysis: { sheet } }: Draft, row: Row, name: string, safe: boolean): Fix | null {
  const cell = cellSpan(sheet, row.index, "input_fields");
  if (cell === null) return null;
  const { start: first, end: start } = trimRange(textAt(sheet, cell));
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
