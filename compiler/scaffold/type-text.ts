import { stringLiteral } from "../3-emit/literals.js";
import type { FieldType } from "../ir.js";

const OBJECT = "{ readonly [key: string]: unknown }";

/** What a field may be in TypeScript, as an agent declares it: the members of its type. */
export function typeMembers(type: FieldType): readonly string[] {
  switch (type.kind) {
    case "any":
    case "unknown":
      return ["unknown"];
    case "object":
      return [OBJECT];
    case "list":
      return ["readonly unknown[]"];
    case "list-of":
      return [`readonly ${type.item === "object" ? OBJECT : type.item}[]`];
    case "choice":
      return type.values.map(stringLiteral);
    case "union":
      return unionMembers(type.members);
    default:
      return [type.kind];
  }
}

/** The members of a type whose value may be unset. */
export function maybeMembers(type: FieldType): readonly string[] {
  const members = typeMembers(type);
  return members.includes("unknown") ? members : [...members, "undefined"];
}

function unionMembers(types: readonly FieldType[]): readonly string[] {
  const members = [...new Set(types.flatMap(typeMembers))];
  return members.length === 0 || members.includes("unknown") ? ["unknown"] : members;
}
