import { type ListColumn, parseFieldList } from "../../1-parse/cells/field-list.js";
import { once } from "../../2-analyze/flow/once.js";
import type { InputItem, OutputItem, Range, Row } from "../../ir.js";
import { isRunValue } from "../../types/run-values.js";
import { fieldKey, type ItemSide, type Mention, type NameKey, PLAIN, type Role } from "./mention.js";
import type { SheetScene } from "./scene.js";

/** What the fields and inputs of a row are, for all cells that name them. */
export interface RowFields {
  readonly scene: SheetScene;
  /** The row with its settings under the names that they mean. */
  readonly row: Row;
  /** The graph that the row's node runs; null for all other nodes. */
  readonly called: NameKey | null;
  /** The index of the input whose items a loop runs over: its name is the node's own affair. */
  readonly over: number;
  /** The input that a text names: by its name inside the agent, else by its field; -1 for none. */
  readonly inputNamed: (name: string) => number;
  /** What a placeholder, a formula or a setting means by the name of an input; null for a value of the run. */
  readonly meant: (name: string) => InputMeant | null;
}

type InputMeant = Pick<Mention, "what" | "input">;

export function fieldsOf(scene: SheetScene, row: Row): RowFields {
  const value = (name: string): unknown => row.settings.find((item) => item.name === name)?.spot.value;
  const graph = scene.agentOf(row).facts?.type === "graph" ? value("graph") : undefined;
  const over = typeof graph === "string" ? value("over") : undefined;
  const called = typeof graph === "string" ? scene.graphNamed(graph.trim()) : null;
  const byName = once(() => inputsByName(row));
  const inputNamed = (name: string): number => byName().get(name) ?? -1;
  const known = new Map<string, InputMeant | null>();
  const meant = (name: string): InputMeant | null => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const found = inputMeant(fields, name);
    known.set(name, found);
    return found;
  };
  const index = typeof over === "string" ? inputNamed(over) : -1;
  const fields: RowFields = { scene, row, called, over: index, inputNamed, meant };
  return fields;
}

function inputsByName({ inputs }: Row): ReadonlyMap<string, number> {
  const found = new Map(inputs.map(({ param }, index) => [param, index]));
  for (const [index, { field }] of inputs.entries()) if (!found.has(field)) found.set(field, index);
  return found;
}

/** The sides of an item in its cell. */
export interface ItemSides {
  readonly left: Range | null;
  readonly right: Range;
  /** Nothing stands between the two sides but `=`. */
  readonly tight: boolean;
}

/** Where the names of an item stand; null for an item that was read in other words. */
export function sidesOf(
  cell: string,
  { at, field }: Pick<InputItem | OutputItem, "at" | "field">,
): ItemSides | null {
  const colon = cell.slice(at.start, at.end).indexOf(":");
  const end = colon < 0 ? at.end : at.start + colon;
  const equals = cell.slice(at.start, end).indexOf("=");
  const from = equals < 0 ? at.start : at.start + equals + 1;
  const start = from + (cell.slice(from, end).length - cell.slice(from, end).trimStart().length);
  if (!cell.startsWith(field, start)) return null;
  const right = { start, end: start + field.length };
  if (equals < 0) return { left: null, right, tight: false };
  const left = { start: at.start, end: at.start + cell.slice(at.start, at.start + equals).trimEnd().length };
  return { left, right, tight: left.end + 1 === start };
}

/** The names in the lists of inputs and outputs. */
export function itemNames(fields: RowFields): readonly Mention[] {
  const { inputs, outputs } = fields.row;
  return [
    ...inputs.flatMap((item, index) => inputNames(fields, item, index)),
    ...outputs.flatMap((item, index) => outputNames(fields, item, index)),
    ...repeatedNames(fields, inputs, "input_fields"),
    ...repeatedNames(fields, outputs, "output_field"),
  ];
}

