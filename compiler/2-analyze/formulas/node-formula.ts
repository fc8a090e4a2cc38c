import { textAt } from "../../1-parse/text/places.js";
import { demandsOf } from "../../formula/demand.js";
import { type Parsed, parseFormula } from "../../formula/parse.js";
import { saysTruth, walkFormula } from "../../formula/shape.js";
import type { CellSpan, FieldType, InputItem, PromptItem, Range, Row, SettingItem, Sheet } from "../../ir.js";
import { isBoolean, UNKNOWN } from "../../types/field-type.js";
import type { AgentFacts } from "../../world.js";
import { inputOf, inputOfParam } from "../by-name.js";

/** The formula of a node: the prompt of `formula`, or the setting `if` of `branching`. */
export interface NodeFormula {
  readonly text: string;
  readonly parsed: Parsed;
  readonly column: "prompt" | "context";
  /** The stretch of the cell that a stretch of the formula stands in. */
  readonly spanOf: (at: Range) => CellSpan;
  /** Stretches of the cell can be written over. */
  readonly isInCell: boolean;
  readonly setting: SettingItem | null;
}

/** The name of the setting that holds a condition. */
const CONDITION = "if";

export function formulaOf(
  sheet: Sheet,
  {
    row,
    facts,
    prompt,
  }: { readonly row: Row; readonly facts: AgentFacts | null; readonly prompt: PromptItem | null },
): NodeFormula | null {
  if (facts?.type === "formula") return prompt === null ? null : ofPrompt(prompt);
  if (facts?.type !== "branching") return null;
  const item = row.settings.find(({ name }) => name === CONDITION);
  return item === undefined || typeof item.spot.value !== "string"
    ? null
    : ofSetting(sheet, item, item.spot.value);
}

function ofPrompt({ text, at, reference }: PromptItem): NodeFormula {
  const spanOf = ({ start, end }: Range): CellSpan => (reference === null ? { ...at, start, end } : at);
  return {
    text,
    parsed: parseFormula(text),
    column: "prompt",
    spanOf,
    isInCell: reference === null,
    setting: null,
  };
}

function ofSetting(sheet: Sheet, item: SettingItem, text: string): NodeFormula {
  const { row, column } = item.cell;
  const { start, end } = item.spot;
  const written = textAt(sheet, { row, column, start, end });
  const offsets = written === text ? null : offsetsIn(written);
  const offsetOf = (at: number): number =>
    start + (offsets === null ? at : (offsets[at] ?? written.length - 1));
  return {
    text,
    parsed: parseFormula(text),
    column: "context",
    spanOf: (at) => ({ row, column, start: offsetOf(at.start), end: offsetOf(at.end) }),
    // A new text could need other escapes.
    isInCell: written === text || written === JSON.stringify(text),
    setting: item,
  };
}

/** Where each character of a text of JSON stands among its escapes, and where the text ends. */
function offsetsIn(written: string): readonly number[] {
  const offsets: number[] = [];
  let at = 1;
  while (at < written.length - 1) {
    offsets.push(at);
    at += written[at] !== "\\" ? 1 : written[at + 1] === "u" ? 6 : 2;
  }
  offsets.push(at);
  return offsets;
}

/**
 * A formula that says TRUE or FALSE decides where one of both columns is filled. With both it must, whatever it says.
 * The types of fields are not known yet: they depend on the ways through the graph.
 */
export function decides({ parsed }: NodeFormula, { inputs, onSuccess, onFailure }: Row): boolean {
  if (onSuccess.length > 0 && onFailure.length > 0) return true;
  if (onSuccess.length + onFailure.length === 0 || "fault" in parsed) return false;
  const isTruth = ([head, ...path]: readonly string[]): boolean =>
    path.length === 0 && isBoolean(inputOf(inputs, head ?? "")?.type ?? UNKNOWN);
  return saysTruth(parsed.tree, isTruth);
}

const CLOCKS: ReadonlyMap<string, string> = new Map([
  ["TODAY", "$today"],
  ["NOW", "$now"],
]);

/** What a formula reads without an input: the clock of the visit, and the message of a failure. */
export function hiddenInputs(
  formula: NodeFormula | null,
  inputs: readonly InputItem[],
): readonly InputItem[] {
  if (formula === null || "fault" in formula.parsed) return NONE;
  const found = new Map<string, InputItem>();
  const add = (field: string, at: Range): void => {
    if (found.has(field) || inputOfParam(inputs, field) !== undefined) return;
    const span = formula.spanOf(at);
    found.set(field, { param: field, field, path: [], optional: false, type: null, at: span });
  };
  walkFormula(formula.parsed.tree, (part) => {
    if (part.kind === "call" && CLOCKS.has(part.name)) add(CLOCKS.get(part.name) as string, part);
    if (part.kind === "name" && part.path[0] === "error" && inputOf(inputs, "error") === undefined)
      add("error", part);
  });
  return found.size === 0 ? NONE : [...found.values()];
}

const NONE: readonly InputItem[] = [];

/** The fields whose types the type of a formula may depend on. */
export function fieldsOfFormula({ parsed }: NodeFormula, inputs: readonly InputItem[]): readonly string[] {
  if ("fault" in parsed) return [];
  const fields = new Set<string>();
  walkFormula(parsed.tree, (part) => {
    const item = part.kind === "name" ? inputOf(inputs, part.path[0] ?? "") : undefined;
    if (item !== undefined && item.path.length === 0 && item.type === null) fields.add(item.field);
  });
  return [...fields];
}

const demands = new WeakMap<NodeFormula, ReadonlyMap<string, FieldType>>();

/** The type that a formula needs of an input without annotation; null where its text does not show one. */
export function demandedBy(
  { formula, row }: { readonly formula: NodeFormula | null; readonly row: Row },
  item: InputItem,
): FieldType | null {
  if (formula === null || "fault" in formula.parsed || item.path.length > 0) return null;
  const known = demands.get(formula) ?? demandsOf(formula.parsed.tree);
  demands.set(formula, known);
  const asked = [item.param, item.field].filter((name) => inputOf(row.inputs, name) === item);
  return asked.map((name) => known.get(name)).find((type) => type !== undefined) ?? null;
}
