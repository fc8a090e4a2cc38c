import type { GraphIR, Json } from "../../../compiler/ir.js";
import { sampleOf } from "../../../compiler/types/sample.js";
import type { Workflow } from "../../workflows/catalogue.js";

/** An example body for /execute that works as it is. For strangers it names no real workflow. */
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
