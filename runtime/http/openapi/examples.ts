import type { FieldType, GraphIR, Json } from "../../../compiler/ir.js";
import type { Workflow } from "../../workflows/catalogue.js";

/** A body for /execute that whoever tries it out can send: for a stranger it names no workflow that there is. */
export function executeExample(workflows: readonly Workflow[]): Json {
  const workflow = workflows.find(({ valid }) => valid);
  if (workflow === undefined) return { graph_name: "MyWorkflow", initial_state: { name: "Ada" } };
  return { graph_name: workflow.name, initial_state: inputsOf(workflow.ir) };
}

export const RESUME_EXAMPLE: Json = { answers: { Approve: "yes" } };

function inputsOf({ fields }: GraphIR): { readonly [field: string]: Json } {
  const required = fields.filter(({ input }) => input === "required");
  return Object.fromEntries(required.map(({ name, checks, type }) => [name, sampleOf(checks[0] ?? type)]));
}

const SAMPLES = { string: "Ada", number: 1, boolean: true, object: {}, list: [], any: "Ada", unknown: "Ada" };

function sampleOf(type: FieldType): Json {
  switch (type.kind) {
    case "list-of":
      return [SAMPLES[type.item]];
    case "choice":
      return type.values[0] ?? "";
    case "union":
      return type.members[0] === undefined ? null : sampleOf(type.members[0]);
    default:
      return SAMPLES[type.kind];
  }
}
