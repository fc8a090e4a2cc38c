import { z } from "zod";
import { suggest } from "../../../compiler/diagnostics/suggest.js";
import { type BodyError, inputInvalid } from "../request/problem.js";

const fields = z.record(z.string(), z.json()).meta({ description: "Values by field." });
const count = z.int().min(1);

export const executeBody = z
  .strictObject({
    graph_name: z
      .string()
      .optional()
      .meta({ description: "The workflow: its graph's name, or `sheet::graph`." }),
    workflow: z.string().optional().meta({ description: "The same as `graph_name`." }),
    initial_state: fields.optional(),
    options: z
      .strictObject({
        timeout_ms: count.optional().meta({ description: "The service may allow less." }),
        max_steps: count.optional(),
        trace: z
          .boolean()
          .optional()
          .meta({ description: "Tell inputs, prompts and outputs of each visit, too." }),
      })
      .optional(),
  })
  .meta({ id: "ExecuteRequest" });

export const resumeBody = z
  .strictObject({
    answers: z.record(z.string(), z.json()).meta({ description: "Answers by node." }).optional(),
  })
  .meta({ id: "ResumeRequest" });

export const validationBody = z.strictObject({ csv_content: z.string() }).meta({ id: "ValidationRequest" });

const waiting = z
  .object({
    node: z.string(),
    field: z.string().nullable(),
    prompt: z.string(),
    options: z.array(z.string()).nullable(),
  })
  .meta({ id: "Waiting" });

export const runResult = z
  .object({
    run_id: z.string(),
    graph_name: z.string(),
    status: z.enum(["completed", "failed", "suspended", "cancelled"]),
    success: z.boolean(),
    state: fields,
    path: z.array(z.string()).meta({ description: "The visited nodes." }),
    steps: z.int(),
    duration_ms: z.number(),
    error: z
      .object({
        code: z.enum([
          "agent_failed",
          "node_timeout",
          "run_timeout",
          "step_limit",
          "provider_failed",
          "bad_value",
          "cancelled",
          "internal",
        ]),
        message: z.string(),
        graph: z.string(),
        node: z.string().nullable(),
        file: z.string().nullable(),
        line: z.int().nullable(),
        cell: z.string().nullable(),
      })
      .nullable(),
    waiting: z.array(waiting),
    trace: z.array(z.record(z.string(), z.json())).optional(),
  })
  .meta({ id: "RunResult" });

export const suspendedRun = z
  .object({
    run_id: z.string(),
    graph_name: z.string(),
    sheet: z.string().nullable(),
    suspended_at: z.string(),
    status: z.enum(["waiting", "taken", "interrupted", "ended"]),
    waiting: z.array(waiting),
  })
  .meta({ id: "SuspendedRun" });

export const suspendedRuns = z
  .object({ runs: z.array(suspendedRun), total: z.int(), next_cursor: z.string().nullable() })
  .meta({ id: "SuspendedRuns" });

const jsonSchema = z.record(z.string(), z.json()).meta({ description: "A JSON schema." });

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

export const workflowList = z
  .object({ workflows: z.array(workflowSummary), total: z.int(), next_cursor: z.string().nullable() })
  .meta({ id: "WorkflowList" });

const diagnostic = z.record(z.string(), z.json()).meta({ id: "Diagnostic" });

export const workflowDetail = z
  .object({
    name: z.string(),
    graph_name: z.string(),
    sheet: z.string().nullable(),
    description: z.string(),
    entry: z.string(),
    valid: z.boolean(),
    nodes: z.array(z.record(z.string(), z.json())),
    edges: z.array(z.object({ from: z.string(), to: z.string().nullable(), on: z.string() })),
    inputs: jsonSchema,
    state: jsonSchema,
    diagnostics: z.array(diagnostic),
    mermaid: z.string(),
  })
  .meta({ id: "WorkflowDetail" });

export const validationReport = z
  .object({
    valid: z.boolean(),
    errors: z.int(),
    warnings: z.int(),
    diagnostics: z.array(diagnostic),
    graphs: z.array(
      z.object({
        name: z.string(),
        entry: z.string(),
        nodes: z.int(),
        inputs: z.array(z.string()),
        outputs: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: "ValidationReport" });

export const home = z
  .object({
    service: z.literal("flowsheet"),
    version: z.string(),
    links: z.record(z.string(), z.string()),
    workflows: z
      .array(z.string())
      .optional()
      .meta({ description: "The names of the workflows, for whoever may read." }),
  })
  .meta({ id: "Home" });

export const health = z
  .object({
    status: z.literal("ok"),
    service: z.literal("flowsheet"),
    version: z.string(),
    uptime_s: z.number(),
    workflows: z.int(),
  })
  .meta({ id: "Health" });

export const readiness = z
  .object({
    ready: z.boolean(),
    checks: z.array(
      z
        .object({ name: z.string(), ok: z.boolean(), help: z.string().nullable() })
        .meta({ id: "ReadinessCheck" }),
    ),
  })
  .meta({ id: "Readiness" });

export const problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string().optional(),
    instance: z.string().optional(),
    request_id: z.string(),
    errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
    required: z.array(z.string()).optional(),
  })
  .meta({ id: "Problem" });

/** Checks a body; objects with the place of each thing that is wrong. */
export function checkBody<T>(schema: z.ZodType<T>, keys: readonly string[], body: object): T {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const [first, ...others] = checked.error.issues.flatMap((issue) => errorsOf(issue, keys));
  throw inputInvalid([first ?? { pointer: "", message: "the body is not as it must be" }, ...others]);
}

/** The keys of a body's own level, for suggestions. */
export const keysOf = (schema: z.ZodObject): readonly string[] => Object.keys(schema.shape);

function errorsOf(issue: z.core.$ZodIssue, keys: readonly string[]): readonly BodyError[] {
  const at = issue.path.map((part) => `/${String(part)}`).join("");
  if (issue.code !== "unrecognized_keys") return [{ pointer: at, message: messageOf(issue) }];
  return issue.keys.map((key) => {
    const near = at === "" ? suggest(key, keys) : null;
    const shown = JSON.stringify(key.length > 64 ? `${key.slice(0, 63)}…` : key);
    return {
      pointer: at,
      message: `there is no ${shown} here${near === null ? "" : `; did you mean "${near}"?`}`,
    };
  });
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type")
    return `must be ${issue.expected === "record" ? "an object" : `of type ${issue.expected}`}`;
  if (issue.code === "too_small") return `must be ${issue.minimum} or more`;
  return "is not of the right type";
}
