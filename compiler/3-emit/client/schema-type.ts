import type { Json } from "../../ir.js";
import { propertyKey, stringLiteral } from "../literals.js";

/** The schemas may come from a server: one that is deeper is anything. */
const DEEPEST = 32;

/** A JSON schema as a type of TypeScript. What it does not know may be any JSON. */
export function schemaType(schema: Json, depth = DEEPEST): string {
  if (!isMapping(schema) || depth === 0) return "Json";
  const inner = (one: Json): string => schemaType(one, depth - 1);
  const { anyOf, oneOf, allOf, type, items } = schema;
  const values = schema["enum"];
  if (Array.isArray(values)) return union(values.map(valueType));
  const either = anyOf ?? oneOf;
  if (Array.isArray(either)) return judged(either, inner) ?? union(either.map(inner));
  if (Array.isArray(allOf))
    return allOf.length === 0 ? "Json" : allOf.map((one) => `(${inner(one)})`).join(" & ");
  if (Array.isArray(type)) return union(type.map((one) => inner({ ...schema, type: one })));
  if (type === "array") return `readonly ${bracketed(inner(items ?? {}))}[]`;
  if (type === "object") return objectType(schema, inner);
  return PLAIN.get(type) ?? "Json";
}

/** An answer alone, or the same with a comment: the client has a name for that. */
function judged(
  [answer, commented, ...others]: readonly Json[],
  inner: (schema: Json) => string,
): string | null {
  if (!isMapping(commented ?? null) || others.length > 0) return null;
  const { properties } = commented as Mapping;
  if (!isMapping(properties ?? null)) return null;
  const { answer: same, comment, ...rest } = properties as Mapping;
  if (same === undefined || comment === undefined || Object.keys(rest).length > 0) return null;
  return JSON.stringify(same) === JSON.stringify(answer) ? `Judged<${inner(same)}>` : null;
}

const PLAIN: ReadonlyMap<unknown, string> = new Map([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
  ["null", "null"],
]);

export interface Mapping {
  readonly [key: string]: Json;
}

const isMapping = (value: Json): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const union = (types: readonly string[]): string => {
  const all = [...new Set(types)];
  if (all.includes("Json")) return "Json";
  return all.length === 0 ? "never" : all.join(" | ");
};

const bracketed = (type: string): string =>
  / [|&] /.test(type) || type.startsWith("readonly ") ? `(${type})` : type;

function valueType(value: Json): string {
  if (typeof value === "string") return stringLiteral(value);
  return value === null || typeof value === "boolean" || typeof value === "number" ? String(value) : "Json";
}

function objectType(schema: Mapping, inner: (schema: Json) => string): string {
  const members = membersOf(schema, inner);
  if (members === null) return "{ readonly [key: string]: Json }";
  return members.length === 0 ? "Readonly<Record<string, never>>" : `{ ${members.join("; ")} }`;
}

/** The properties of an object as members of a type; null when none are named. */
export function membersOf(
  { properties, required }: Mapping,
  inner: (schema: Json) => string = schemaType,
): readonly string[] | null {
  if (!isMapping(properties ?? null)) return null;
  const names: ReadonlySet<Json> = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties as Mapping).map(
    ([name, schema]) => `readonly ${propertyKey(name)}${names.has(name) ? "" : "?"}: ${inner(schema)}`,
  );
}
