import { type FieldType, isOpen } from "./field-type.js";

/** Writes a text as a literal of TypeScript. */
export type Literal = (text: string) => string;

/** A field's type as TypeScript writes it: the members of a union, in an order of their own. */
export function typeMembers(type: FieldType, literal: Literal): readonly string[] {
  switch (type.kind) {
    case "object":
      return [MAPPING];
    case "list":
      return ["readonly unknown[]"];
    case "list-of":
      return [`readonly ${itemText(type.item)}[]`];
    case "choice":
      return type.values.map(literal);
    case "union":
      return sortedTypes(type.members.flatMap((member) => typeMembers(member, literal)));
    default:
      return [isOpen(type) ? "unknown" : type.kind];
  }
}

const MAPPING = "{ readonly [key: string]: unknown }";

export const itemText = (item: string): string => (item === "object" ? MAPPING : item);

const ORDER = ["string", "number", "boolean"];

/** Without repetitions, the plain ones first: the order of rows changes no type. */
export function sortedTypes(types: readonly string[]): readonly string[] {
  const distinct = [...new Set(types)];
  if (distinct.length === 0 || distinct.includes("unknown")) return ["unknown"];
  const rank = (type: string): number => {
    const index = ORDER.indexOf(type);
    return index === -1 ? ORDER.length : index;
  };
  return distinct.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
