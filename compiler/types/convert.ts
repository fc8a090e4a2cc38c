import type { FieldType, Json, OpenKind } from "./field-type.js";
import { folded, yesOrNo } from "./yes-no.js";

/** The value, or a message that names the wanted type. */
export type Converted = { readonly value: Json } | { readonly problem: string };

/** Converts what a person or a command line gave. Text stays text where text is allowed. */
export function convert(given: Json, type: FieldType): Converted {
  switch (type.kind) {
    case "string":
      return typeof given === "object" ? unfit("a text") : { value: String(given) };
    case "number":
      return convertNumber(given);
    case "boolean":
      return convertBoolean(given);
    case "choice":
      return convertChoice(given, type.values);
    case "object":
      return convertObject(given);
    case "list":
      return convertList(given, undefined);
    case "list-of":
      return convertList(given, { kind: type.item });
    case "union":
      return convertUnion(given, type.members);
    default:
      type.kind satisfies OpenKind;
      return { value: given };
  }
}

const unfit = (wanted: string): Converted => ({ problem: `expected ${wanted}` });

function convertNumber(given: Json): Converted {
  if (typeof given === "number") return { value: given };
  const value = typeof given === "string" && given.trim() !== "" ? Number(given) : Number.NaN;
  return Number.isFinite(value) ? { value } : unfit("a number");
}

function convertBoolean(given: Json): Converted {
  if (typeof given === "boolean") return { value: given };
  const value = typeof given === "object" ? undefined : yesOrNo(String(given));
  return value === undefined ? unfit("yes or no") : { value };
}

/** The one of some allowed texts that is meant, ignoring case. */
export function convertChoice(given: Json, allowed: readonly string[]): Converted {
  const text = String(given);
  const value = allowed.find((one) => one === text) ?? allowed.find((one) => folded(one) === folded(text));
  return value === undefined || typeof given === "object" ? unfit(`one of ${allowed.join(", ")}`) : { value };
}

function convertObject(given: Json): Converted {
  const value = typeof given === "string" ? compoundOf(given) : given;
  const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMapping ? { value } : unfit("a JSON object");
}

/** A list as JSON, or as text with `|`, `,`, `;` or line ends between its items. */
function convertList(given: Json, item: FieldType | undefined): Converted {
  const json = typeof given === "string" ? compoundOf(given) : given;
  const list: Json = Array.isArray(json) ? json : typeof given === "string" ? pieces(given) : null;
  if (!Array.isArray(list)) return unfit("a list");
  if (item === undefined) return { value: list };
  const items = list.map((one: Json) => convert(one, item));
  const bad = items.find((one) => "problem" in one);
  return bad !== undefined
    ? { problem: `${(bad as { problem: string }).problem} for each item of the list` }
    : { value: items.map((one) => (one as { value: Json }).value) };
}

const pieces = (text: string): readonly string[] =>
  text
    .split(/[|,;\r\n]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");

/** Text is tried last, since every typed value fits it. */
function convertUnion(given: Json, members: readonly FieldType[]): Converted {
  const ordered = [...members].sort((a, b) => Number(a.kind === "string") - Number(b.kind === "string"));
  for (const member of ordered) {
    const converted = convert(given, member);
    if ("value" in converted) return converted;
  }
  return unfit("a value of another type");
}

export function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The mapping or the list that a text holds. Most texts hold none, and to be told so by an exception is slow. */
const compoundOf = (text: string): Json | undefined => (/^\s*[{[]/.test(text) ? jsonOf(text) : undefined);
