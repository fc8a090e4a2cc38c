/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** What a field can be: what a sheet can name, and what only inference makes. */
export type FieldType =
  | { readonly kind: "string" | "number" | "boolean" | "object" | "list" | "any" | "unknown" }
  | { readonly kind: "list-of"; readonly item: "string" | "number" | "boolean" | "object" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "union"; readonly members: readonly FieldType[] }
  | TypeOfCode;

/** What no sheet can name, since code or another graph tells it. Only `full` of a field holds such types. */
type TypeOfCode =
  /** What a custom agent gives for a key, and what it asks of an input. */
  | { readonly kind: "result" | "asked"; readonly agent: string; readonly key: string }
  /** What an agent that writes files answers: an entry of it, or all. */
  | { readonly kind: "receipt"; readonly entry: (typeof RECEIPT_ENTRIES)[number] | null }
  | FieldOfGraph
  /** A list of values of any type, and what a value adds to a list that begins with it. */
  | { readonly kind: "items" | "item"; readonly of: FieldType }
  /** All of these at once. */
  | { readonly kind: "all"; readonly members: readonly FieldType[] }
  /** What an item that failed leaves in a list. */
  | { readonly kind: "null" };

/** A field of another graph. */
export type FieldOfGraph = {
  readonly kind: "field";
  readonly graph: string;
  readonly name: string;
  /** As the graph leaves it, as it takes it, or as a loop over the graph gives it: with gaps where items may fail. */
  readonly as: "state" | "input" | "optional-input" | "each" | "each-with-gaps";
  /** What a sheet can say of it. */
  readonly known: FieldType;
};

/** The entries of what an agent that writes files answers. */
export const RECEIPT_ENTRIES = ["file", "mode", "count"] as const;

export const STRING: FieldType = { kind: "string" };
export const NUMBER: FieldType = { kind: "number" };
export const BOOLEAN: FieldType = { kind: "boolean" };
export const OBJECT: FieldType = { kind: "object" };
export const LIST: FieldType = { kind: "list" };
export const UNKNOWN: FieldType = { kind: "unknown" };

export const isUnknown = (type: FieldType): boolean => type.kind === "unknown";
/** True for a type that every value has. */
export const isOpen = ({ kind }: FieldType): boolean => kind === "any" || kind === "unknown";
export const isUnion = (type: FieldType): boolean => type.kind === "union";
export const isObject = (type: FieldType | null | undefined): boolean => type?.kind === "object";
export const isBoolean = (type: FieldType): boolean => type.kind === "boolean";
export const isString = (type: FieldType): boolean => type.kind === "string";

/** True for what the text of a prompt shows as it is. */
export const isPrintable = (type: FieldType): boolean =>
  type.kind === "union" ? type.members.every(isPrintable) : type.kind === "choice" || isScalar(type);

/** True for text, numbers and booleans. */
export const isScalar = ({ kind }: FieldType): boolean =>
  kind === "string" || kind === "number" || kind === "boolean";

/** What `typeof` says of the values of text, numbers and booleans; null for any other type. */
export const scalarOf = (type: FieldType | undefined): string | null =>
  type !== undefined && isScalar(type) ? type.kind : null;

/** The texts that a type allows; none for a type that allows others. */
export function choicesOf(type: FieldType | null | undefined): readonly string[] {
  if (type?.kind === "choice") return type.values;
  if (type?.kind !== "union") return [];
  const choices = type.members.map(choicesOf);
  return choices.every((values) => values.length > 0) ? choices.flat() : [];
}

/** What is known of the items of a list; null for what is no list, or one of which nothing is known. */
export const itemOf = (type: FieldType | null | undefined): FieldType | null =>
  type?.kind === "list-of" ? { kind: type.item } : null;

/** A list of values of a type; only of some the type of the items can be said. */
export const listOf = (item: FieldType | null | undefined): FieldType =>
  item != null && (isScalar(item) || isObject(item))
    ? { kind: "list-of", item: item.kind as "string" | "number" | "boolean" | "object" }
    : LIST;
