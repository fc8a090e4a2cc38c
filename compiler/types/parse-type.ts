import type { FieldType } from "./field-type.js";

const SIMPLE = ["string", "number", "boolean", "object", "list", "any"] as const;
const ITEMS = ["string", "number", "boolean", "object"] as const;

const named: ReadonlyMap<string, FieldType> = new Map<string, FieldType>([
  ...SIMPLE.map((kind) => [kind, { kind }] as const),
  ...ITEMS.map((item) => [`${item}[]`, { kind: "list-of", item }] as const),
]);

export const typeNames: readonly string[] = [...named.keys()];

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

/** The offset of the closing quote for the one at `at`; -1 without one. */
export function choiceEnd(text: string, at: number): number {
  if (text[at] !== "'") return -1;
  for (let i = text.indexOf("'", at + 1); i >= 0; i = text.indexOf("'", i + 2)) {
    if (text[i + 1] !== "'") return i;
  }
  return -1;
}
