import type { FieldType, Json, OpenKind } from "./field-type.js";

const EXAMPLE = { text: "Ada", number: 1, boolean: true };

export function sampleOf(type: FieldType, plain = EXAMPLE): Json {
  switch (type.kind) {
    case "number":
      return plain.number;
    case "boolean":
      return plain.boolean;
    case "object":
      return {};
    case "list":
    case "list-of":
      return [];
    case "choice":
      return type.values[0] ?? "";
    case "union":
      return sampleOf(type.members[0] ?? { kind: "unknown" }, plain);
    default:
      type.kind satisfies OpenKind | "string";
      return plain.text;
  }
}
