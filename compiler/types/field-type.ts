export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Sheets can name the first kinds; only inference makes unions and types of code. */
export type FieldType =
  | { readonly kind: "string" | "number" | "boolean" | "object" | "list" | "any" | "unknown" }
  | { readonly kind: "list-of"; readonly item: "string" | "number" | "boolean" | "object" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "union"; readonly members: readonly FieldType[] }
  | TypeOfCode;

/** Types that refer to code or to another graph: no sheet can name them. Only `full` of a field holds such types. */
type TypeOfCode =
  /** The type of an output of a custom agent, or of one of its inputs. */
  | { readonly kind: "result" | "asked"; readonly agent: string; readonly key: string }
  /** The answer of an agent that writes files, or one entry of it. */
  | { readonly kind: "receipt"; readonly entry: (typeof RECEIPT_ENTRIES)[number] | null }
  | FieldOfGraph
  /** `items` is a list of any type. `item` is the type of the items of `of`, or `of` itself when it is no list. */
  | { readonly kind: "items" | "item"; readonly of: FieldType }
  /** An intersection. */
  | { readonly kind: "all"; readonly members: readonly FieldType[] }
  /** In a list: an item that failed. */
  | { readonly kind: "null" };

/** Nothing is known of such values before a run. A new kind of type must be handled, or be added here. */
export type OpenKind = "any" | "unknown" | TypeOfCode["kind"];

export type FieldOfGraph = {
  readonly kind: "field";
  readonly graph: string;
  readonly name: string;
  /** The field at the end, as an input, or as the list that a loop over the graph makes; gaps are failed items. */
  readonly as: "state" | "input" | "optional-input" | "each" | "each-with-gaps";
  /** The type in words that a sheet has. */
  readonly known: FieldType;
};

export const RECEIPT_ENTRIES = ["file", "mode", "count"] as const;

export const STRING: FieldType = { kind: "string" };
export const NUMBER: FieldType = { kind: "number" };
export const BOOLEAN: FieldType = { kind: "boolean" };
export const OBJECT: FieldType = { kind: "object" };
export const LIST: FieldType = { kind: "list" };
export const UNKNOWN: FieldType = { kind: "unknown" };

export const isUnknown = (type: FieldType): boolean => type.kind === "unknown";
export const isOpen = ({ kind }: FieldType): boolean => kind === "any" || kind === "unknown";
export const isUnion = (type: FieldType): boolean => type.kind === "union";
export const isObject = (type: FieldType | null | undefined): boolean => type?.kind === "object";
export const isBoolean = (type: FieldType): boolean => type.kind === "boolean";
export const isNumber = (type: FieldType): boolean => type.kind === "number";
export const isList = ({ kind }: FieldType): boolean =>
  kind === "list" || kind === "list-of" || kind === "items";
export const isString = (type: FieldType): boolean => type.kind === "string";

/** True for values that a prompt shows as plain text, not as JSON. */
export const isPrintable = (type: FieldType): boolean =>
  type.kind === "union" ? type.members.every(isPrintable) : type.kind === "choice" || isScalar(type);

export const isScalar = ({ kind }: FieldType): boolean =>
  kind === "string" || kind === "number" || kind === "boolean";

/** The result of `typeof` for text, numbers and booleans; null for any other type. */
export const scalarOf = (type: FieldType | undefined): string | null =>
  type !== undefined && isScalar(type) ? type.kind : null;

/** The allowed texts; none when a type also allows other values. */
export function choicesOf(type: FieldType | null | undefined): readonly string[] {
  if (type?.kind === "choice") return type.values;
  if (type?.kind !== "union") return [];
  const choices = type.members.map(choicesOf);
  return choices.every((values) => values.length > 0) ? choices.flat() : [];
}

/** The type of the items; null when it is unknown, or when the type is no list. */
export const itemOf = (type: FieldType | null | undefined): FieldType | null =>
  type?.kind === "list-of" ? { kind: type.item } : null;

/** Sheets have a word for lists of some types only; any other is a plain list. */
export const listOf = (item: FieldType | null | undefined): FieldType =>
  item != null && (isScalar(item) || isObject(item))
    ? { kind: "list-of", item: item.kind as "string" | "number" | "boolean" | "object" }
    : LIST;
