import { foldName, oneEdit } from "../../diagnostics/suggest.js";
import type { FieldType } from "../../ir.js";
import { trimText } from "../text/white-space.js";

const SIMPLE = ["string", "number", "boolean", "object", "list", "any"] as const;
const ITEMS = ["string", "number", "boolean", "object"] as const;

const named: ReadonlyMap<string, FieldType> = new Map<string, FieldType>([
  ...SIMPLE.map((kind) => [kind, { kind }] as const),
  ...ITEMS.map((item) => [`${item}[]`, { kind: "list-of", item }] as const),
]);

/** What other languages and spreadsheets call a type. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ...["str", "text", "varchar", "date"].map((name) => [name, "string"] as const),
  ...["int", "integer", "float", "double", "decimal", "num"].map((name) => [name, "number"] as const),
  ["bool", "boolean"],
  ...["dict", "map", "json", "record"].map((name) => [name, "object"] as const),
  ...["array", "tuple"].map((name) => [name, "list"] as const),
]);

/** Python's words for types: nobody means a field by them. */
const PYTHON: ReadonlySet<string> = new Set(["str", "int", "float", "bool", "dict"]);

/** The type that a text names: `string`, `number[]`, or quoted choices such as `'yes'/'no'`; null for any other. */
export function parseType(text: string): FieldType | null {
  const type = named.get(text);
  if (type !== undefined) return type;
  const values = text.startsWith("'") ? parseChoices(text) : null;
  return values === null ? null : { kind: "choice", values };
}

/** The values of `'yes'/'no'`; a quote inside a value is written twice. Linear. */
function parseChoices(text: string): readonly string[] | null {
  const values = new Set<string>();
  for (let at = 0; ; ) {
    const end = choiceEnd(text, at);
    if (end < 0) return null;
    values.add(text.slice(at + 1, end).replaceAll("''", "'"));
    const rest = text.slice(end + 1);
    const next = /^\s*\/\s*(?=')/.exec(rest.slice(0, 100));
    if (next === null) return rest === "" ? [...values] : null;
    at = end + 1 + next[0].length;
  }
}

/** Where the quote stands that closes the one at `at`; -1 when none does. */
export function choiceEnd(text: string, at: number): number {
  if (text[at] !== "'") return -1;
  for (let i = text.indexOf("'", at + 1); i >= 0; i = text.indexOf("'", i + 2)) {
    if (text[i + 1] !== "'") return i;
  }
  return -1;
}

/** The type that a faulty one stands for. */
export interface NearType {
  readonly text: string;
  /** Nothing else can be meant. */
  readonly sure: boolean;
}

/** Longer text is no slip of the pen. */
const LONGEST = 40;

/** The type nearest to a text that names none: another case, other quotes, one edit, another language's word. */
export function nearestType(text: string): NearType | null {
  const straight = trimText(text.replace(/["\u201c\u201d\u201e\u2018\u2019\u201a]/gu, "'"));
  if (straight !== text && parseType(straight)?.kind === "choice") return { text: straight, sure: true };
  if (text.length > LONGEST) return null;
  const folded = foldName(text);
  if (named.has(folded)) return { text: folded, sure: true };
  const near = folded.length < 3 ? undefined : [...named.keys()].find((name) => oneEdit(folded, name));
  if (near !== undefined) return { text: near, sure: true };
  const [, word = "", list = ""] = /^(\w+)(\[\])?$/.exec(folded) ?? [];
  const meant = synonyms.get(word);
  if (meant === undefined || !named.has(meant + list)) return null;
  return { text: meant + list, sure: PYTHON.has(word) };
}
