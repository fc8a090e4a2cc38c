/** Messages never show a part of a long text: it could be a part of a secret. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "unset";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value !== "string") return String(value);
  return value.length > 60 ? `a text of ${value.length} characters` : JSON.stringify(value);
}
