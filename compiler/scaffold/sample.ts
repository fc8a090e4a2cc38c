import { stringLiteral } from "../3-emit/literals.js";
import type { FieldType } from "../ir.js";

/** A value of a type as code, for an agent that has still to be written. */
export function sampleValue(type: FieldType, text: string): string {
  switch (type.kind) {
    case "number":
      return "0";
    case "boolean":
      return "false";
    case "object":
      return "{}";
    case "list":
    case "list-of":
      return "[]";
    case "choice":
      return stringLiteral(type.values[0] ?? "");
    case "union":
      return sampleValue(type.members[0] ?? { kind: "unknown" }, text);
    default:
      return stringLiteral(text);
  }
}

/** What a test expects of such a value, also when the agent has been written. */
export function expectedValue(type: FieldType): string {
  switch (type.kind) {
    case "string":
    case "choice":
      return "expect.any(String)";
    case "number":
      return "expect.any(Number)";
    case "boolean":
      return "expect.any(Boolean)";
    case "object":
      return "expect.any(Object)";
    case "list":
    case "list-of":
      return "expect.any(Array)";
    default:
      return "expect.anything()";
  }
}
