import type { FieldType } from "../ir.js";
import { stringLiteral } from "./literals.js";

/** A field's type as TypeScript writes it. */
export function emitType(type: FieldType): string {
  switch (type.kind) {
    case "string":
    case "number":
    case "boolean":
    case "unknown":
      return type.kind;
    case "any":
      return "unknown";
    case "object":
      return "{ readonly [key: string]: unknown }";
    case "list":
      return "readonly unknown[]";
    case "list-of":
      return type.item === "object"
        ? "readonly { readonly [key: string]: unknown }[]"
        : `readonly ${type.item}[]`;
    case "choice":
      return type.values.map(stringLiteral).join(" | ");
    case "union":
      return type.members.map(emitType).join(" | ");
  }
}

/** A field's type as data, for the runtime's conversions. */
export function emitTypeData(type: FieldType): string {
  if (type.kind === "list-of") return `{ kind: "list-of", item: ${stringLiteral(type.item)} }`;
  if (type.kind === "choice")
    return `{ kind: "choice", values: [${type.values.map(stringLiteral).join(", ")}] }`;
  if (type.kind === "union")
    return `{ kind: "union", members: [${type.members.map(emitTypeData).join(", ")}] }`;
  return `{ kind: ${stringLiteral(type.kind)} }`;
}
