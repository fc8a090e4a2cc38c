import { BOOLEAN, type FieldType, LIST, listOf, NUMBER, OBJECT, STRING } from "./field-type.js";

type Schema = { readonly [keyword: string]: unknown };

/** More choices are text. */
const MOST_CHOICES = 50;

/** What a tool of another server declares: the types of its arguments, and of the entries of its result. */
export interface ToolTypes {
  readonly inputs: Types;
  readonly outputs: Types;
  /** The result has no other entries. */
  readonly isClosed: boolean;
}

/** Null: nothing is known for sure of such a value, or it may be missing. */
export type Types = { readonly [name: string]: FieldType | null };

/** What schemas say that a sheet has a type for. They come from others, so each part may be anything. */
export function toolTypes(input: unknown, output: unknown): ToolTypes {
  return {
    inputs: Object.fromEntries(propertiesOf(input).map(([name, one]) => [name, typeOfSchema(one)])),
    outputs: outputTypes(output),
    isClosed: isSchema(output) && output["type"] === "object" && output["additionalProperties"] === false,
  };
}

function outputTypes(output: unknown): Types {
  const required = isSchema(output) && Array.isArray(output["required"]) ? output["required"] : [];
  const types = propertiesOf(output).map(
    ([name, one]) => [name, required.includes(name) ? typeOfSchema(one) : null] as const,
  );
  return Object.fromEntries(types);
}

function propertiesOf(schema: unknown): readonly (readonly [string, unknown])[] {
  if (!isSchema(schema) || schema["type"] !== "object" || !isSchema(schema["properties"])) return [];
  return Object.entries(schema["properties"]);
}

/** The type of all values that fit a schema; null where a sheet has no type for them. */
function typeOfSchema(schema: unknown): FieldType | null {
  if (!isSchema(schema)) return null;
  const { type, enum: values } = schema;
  if (values !== undefined) return choiceOf(values);
  if (type === "string") return STRING;
  if (type === "number" || type === "integer") return NUMBER;
  if (type === "boolean") return BOOLEAN;
  if (type === "object") return OBJECT;
  if (type === "array") return isPlainList(schema) ? listOf(typeOfSchema(schema["items"])) : LIST;
  return null;
}

/** The first items of a tuple have types of their own. */
const isPlainList = (schema: Schema): boolean => schema["prefixItems"] === undefined;

function choiceOf(values: unknown): FieldType | null {
  const isTexts =
    Array.isArray(values) && values.length > 0 && values.every((one) => typeof one === "string");
  if (!isTexts) return null;
  const texts = [...new Set(values as readonly string[])];
  return texts.length > MOST_CHOICES ? STRING : { kind: "choice", values: texts };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
