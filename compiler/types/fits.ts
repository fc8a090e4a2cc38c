import { convert, jsonOf } from "./convert.js";
import type { FieldType, Json, OpenKind } from "./field-type.js";

/** A date counts as text, which it becomes in a run. */
export function fits(value: unknown, type: FieldType): boolean {
  switch (type.kind) {
    case "string":
      return typeof value === "string" || value instanceof Date;
    case "number":
    case "boolean":
      return typeof value === type.kind;
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
    case "list":
      return Array.isArray(value);
    case "list-of":
      return Array.isArray(value) && value.every((item) => fits(item, { kind: type.item }));
    case "choice":
      return typeof value === "string" && type.values.includes(value);
    case "union":
      return type.members.some((member) => fits(value, member));
    default:
      type.kind satisfies OpenKind;
      return true;
  }
}

/** A value that fits, or a text converted to the type; undefined for any other value. */
export function readAs(value: Json, type: FieldType): Json | undefined {
  if (fits(value, type)) return value;
  return typeof value === "string" ? readText(value, type) : undefined;
}

/** Text becomes a list only when it is a JSON list, and the items of a list are not converted. */
function readText(text: string, type: FieldType): Json | undefined {
  switch (type.kind) {
    case "union":
      return type.members.map((member) => readText(text, member)).find((value) => value !== undefined);
    case "list":
    case "list-of": {
      const list = jsonOf(text);
      return list !== undefined && fits(list, type) ? list : undefined;
    }
    default: {
      const converted = convert(text, type);
      return "value" in converted ? converted.value : undefined;
    }
  }
}
