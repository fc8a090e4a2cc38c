import type { FieldType, Json, OpenKind } from "./field-type.js";

export interface JsonSchema {
  readonly [keyword: string]: Json;
}

export function typeSchema(type: FieldType): JsonSchema {
  switch (type.kind) {
    case "string":
    case "number":
    case "boolean":
      return { type: type.kind };
    case "object":
      return { type: "object", additionalProperties: true };
    case "list":
      return { type: "array", items: {} };
    case "list-of":
      return { type: "array", items: typeSchema({ kind: type.item }) };
    case "choice":
      return { type: "string", enum: type.values };
    case "union":
      return { anyOf: type.members.map(typeSchema) };
    default:
      type.kind satisfies OpenKind;
      return {};
  }
}
