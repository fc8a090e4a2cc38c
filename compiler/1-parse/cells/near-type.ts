import { foldName, oneEdit } from "../../diagnostics/suggest.js";
import { parseType, typeNames } from "../../types/parse-type.js";
import { trimText } from "../text/white-space.js";

/** Names of types in other languages and in spreadsheets. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ...["str", "text", "varchar", "date"].map((name) => [name, "string"] as const),
  ...["int", "integer", "float", "double", "decimal", "num"].map((name) => [name, "number"] as const),
  ["bool", "boolean"],
  ...["dict", "map", "json", "record"].map((name) => [name, "object"] as const),
  ...["array", "tuple"].map((name) => [name, "list"] as const),
]);

/** Python's words for types: nobody means a field by them. */
const PYTHON: ReadonlySet<string> = new Set(["str", "int", "float", "bool", "dict"]);

export interface NearType {
  readonly text: string;
  /** Nothing else can be meant. */
  readonly sure: boolean;
}

/** Longer text is no typing mistake. */
const LONGEST = 40;

/** The type nearest to a text that names none: another case, other quotes, one edit, another language's word. */
export function nearestType(text: string): NearType | null {
  const straight = trimText(text.replace(/["\u201c\u201d\u201e\u2018\u2019\u201a]/gu, "'"));
  if (straight !== text && straight.startsWith("'") && parseType(straight) !== null)
    return { text: straight, sure: true };
  if (text.length > LONGEST) return null;
  const folded = foldName(text);
  if (typeNames.includes(folded)) return { text: folded, sure: true };
  const near = folded.length < 3 ? undefined : typeNames.find((name) => oneEdit(folded, name));
  if (near !== undefined) return { text: near, sure: true };
  const [, word = "", list = ""] = /^(\w+)(\[\])?$/.exec(folded) ?? [];
  const meant = synonyms.get(word);
  if (meant === undefined || !typeNames.includes(meant + list)) return null;
  return { text: meant + list, sure: PYTHON.has(word) };
}
