import type { FieldIR, FieldType, GraphIR } from "../../../compiler/ir.js";
import { type JsonSchema, typeSchema } from "../../../compiler/types/json-schema.js";

/** The JSON schema of a graph's inputs. It is exactly what given values are checked against. */
export function inputSchema({ name, fields }: GraphIR): JsonSchema {
  const inputs = fields.filter(({ input }) => input !== null);
  return objectSchema(`Inputs of ${name}`, inputs, {
    schemaOf: ({ checks }) => (checks.length === 1 && checks[0] ? typeSchema(checks[0]) : allOf(checks)),
    required: ({ input }) => input === "required",
  });
}

/** The JSON schema of the final state of a run. */
export function stateSchema({ name, fields }: GraphIR): JsonSchema {
  return objectSchema(`State of ${name}`, fields, {
    schemaOf: ({ type }) => typeSchema(type),
    required: ({ setAtEnd, input }) => setAtEnd || input === "required",
  });
}

const allOf = (checks: readonly FieldType[]): JsonSchema =>
  checks.length === 0 ? {} : { allOf: checks.map(typeSchema) };

interface Facts {
  readonly schemaOf: (field: FieldIR) => JsonSchema;
  readonly required: (field: FieldIR) => boolean;
}

function objectSchema(title: string, fields: readonly FieldIR[], { schemaOf, required }: Facts): JsonSchema {
  return {
    title,
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
    required: fields.filter(required).map((field) => field.name),
    additionalProperties: true,
  };
}
