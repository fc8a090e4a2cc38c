import type { FieldType, Json } from "./field-type.js";

/** A value of a type, for examples: its texts are `text`. */
export function sampleOf(type: FieldType, text = "Ada"): Json {
  switch (type.kind) {
    case "number":
      return 1;
    case "boolean":
      return true;
    case "object":
      return {};
    case "list":
      return [];
    case "list-of":
      return [sampleOf({ kind: type.item }, text)];
    case "choice":
      return type.values[0] ?? "";
    case "union":
      return sampleOf(type.members[0] ?? { kind: "unknown" }, text);
    default:
      return text;
  }
}
