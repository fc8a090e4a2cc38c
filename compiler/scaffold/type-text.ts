import { stringLiteral } from "../3-emit/literals.js";
import type { FieldType } from "../ir.js";

const OBJECT = "{ readonly [key: string]: unknown }";

/** A field's type in TypeScript, as an agent declares it. */
export function typeText(type: FieldType): string {
  switch (type.kind) {
    case "any":
    case "unknown":
      return "unknown";
    case "object":
      return OBJECT;
    case "list":
      return "readonly unknown[]";
    case "list-of":
      return `readonly ${type.item === "object" ? OBJECT : type.item}[]`;
    case "choice":
      return type.values.map(stringLiteral).join(" | ");
    case "union":
      return unionText(type.members);
    default:
      return type.kind;
  }
}

/** The type of an input that may be unset. */
export function maybeTypeText(type: FieldType): string {
  const text = typeText(type);
  return text === "unknown" ? text : `${text} | undefined`;
}

function unionText(members: readonly FieldType[]): string {
  const texts = [...new Set(members.map(typeText))];
  return texts.length === 0 || texts.includes("unknown") ? "unknown" : texts.join(" | ");
}
