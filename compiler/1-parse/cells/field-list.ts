import type { Code, Params } from "../../diagnostics/catalogue.js";
import type { FieldType, Range } from "../../ir.js";
import { isOpen, isString } from "../../types/field-type.js";
import { choiceEnd, parseType } from "../../types/parse-type.js";
import { isRunValue, RUN_VALUES } from "../../types/run-values.js";
import { type CellFix, removal } from "../text/edit-cell.js";
import { isSpace, trimRange, trimText } from "../text/white-space.js";
import { fieldNameFault, isPlainField, isReserved } from "./name-rules.js";
import { nearestType } from "./near-type.js";

/** One item of a list of fields; `left` is the agent's side of `=`. Offsets count in the cell's text. */
export interface FieldEntry extends Range {
  readonly left: string;
  readonly field: string;
  readonly path: readonly string[];
  readonly optional: boolean;
  readonly type: FieldType | null;
}

interface Fault<C extends Code> extends Range {
  readonly code: C;
  readonly params: Params<C>;
  readonly cure: CellFix | null;
}

export type FieldFault = Fault<"bad-field" | "reserved-name" | "duplicate-field" | "bad-type">;

export interface FieldList {
  readonly entries: readonly FieldEntry[];
  readonly faults: readonly FieldFault[];
}

/** Paths and `?` belong to inputs only. */
export type ListColumn = "input_fields" | "output_field";

const NOTHING: FieldList = { entries: [], faults: [] };

/** Reads `input_fields` or `output_field`. `|`, `,`, `;` and line ends part the items. Linear. */
export function parseFieldList(text: string, column: ListColumn): FieldList {
  if (text === "") return NOTHING;
  // Most cells hold one name and nothing else.
  if (isPlainField(text)) {
    const entry = entryOf({ start: 0, end: text.length }, plainHead(text), null);
    return { entries: [entry], faults: NO_FAULTS };
  }
  const entries: FieldEntry[] = [];
  const faults: FieldFault[] = [];
  const seen = new Set<string>();
  for (const range of splitItems(text)) {
    const item = parseItem(text, range, column);
    for (const fault of item.faults) faults.push(fault);
    if (item.entry === null) continue;
    const name = column === "input_fields" ? item.entry.left : item.entry.field;
    if (seen.has(name)) faults.push(duplicate(text, range, { name, column }));
    else entries.push(item.entry);
    seen.add(name);
  }
  return { entries, faults };
}

function duplicate(text: string, range: Range, params: Params<"duplicate-field">): FieldFault {
  // An item that says more than the name may be the one that was meant.
  const isSame = text.slice(range.start, range.end) === params.name;
  return { ...range, code: "duplicate-field", params, cure: { ...removal(text, range), safe: isSame } };
}

const SEPARATOR = /[|,;\r\n]/;
const isSeparator = (character: string): boolean => SEPARATOR.test(character);

/** The items of a list, trimmed; empty ones are left out. A separator inside a quoted choice is text. */
function splitItems(text: string): readonly Range[] {
  const items: Range[] = [];
  let start = 0;
  let before = "";
  for (let i = 0; i <= text.length; i++) {
    const character = text[i] ?? "\n";
    if (character === "'" && (before === ":" || before === "/")) {
      i = Math.max(i, choiceEnd(text, i));
    } else if (isSeparator(character)) {
      const item = trimRange(text, start, i);
      if (item.end > item.start) items.push(item);
      start = i + 1;
    }
    if (i >= text.length || !isSpace(text, i)) before = character;
  }
  return items;
}

interface ParsedItem {
  readonly entry: FieldEntry | null;
  readonly faults: readonly FieldFault[];
}

/** `[left=]field[.path][?][:type]` */
function parseItem(cell: string, range: Range, column: ListColumn): ParsedItem {
  const text = cell.slice(range.start, range.end);
  const colon = text.indexOf(":");
  const head = parseHead(trimText(colon < 0 ? text : text.slice(0, colon)), column);
  const bad = (why: string): ParsedItem => ({
    entry: null,
    faults: [{ ...range, code: "bad-field", params: { text, why }, cure: null }],
  });
  if ("why" in head) return bad(head.why);
  if ("reserved" in head)
    return { entry: null, faults: [{ ...range, code: "reserved-name", params: head.reserved, cure: null }] };
  if (colon < 0) return { entry: entryOf(range, head, null), faults: NO_FAULTS };
  const typed = trimRange(cell, range.start + colon + 1, range.end);
  const type = parseType(cell.slice(typed.start, typed.end));
  if (type !== null && isRunValue(head.field) && !isString(type) && !isOpen(type))
    return bad(`${head.field} is text: it takes the type string, or none`);
  if (type !== null) return { entry: entryOf(range, head, type), faults: NO_FAULTS };
  return repairType(cell, { range, colon: range.start + colon, typed, head, column });
}

const NO_FAULTS: readonly FieldFault[] = [];

/** Written out: copying two objects into one costs more than all else that is done for an item. */
const entryOf = ({ start, end }: Range, head: Head, type: FieldType | null): FieldEntry => ({
  start,
  end,
  left: head.left,
  field: head.field,
  path: head.path,
  optional: head.optional,
  type,
});

type Head = Omit<FieldEntry, "type" | keyof Range> & { readonly named: boolean };
type HeadFault =
  | { readonly why: string }
  | { readonly reserved: { readonly what: string; readonly name: string } };

