import { z } from "zod";
import { createReport } from "../../../compiler/diagnostics/report.js";
import { suggest } from "../../../compiler/diagnostics/suggest.js";
import { quoted } from "../../../compiler/diagnostics/visible.js";
import type { GraphIR } from "../../../compiler/ir.js";
import { questionsOf } from "../../agents/asking/questions.js";
import { describeGraph } from "../../draw/describe.js";
import { drawMermaid } from "../../draw/mermaid.js";
import { drawSvg } from "../../draw/svg/svg.js";
import { type Catalogue, graphsOf, type Workflow } from "../../workflows/catalogue.js";
import { inputSchema, stateSchema } from "../openapi/field-schema.js";
import { answersJson } from "../openapi/operation.js";
import { json, text } from "../request/answer.js";
import { cursorInvalid, cursorOf, limitOf, pagesOf } from "../request/paging.js";
import { HttpProblem } from "../request/problem.js";
import type { RequestContext, Route } from "../route.js";
import { lookUp, type Reader, workflowsFor } from "../workflow-access.js";

const workflowSummary = z
  .object({
    name: z.string(),
    graph_name: z.string(),
    sheet: z.string().nullable().meta({ description: "Null for a generated module without its sheet." }),
    description: z.string(),
    nodes: z.int(),
    entry: z.string(),
    inputs: z.array(z.string()),
    valid: z.boolean(),
  })
  .meta({ id: "WorkflowSummary" });

const workflowList = z
  .object({ workflows: z.array(workflowSummary), total: z.int(), next_cursor: z.string().nullable() })
  .meta({ id: "WorkflowList" });

const jsonSchema = z.record(z.string(), z.json()).meta({ description: "A JSON schema." });

export const diagnostic = z.record(z.string(), z.json()).meta({ id: "Diagnostic" });

const workflowDetail = workflowSummary
  .extend({
    nodes: z.array(z.record(z.string(), z.json())),
    edges: z.array(z.object({ from: z.string(), to: z.string().nullable(), on: z.string() })),
    inputs: jsonSchema,
    state: jsonSchema,
    questions: z.array(z.object({ node: z.string(), answer: jsonSchema })).meta({
      description: "What people may be asked in a run. `[*]` in a name stands for the number of an item.",
    }),
    diagnostics: z.array(diagnostic),
    mermaid: z.string(),
  })
  .meta({ id: "WorkflowDetail" });

const MOST = 1_000;

export const listWorkflows: Route = {
  method: "GET",
  path: "/workflows",
  permission: "read",
  operation: {
    operationId: "listWorkflows",
    summary: "The workflows",
    tag: "workflows",
    query: pagesOf(MOST),
    answers: { "200": answersJson(workflowList, "A page of workflows.") },
    problems: ["input_invalid"],
  },
  handle: (context) => {
    const { query } = context;
    const all = workflowsFor(context);
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
  operation: {
    operationId: "showWorkflow",
    summary: "One workflow",
    tag: "workflows",
    names: "The graph's name, or `sheet::graph`.",
    answers: {
      "200": answersJson(
        workflowDetail,
        "The workflow; its picture for `Accept: image/svg+xml`.",
        "image/svg+xml",
      ),
    },
    problems: ["workflow_not_found", "workflow_ambiguous"],
  },
  handle: async (context) => {
    const workflow = findWorkflow(context, context.params.get("workflow_name") ?? "");
    return wantsPicture(context)
      ? text("image/svg+xml; charset=utf-8", await drawSvg(workflow.ir))
      : json(detailOf(workflow, context.service.catalogue));
  },
};

/** True when the client accepts only images. */
const wantsPicture = ({ request }: RequestContext): boolean =>
  /^image\/svg\+xml\b/.test(request.headers.accept ?? "");

/** Finds a workflow by name. Throws when there is none, or more than one. */
export function findWorkflow(reader: Reader, name: string): Workflow {
  const found = lookUp(reader, name);
  if (found.kind === "found") return found.workflow;
  if (found.kind === "ambiguous")
    throw new HttpProblem("workflow_ambiguous", { detail: `name one of these: ${found.names.join(", ")}` });
  const names = workflowsFor(reader).map((workflow) => workflow.name);
  const near = suggest(name, names);
  const help = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
  throw new HttpProblem("workflow_not_found", {
    detail: `no workflow is named ${quoted(name)}${help}`,
  });
}

const cursorAfter = ({ source, graphName }: Workflow): string => cursorOf([source, graphName]);

function startOf(query: URLSearchParams, all: readonly Workflow[]): number {
  const cursor = query.get("cursor");
  if (cursor === null) return 0;
  const at = all.findIndex((workflow) => cursorAfter(workflow) === cursor);
  if (at >= 0) return at + 1;
  throw cursorInvalid();
}

function inputsOf({ fields }: GraphIR): readonly string[] {
  const required = fields.filter(({ input }) => input === "required");
  const optional = fields.filter(({ input }) => input === "optional");
  return [...required, ...optional].map(({ name }) => name);
}

function summaryOf({ name, graphName, sheet, ir, valid }: Workflow): object {
  const [first] = ir.nodes;
  return {
    name,
    graph_name: graphName,
    sheet,
    description: first?.description ?? "",
    nodes: ir.nodes.length,
    entry: first?.name ?? "",
    inputs: inputsOf(ir),
    valid,
  };
}

/** What clients see of a node. Its prompt and settings are its author's. */
const SHOWN = [
  "name",
  "agent_type",
  "description",
  "next",
  "success",
  "failure",
  "inputs",
  "outputs",
] as const;

function detailOf(workflow: Workflow, catalogue: Catalogue): object {
  const { ir } = workflow;
  const { nodes, edges } = describeGraph(ir);
  return {
    ...summaryOf(workflow),
    nodes: nodes.map((node) => Object.fromEntries(SHOWN.map((name) => [name, node[name]]))),
    edges,
    inputs: inputSchema(ir),
    state: stateSchema(ir),
    questions: questionsOf(ir, graphsOf(catalogue.list())),
    diagnostics: diagnosticsOf(workflow),
    mermaid: drawMermaid(ir),
  };
}

/** The diagnostics of the whole sheet and of this workflow. */
export function diagnosticsOf({ understanding, graphName }: Workflow): readonly object[] {
  if (understanding === null) return [];
  const { diagnostics, file, sheet } = understanding;
  const own = diagnostics.filter(({ graph }) => graph === null || graph === graphName);
  return createReport(own, new Map([[file, sheet?.text ?? ""]]), []).diagnostics;
}
