import type { Fix } from "../../diagnostics/diagnostic.js";
import { isSpelling, suggest } from "../../diagnostics/suggest.js";
import type { Range, SettingItem } from "../../ir.js";
import { type Draft, type InputNames, spotSpan, writeFix } from "../draft.js";
import type { Mention } from "../fields/input-names.js";
import { isOfColumn } from "./settings.js";
import { hasKey } from "./taken.js";

/** The cure that writes a text over a setting or a part of it. A column's cell holds it as it is, JSON in quotes. */
export function writeSetting(
  draft: Pick<Draft, "analysis">,
  item: SettingItem,
  spot: Range,
  text: string,
  safe: boolean,
): Fix {
  const word = JSON.stringify(text);
  const isPlain = isOfColumn(item) && spot === item.spot;
  return {
    ...writeFix(draft, spotSpan(item.cell, spot), isPlain ? text : word, safe),
    title: `write ${word}`,
  };
}

/** The cure for a text where a list belongs: a list of its parts, told apart as in `input_fields`. */
export function listFix(draft: Pick<Draft, "analysis">, { cell, spot }: SettingItem): Fix | null {
  const { value } = spot;
  if (typeof value !== "string" || /["[\]{}]/.test(value)) return null;
  const parts = value
    .split(/[|,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length === 0) return null;
  const text = `[${parts.map((part) => (isNumeral(part) ? part : JSON.stringify(part))).join(", ")}]`;
  return { ...writeFix(draft, spotSpan(cell, spot), text, true), title: `write ${text}` };
}

const isNumeral = (text: string): boolean => Number.isFinite(Number(text)) && String(Number(text)) === text;

/** The cure that gives a setting another name: in the header for one of a column, else in the JSON. */
export function renameSetting(
  draft: Pick<Draft, "analysis">,
  { nameAt, ...item }: SettingItem,
  name: string,
): Fix {
  const word = JSON.stringify(name);
  const isColumn = isOfColumn({ nameAt, ...item });
  return { ...writeFix(draft, nameAt, isColumn ? name : word, false), title: `write ${word}` };
}

/** The cure for a setting that names no input: the input of a similar name, or the only one. */
export function inputFix(
  draft: Pick<Draft, "analysis">,
  item: SettingItem,
  { name, spot }: Mention,
  { near: nearInputs, params }: InputNames,
): Fix | null {
  const near = suggest(name, nearInputs(name)) ?? (params.length === 1 ? params[0] : undefined);
  const isTaken = near !== undefined && item.name === "when" && hasKey(item.spot, near);
  if (near === undefined || isTaken) return null;
  const list = "value" in spot ? spot.value : name;
  const text = list === name ? near : withName(String(list), name, near);
  return writeSetting(draft, item, spot, text, isSpelling(name, near, nearInputs(name)));
}

/** Several names in one text, with another one in the place of one of them. */
const withName = (list: string, name: string, other: string): string =>
  list
    .split(/([|,;\n])/)
    .map((part) => (part.trim() === name ? part.replace(name, () => other) : part))
    .join("");