const NO_PATH: readonly string[] = [];

const plainHead = (name: string): Head => ({
  left: name,
  field: name,
  path: NO_PATH,
  optional: false,
  named: false,
});

function parseHead(text: string, column: ListColumn): Head | HeadFault {
  // Most items are a field's name and nothing else.
  if (isPlainField(text)) return plainHead(text);
  const equals = text.indexOf("=");
  const named = equals >= 0;
  let right = trimText(named ? text.slice(equals + 1) : text);
  const optional = right.endsWith("?");
  if (optional && column === "output_field") return { why: "an output is always written, it takes no ?" };
  if (optional) right = trimText(right.slice(0, -1));
  const [field = "", ...path] = right.split(".");
  if (field.startsWith("$")) return runValueHead(field, { path, column, optional, named, text });
  if (path.length > 0 && column === "output_field")
    return { why: "an output is a whole field, it takes no path" };
  const left = named ? trimText(text.slice(0, equals)) : field;
  const isOfAnswer = named && column === "output_field" && OF_ANSWER.test(left);
  const fault = headFault(isOfAnswer ? field : left, field, path);
  return fault ?? { left, field, path, optional, named };
}

/** What the agent `http` gives beside the body of its answer. */
const OF_ANSWER = /^\$(?:status|headers\.[A-Za-z0-9-]{1,100})$/;

interface RunValueItem extends Pick<Head, "path" | "optional" | "named"> {
  readonly column: ListColumn;
  readonly text: string;
}

/** `[param=]$now`: a value of the run itself. */
function runValueHead(
  field: string,
  { path, column, optional, named, text }: RunValueItem,
): Head | HeadFault {
  if (!isRunValue(field)) {
    const names = Object.keys(RUN_VALUES).join(", ");
    return { why: `the values of a run are ${names}; a field's name begins with a letter or _` };
  }
  if (column === "output_field") return { why: `${field} belongs to the run, it cannot be written` };
  if (path.length > 0) return { why: `${field} is text, it takes no path` };
  const left = named ? trimText(text.slice(0, text.indexOf("="))) : field;
  const fault = left === field ? null : headFault(left, left, path);
  return fault ?? { left, field, path, optional, named };
}

function headFault(left: string, field: string, path: readonly string[]): HeadFault | null {
  const why = fieldNameFault(field) ?? fieldNameFault(left);
  if (why !== null) return { why };
  if (isReserved(field)) return { reserved: { what: "field", name: field } };
  if (isReserved(left)) return { reserved: { what: "param", name: left } };
  for (const part of path) {
    if (isReserved(part)) return { reserved: { what: "path", name: part } };
    const pathWhy = /^\d{1,128}$/.test(part) ? null : fieldNameFault(part);
    if (pathWhy !== null) return { why: pathWhy.replace("its name", "a part of its path") };
  }
  return null;
}

interface FaultyType {
  readonly range: Range;
  readonly colon: number;
  readonly typed: Range;
  readonly head: Head;
  readonly column: ListColumn;
}

/** An item whose type is none keeps its field, with the type that was surely meant. */
function repairType(cell: string, item: FaultyType): ParsedItem {
  const { range, typed, head } = item;
  const word = cell.slice(typed.start, typed.end);
  const fault = (suggestion: string | null, cure: CellFix | null): readonly FieldFault[] => [
    { ...range, code: "bad-type", params: { type: word, suggestion }, cure },
  ];
  const late = lateMark(cell, item, word);
  if (late !== null) {
    const entry = entryOf(range, { ...head, optional: true }, parseType(late.type));
    return { entry, faults: fault(late.text, writing(late.text, range, true)) };
  }
  const near = nearestType(word);
  if (near !== null) {
    const type = near.sure ? parseType(near.text) : null;
    const faults = fault(near.text, writing(near.text, typed, near.sure));
    return { entry: entryOf(range, head, type), faults };
  }
  if (head.named || isReserved(word) || fieldNameFault(word) !== null) {
    return { entry: entryOf(range, head, null), faults: fault(null, null) };
  }
  const text = `${word}=${trimText(cell.slice(range.start, item.colon))}`;
  const cure = writing(text, range, !KINDS.has(word.toLowerCase()));
  return { entry: entryOf(range, { ...head, left: word }, null), faults: fault(text, cure) };
}

const writing = (text: string, range: Range, safe: boolean): CellFix => ({
  title: `write ${text}`,
  safe,
  parts: [{ ...range, text }],
});

/** Words behind a colon that may be meant as a type, though they are none. Hardly anybody names a field so. */
const KINDS = new Set(
  (
    "datetime timestamp time uuid guid url uri email money currency percent bytes bigint long short byte char void " +
    "null none undefined unknown optional required enum set file image text document message vector embedding"
  ).split(" "),
);

/** `field:string?` stands for `field?:string`. */
function lateMark(
  cell: string,
  { range, colon, head, column }: FaultyType,
  word: string,
): { readonly type: string; readonly text: string } | null {
  if (!word.endsWith("?") || column === "output_field") return null;
  const type = trimText(word.slice(0, -1));
  if (parseType(type) === null) return null;
  const text = `${trimText(cell.slice(range.start, colon))}${head.optional ? "" : "?"}:${type}`;
  return { type, text };
}
