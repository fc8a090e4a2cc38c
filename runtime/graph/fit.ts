import type { FieldType } from "./contract.js";

/** Whether a value is of a type, as the data that it becomes in a run: a date becomes text. */
export function matches(value: unknown, type: FieldType): boolean {
  switch (type.kind) {
    case "any":
    case "unknown":
      return true;
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
      return Array.isArray(value) && value.every((item) => matches(item, { kind: type.item }));
    case "choice":
      return typeof value === "string" && type.values.includes(value);
    case "union":
      return type.members.some((member) => matches(value, member));
  }
}

/** A type in words, for a message. */
export function wantedType(type: FieldType): string {
  switch (type.kind) {
    case "list-of":
      return `${type.item}[]`;
    case "choice":
      return `one of ${type.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "union":
      return type.members.map(wantedType).join(" or ");
    default:
      return type.kind;
  }
}

/** A value in words, for a message: never long, and never a part of a text, which could be a part of a secret. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "unset";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value !== "string") return String(value);
  return value.length > 60 ? `a text of ${value.length} characters` : JSON.stringify(value);
}
