import { createReport } from "../../../compiler/diagnostics/report.js";
import type { GraphIR } from "../../../compiler/ir.js";
import { describeGraph, drawMermaid, drawSvg } from "../../draw/index.js";
import type { Workflow } from "../../workflows/catalogue.js";
import { findWorkflow } from "../find-workflow.js";
import { inputSchema, stateSchema } from "../openapi/field-schema.js";
import { json, text } from "../request/answer.js";
import type { Call } from "../request/call.js";
import { cursorInvalid, cursorOf, limitOf } from "../request/paging.js";
import type { Route } from "../route.js";

const MOST = 1_000;

export const listWorkflows: Route = {
  method: "GET",
  path: "/workflows",
  permission: "read",
  handle: ({ service, query }) => {
    const all = service.catalogue.list();
    const from = startOf(query, all);
    const limit = limitOf(query, MOST);
    const page = all.slice(from, from + limit);
    const last = page.at(-1);
    const more = from + limit < all.length && last !== undefined;
    return json({
      workflows: page.map(summaryOf),
      total: all.length,
      next_cursor: more ? cursorAfter(last) : null,
    });
  },
};

export const showWorkflow: Route = {
  method: "GET",
  path: "/workflows/{workflow_name*}",
  permission: "read",
  handle: async (call) => {
    const workflow = findWorkflow(call.service, call.params.get("workflow_name") ?? "");
    return wantsPicture(call)
      ? text("image/svg+xml; charset=utf-8", await drawSvg(workflow.ir))
      : json(detailOf(workflow));
  },
};

/** The picture is one more way to show a workflow: whoever asks for nothing but an image gets it. */
const wantsPicture = ({ request }: Call): boolean => /^image\/svg\+xml\b/.test(request.headers.accept ?? "");

const cursorAfter = ({ source, graphName }: Workflow): string => cursorOf([source, graphName]);

function startOf(query: URLSearchParams, all: readonly Workflow[]): number {
  const cursor = query.get("cursor");
  if (cursor === null) return 0;
  const at = all.findIndex((workflow) => cursorAfter(workflow) === cursor);
  if (at >= 0) return at + 1;
  throw cursorInvalid();
}

const inputsOf = ({ fields }: GraphIR): readonly string[] => {
  const given = (input: "required" | "optional"): readonly string[] =>
    fields.filter((field) => field.input === input).map(({ name }) => name);
  return [...given("required"), ...given("optional")];
};

function summaryOf({ name, graphName, sheet, ir, valid }: Workflow): object {
  return {
    name,
    graph_name: graphName,
    sheet,
    description: ir.nodes[0]?.description ?? "",
    nodes: ir.nodes.length,
    entry: ir.nodes[0]?.name ?? "",
    inputs: inputsOf(ir),
    valid,
  };
}

/** All of a workflow but its prompts and settings: they are its author's, and may hold what callers need not know. */
function detailOf(workflow: Workflow): object {
  const { ir } = workflow;
  const { nodes, edges } = describeGraph(ir);
  return {
    ...summaryOf(workflow),
    nodes: nodes.map(({ name, agent_type, description, next, success, failure, inputs, outputs }) => ({
      name,
      agent_type,
      description,
      next,
      success,
      failure,
      inputs,
      outputs,
    })),
    edges,
    inputs: inputSchema(ir),
    state: stateSchema(ir),
    diagnostics: diagnosticsOf(workflow),
    mermaid: drawMermaid(ir),
  };
}

/** What is to be said of a workflow's sheet as a whole, and of the workflow. */
export function diagnosticsOf({ understanding, graphName }: Workflow): readonly object[] {
  if (understanding === null) return [];
  const { diagnostics, file, sheet } = understanding;
  const own = diagnostics.filter(({ graph }) => graph === null || graph === graphName);
  return createReport(own, new Map([[file, sheet?.text ?? ""]]), []).diagnostics;
}
