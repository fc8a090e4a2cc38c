import type { FieldType, Range } from "../../ir.js";
import { choiceEnd, parseType } from "../../types/parse-type.js";
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

/** A replacement inside the cell that cures a fault. */
export interface Cure extends Range {
  readonly text: string;
  readonly title: string;
  readonly safe: boolean;
}

export type FieldFault = Range &
  (
    | { readonly code: "bad-field"; readonly text: string; readonly why: string }
    | { readonly code: "reserved-name"; readonly what: string; readonly name: string }
    | { readonly code: "duplicate-field"; readonly name: string }
    | {
        readonly code: "bad-type";
        readonly type: string;
        readonly suggestion: string | null;
        readonly cure: Cure | null;
      }
  );

export interface FieldList {
  readonly entries: readonly FieldEntry[];
  readonly faults: readonly FieldFault[];
}

/** Paths and `?` belong to inputs only. */
export type ListKind = "inputs" | "outputs";

const NOTHING: FieldList = { entries: [], faults: [] };

/** Reads `input_fields` or `output_field`. `|`, `,`, `;` and line ends part the items. Linear. */
export function parseFieldList(text: string, kind: ListKind): FieldList {
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
    const item = parseItem(text, range, kind);
    faults.push(...item.faults);
    if (item.entry === null) continue;
    const name = kind === "inputs" ? item.entry.left : item.entry.field;
    if (seen.has(name)) faults.push({ ...range, code: "duplicate-field", name });
    else entries.push(item.entry);
    seen.add(name);
  }
  return { entries, faults };
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
function parseItem(cell: string, range: Range, kind: ListKind): ParsedItem {
  const text = cell.slice(range.start, range.end);
  const colon = text.indexOf(":");
  const head = parseHead(trimText(colon < 0 ? text : text.slice(0, colon)), kind);
  if ("why" in head) return { entry: null, faults: [{ ...range, code: "bad-field", text, why: head.why }] };
  if ("reserved" in head) {
    const { what, name } = head.reserved;
    return { entry: null, faults: [{ ...range, code: "reserved-name", what, name }] };
  }
  if (colon < 0) return { entry: entryOf(range, head, null), faults: NO_FAULTS };
  const typed = trimRange(cell, range.start + colon + 1, range.end);
  const type = parseType(cell.slice(typed.start, typed.end));
  if (type !== null) return { entry: entryOf(range, head, type), faults: NO_FAULTS };
  return repairType(cell, { range, colon: range.start + colon, typed, head, kind });
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

function parseHead(text: string, kind: ListKind): Head | HeadFault {
  // Most items are a field's name and nothing else.
  if (isPlainField(text)) return plainHead(text);
  const equals = text.indexOf("=");
  const named = equals >= 0;
  let right = trimText(named ? text.slice(equals + 1) : text);
  const optional = right.endsWith("?");
  if (optional && kind === "outputs") return { why: "an output is always written, it takes no ?" };
  if (optional) right = trimText(right.slice(0, -1));
  const [field = "", ...path] = right.split(".");
  if (path.length > 0 && kind === "outputs") return { why: "an output is a whole field, it takes no path" };
  const left = named ? trimText(text.slice(0, equals)) : field;
  const fault = headFault(left, field, path);
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
  readonly kind: ListKind;
}

/** An item whose type is none keeps its field, with the type that was surely meant. */
function repairType(cell: string, item: FaultyType): ParsedItem {
  const { range, typed, head } = item;
  const word = cell.slice(typed.start, typed.end);
  const fault = { ...range, code: "bad-type", type: word } as const;
  const late = lateMark(cell, item, word);
  if (late !== null) {
    const entry = entryOf(range, { ...head, optional: true }, parseType(late.type));
    return { entry, faults: [{ ...fault, suggestion: late.cure.text, cure: late.cure }] };
  }
  const near = nearestType(word);
  if (near !== null) {
    const cure: Cure = { ...typed, text: near.text, title: `write ${near.text}`, safe: near.sure };
    const type = near.sure ? parseType(near.text) : null;
    return { entry: entryOf(range, head, type), faults: [{ ...fault, suggestion: near.text, cure }] };
  }
  if (head.named || isReserved(word) || fieldNameFault(word) !== null) {
    return { entry: entryOf(range, head, null), faults: [{ ...fault, suggestion: null, cure: null }] };
  }
  const text = `${word}=${trimText(cell.slice(range.start, item.colon))}`;
  const cure: Cure = { ...range, text, title: `write ${text}`, safe: !KINDS.has(word.toLowerCase()) };
  return {
    entry: entryOf(range, { ...head, left: word }, null),
    faults: [{ ...fault, suggestion: text, cure }],
  };
}

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
  { range, colon, head, kind }: FaultyType,
  word: string,
): { type: string; cure: Cure } | null {
  if (!word.endsWith("?") || kind === "outputs") return null;
  const type = trimText(word.slice(0, -1));
  if (parseType(type) === null) return null;
  const text = `${trimText(cell.slice(range.start, colon))}${head.optional ? "" : "?"}:${type}`;
  return { type, cure: { ...range, text, title: `write ${text}`, safe: true } };
}
