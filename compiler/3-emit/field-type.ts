import type { FieldType } from "../ir.js";
import { braces, brackets, type Doc } from "./layout.js";
import { propertyKey, stringLiteral } from "./literals.js";

/** A field's type as TypeScript writes it: the members of a union, in an order of their own. */
export function typeMembers(type: FieldType): readonly string[] {
  switch (type.kind) {
    case "string":
    case "number":
    case "boolean":
    case "unknown":
      return [type.kind];
    case "any":
      return ["unknown"];
    case "object":
      return [MAPPING];
    case "list":
      return ["readonly unknown[]"];
    case "list-of":
      return [`readonly ${itemText(type.item)}[]`];
    case "choice":
      return type.values.map(stringLiteral);
    case "union":
      return sortedTypes(type.members.flatMap(typeMembers));
  }
}

const MAPPING = "{ readonly [key: string]: unknown }";

export const itemText = (item: string): string => (item === "object" ? MAPPING : item);

const ORDER = ["string", "number", "boolean"];

/** Without repetitions, the plain ones first: the order of rows changes no type. */
export function sortedTypes(types: readonly string[]): readonly string[] {
  const distinct = [...new Set(types)];
  if (distinct.includes("unknown")) return ["unknown"];
  const rank = (type: string): number => {
    const index = ORDER.indexOf(type);
    return index === -1 ? ORDER.length : index;
  };
  return distinct.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** A type on one line. */
export const typeText = (type: FieldType): string => typeMembers(type).join(" | ");

/** A field's type as data, for the runtime's conversions. */
export function typeData(type: FieldType): Doc {
  const kind = `kind: ${stringLiteral(type.kind)}`;
  if (type.kind === "list-of") return braces([kind, `item: ${stringLiteral(type.item)}`]);
  if (type.kind === "choice") return braces([kind, ["values: ", brackets(type.values.map(stringLiteral))]]);
  if (type.kind === "union") return braces([kind, ["members: ", brackets(type.members.map(typeData))]]);
  return braces([kind]);
}

/** The members of an object type. */
export const objectType = (entries: readonly (readonly [key: string, entry: Entry])[]): string =>
  `{ ${entries.map(([key, { type, sure }]) => `readonly ${propertyKey(key)}${sure ? "" : "?"}: ${type}`).join("; ")} }`;

interface Entry {
  readonly type: string;
  readonly sure: boolean;
}
