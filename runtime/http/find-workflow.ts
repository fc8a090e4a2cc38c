import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { Workflow } from "../workflows/catalogue.js";
import { HttpProblem } from "./request/problem.js";
import type { Service } from "./service.js";

/** The workflow of a name; objects when there is none, or more than one. */
export function findWorkflow({ catalogue }: Service, name: string): Workflow {
  const found = catalogue.find(name);
  if (found.kind === "found") return found.workflow;
  if (found.kind === "ambiguous")
    throw new HttpProblem("workflow_ambiguous", { detail: `name one of these: ${found.names.join(", ")}` });
  const near = suggest(
    name,
    catalogue.list().map((workflow) => workflow.name),
  );
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 63)}…` : name);
  const help = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
  throw new HttpProblem("workflow_not_found", { detail: `no workflow is named ${shown}${help}` });
}