/** The fields of items that a list holds twice: of a row they are no part. */
function repeatedNames(
  { scene, row }: RowFields,
  items: readonly (InputItem | OutputItem)[],
  column: ListColumn,
): readonly Mention[] {
  const [first] = items;
  const cell = first === undefined ? "" : scene.text(scene.span(first.at));
  if (first === undefined || cell.split(/[|,;\r\n]/).length <= items.length) return [];
  const repeated = parseFieldList(cell, column).faults.filter(({ code }) => code === "duplicate-field");
  return repeated.flatMap(({ start, end }): readonly Mention[] => {
    const [entry] = parseFieldList(cell.slice(start, end), column).entries;
    const sides =
      entry === undefined ? null : sidesOf(cell, { at: { ...first.at, start, end }, field: entry.field });
    if (entry === undefined || sides === null) return [];
    const role = column === "input_fields" ? "reads" : "writes";
    const at = scene.span({ ...first.at, ...sides.right });
    const mention = { role, at, writing: { kind: "fixed", why: "a list holds it twice" } } as const;
    const field = fieldKey(scene.view.file, row.graph.name, entry.field);
    const param = paramKey({ scene, row }, entry.left);
    return [
      { ...mention, what: field },
      { ...mention, what: param },
    ];
  });
}

function inputNames(fields: RowFields, item: InputItem, index: number): readonly Mention[] {
  const { scene, row, called, over } = fields;
  const sides = sidesIn(fields, item);
  if (sides === null) return [];
  const mention = (what: NameKey, side: ItemSide["side"], role: Role): Mention => ({
    ...{ what, role, writing: PLAIN, item: { list: "inputs", index, side } },
    at: scene.span({ ...item.at, ...((side === "left" ? sides.left : null) ?? sides.right) }),
  });
  const own = fieldKey(scene.view.file, row.graph.name, item.field);
  const read = isRunValue(item.field) ? [] : [mention(own, "right", "reads")];
  if (called !== null && index !== over)
    return [...read, mention(fieldKey(called.file, called.name, item.param), "left", "writes")];
  return sides.left === null ? read : [...read, mention(paramKey(fields, item.param), "left", "declares")];
}

function outputNames(fields: RowFields, item: OutputItem, index: number): readonly Mention[] {
  const { scene, row, called } = fields;
  const sides = sidesIn(fields, item);
  if (sides === null) return [];
  const mention = (what: NameKey, side: ItemSide["side"], role: Role): Mention => ({
    ...{ what, role, writing: PLAIN, item: { list: "outputs", index, side } },
    at: scene.span({ ...item.at, ...((side === "left" ? sides.left : null) ?? sides.right) }),
  });
  const written = mention(fieldKey(scene.view.file, row.graph.name, item.field), "right", "writes");
  const isOwn = item.key === "error" || (item.key === "errors" && collectsErrors(row));
  if (called === null || isOwn) return [written];
  return [written, mention(fieldKey(called.file, called.name, item.key), "left", "reads")];
}

const collectsErrors = ({ settings }: Row): boolean =>
  settings.some(({ name, spot }) => name === "on_error" && spot.value === "collect");

const sidesIn = ({ scene }: RowFields, item: Pick<InputItem | OutputItem, "at" | "field">) =>
  sidesOf(scene.text(scene.span(item.at)), item);

const paramKey = ({ scene, row }: Pick<RowFields, "scene" | "row">, name: string): NameKey => ({
  ...{ kind: "param", name, file: scene.view.file, graph: row.graph.name, node: row.node.name },
});

function inputMeant(fields: RowFields, name: string): InputMeant | null {
  const { scene, row, called, over, inputNamed } = fields;
  const index = inputNamed(name);
  const item = row.inputs[index];
  if (item === undefined)
    return isRunValue(name) ? null : { what: fieldKey(scene.view.file, row.graph.name, name) };
  const by = item.param === name ? "left" : "right";
  const own = fieldKey(scene.view.file, row.graph.name, item.field);
  if (by === "right" || sidesIn(fields, item)?.left === null)
    return isRunValue(item.field) ? null : { what: own, input: { index, by } };
  const isCalled = called !== null && index !== over;
  const what = isCalled ? fieldKey(called.file, called.name, item.param) : paramKey(fields, item.param);
  return { what, input: { index, by } };
}

/** The names in the placeholders of a prompt. */
export function placeholderNames(fields: RowFields): readonly Mention[] {
  const { scene, row, meant: meantBy } = fields;
  const { prompt } = row;
  if (prompt === null || prompt.reference !== null) return [];
  return prompt.parts.flatMap((part): readonly Mention[] => {
    if (part.kind === "text") return [];
    const [name = ""] = part.path;
    const meant = meantBy(name);
    const start = prompt.text.indexOf(name, part.start + 1);
    const at = scene.span({ ...prompt.at, start, end: start + name.length });
    return meant === null ? [] : [{ ...meant, role: "reads", at, writing: PLAIN }];
  });
}
