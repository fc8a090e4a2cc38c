import type { FieldType } from "./field-type.js";

/** A type as a sheet writes it: `string[]`, `'yes'/'no'`; a union as `string | number`. Linear. */
export function formatType(type: FieldType): string {
  if (type.kind !== "union") return formatOne(type);
  const parts = new Set<string>();
  const pending: FieldType[] = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === "union") for (const member of next.members.toReversed()) pending.push(member);
    else parts.add(formatOne(next));
  }
  return parts.size === 0 ? "unknown" : [...parts].join(" | ");
}

function formatOne(type: Exclude<FieldType, { kind: "union" }>): string {
  if (type.kind === "list-of") return `${type.item}[]`;
  if (type.kind === "choice") return type.values.map((value) => `'${value.replaceAll("'", "''")}'`).join("/");
  return type.kind;
}
