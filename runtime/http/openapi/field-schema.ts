import type { FieldIR, GraphIR } from "../../../compiler/ir.js";
import { type JsonSchema, typeSchema } from "../../../compiler/types/json-schema.js";

/** The JSON schema of a graph's inputs. It is exactly what given values are checked against. */
export function inputSchema({ name, fields }: GraphIR): JsonSchema {
  const inputs = fields.filter(({ input }) => input !== null);
  const required = inputs.filter(({ input }) => input === "required");
  return objectSchema(
    `Inputs of ${name}`,
    required,
    inputs.map(({ name, checks }) => {
      const allOf = checks.map(typeSchema);
      return [name, allOf.length > 1 ? { allOf } : (allOf[0] ?? {})];
    }),
  );
}

/** The JSON schema of the final state of a run. */
export function stateSchema({ name, fields }: GraphIR): JsonSchema {
  const required = fields.filter(({ setAtEnd, input }) => setAtEnd || input === "required");
  return objectSchema(
    `State of ${name}`,
    required,
    fields.map(({ name, type }) => [name, typeSchema(type)]),
  );
}

const objectSchema = (
  title: string,
  required: readonly FieldIR[],
  properties: readonly (readonly [name: string, schema: JsonSchema])[],
): JsonSchema => ({
  title,
  type: "object",
  properties: Object.fromEntries(properties),
  required: required.map(({ name }) => name),
  additionalProperties: true,
});
