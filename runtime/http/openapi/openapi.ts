import type { z } from "zod";
import {
  createDocument,
  type oas31,
  type ZodOpenApiMediaTypeObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameterObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import type { Workflow } from "../../workflows/catalogue.js";
import { PROBLEMS, type ProblemCode } from "../request/problem.js";
import { executeExample, RESUME_EXAMPLE } from "./examples.js";
import { inputSchema, stateSchema } from "./field-schema.js";
import * as schemas from "./schemas.js";

export interface Description {
  readonly version: string;
  /** Where the paths begin. */
  readonly base: string;
  /** The workflows whose schemas may be shown. */
  readonly workflows: readonly Workflow[];
}

type Responses = ZodOpenApiResponsesObject;

const PROBLEM = { "application/problem+json": { schema: schemas.problem } };

/** Problems that any request may meet. */
const ANYWHERE = [
  "request_invalid",
  "path_invalid",
  "url_too_long",
  "rate_limited",
  "internal",
  "method_not_allowed",
] as const;
/** Problems of routes that need a credential. */
const GUARDED = [
  "credential_missing",
  "permission_denied",
  "credential_ambiguous",
  "host_refused",
  "identity_unavailable",
] as const;
/** Problems of routes that read a body. */
const BODY = [
  "body_invalid",
  "request_timeout",
  "body_too_large",
  "media_type_unsupported",
  "input_invalid",
] as const;
const RUNS = ["workflow_not_found", "workflow_ambiguous", "overloaded", "storage_unavailable"] as const;

/** What asks for a page of a list. */
const pages = (most: number): ZodOpenApiParameterObject[] => [
  { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: most } },
  {
    name: "cursor",
    in: "query",
    schema: { type: "string" },
    description: "`next_cursor` of the page before.",
  },
];

function problems(codes: readonly ProblemCode[]): Responses {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const [status] = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const entries = [...byStatus].map(([status, found]) => [
    `${status}`,
    { description: found.map((code) => `\`${code}\`: ${PROBLEMS[code][1]}`).join("\n\n"), content: PROBLEM },
  ]);
  return Object.fromEntries(entries) as Responses;
}

const ok = (schema: z.ZodType, description: string): ZodOpenApiResponseObject => ({
  description,
  content: { "application/json": { schema } },
});
const page = (type: string, description: string): ZodOpenApiResponseObject => ({
  description,
  content: { [type]: { schema: { type: "string" as const } } },
});
const parameter = (name: string, description: string): ZodOpenApiParameterObject => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
});

const runAnswers = (codes: readonly ProblemCode[]): Responses => ({
  "200": {
    ...ok(schemas.runResult, "The run has completed or failed: `status` tells."),
    content: {
      "application/json": { schema: schemas.runResult },
      "text/event-stream": { schema: { type: "string" } },
    },
  },
  "202": ok(schemas.runResult, "The run waits for an answer: `waiting` tells for what."),
  ...problems([...ANYWHERE, ...GUARDED, ...BODY, ...RUNS, ...codes]),
});

const open = (summary: string, answer: ZodOpenApiResponseObject): ZodOpenApiOperationObject => ({
  summary,
  tags: ["service"],
  security: [],
  responses: { "200": answer, ...problems([...ANYWHERE, ...GUARDED]) },
});

const guarded = (
  operation: Omit<ZodOpenApiOperationObject, "responses">,
  answer: ZodOpenApiResponseObject,
  codes: readonly ProblemCode[] = [],
): ZodOpenApiOperationObject => ({
  ...operation,
  responses: { "200": answer, ...problems([...ANYWHERE, ...GUARDED, ...codes]) },
});

function pathsOf(executeBody: ZodOpenApiMediaTypeObject): ZodOpenApiPathsObject {
  return {
    "/execute": {
      post: {
        operationId: "execute",
        summary: "Run a workflow",
        tags: ["runs"],
        requestBody: { required: true, content: { "application/json": executeBody } },
        responses: runAnswers(["workflow_invalid"]),
      },
    },
    "/runs": {
      get: {
        ...guarded(
          { operationId: "listRuns", summary: "The suspended runs, and what they wait for", tags: ["runs"] },
          ok(schemas.suspendedRuns, "A page of suspended runs, those that wait longest first."),
          ["input_invalid"],
        ),
        parameters: pages(100),
      },
    },
    "/runs/{run_id}": {
      get: {
        ...guarded(
          { operationId: "showRun", summary: "One suspended run", tags: ["runs"] },
          ok(schemas.suspendedRun, "The run."),
          ["run_not_found"],
        ),
        parameters: [parameter("run_id", "As the answer that suspended it tells.")],
      },
    },
    "/runs/{run_id}/resume": {
      post: {
        operationId: "resume",
        summary: "Go on with a suspended run",
        tags: ["runs"],
        parameters: [parameter("run_id", "As the answer that suspended it tells.")],
        requestBody: {
          required: true,
          content: { "application/json": { schema: schemas.resumeBody, example: RESUME_EXAMPLE } },
        },
        responses: runAnswers(["run_not_found", "run_taken", "run_stale", "workflow_invalid"]),
      },
    },
    "/workflows": {
      get: {
        ...guarded(
          { operationId: "listWorkflows", summary: "The workflows", tags: ["workflows"] },
          ok(schemas.workflowList, "A page of workflows."),
          ["input_invalid"],
        ),
        parameters: pages(1_000),
      },
    },
    "/workflows/{workflow_name}": {
      get: {
        ...guarded(
          { operationId: "showWorkflow", summary: "One workflow", tags: ["workflows"] },
          {
            description: "The workflow; its picture for `Accept: image/svg+xml`.",
            content: {
              "application/json": { schema: schemas.workflowDetail },
              "image/svg+xml": { schema: { type: "string" } },
            },
          },
          ["workflow_not_found", "workflow_ambiguous"],
        ),
        parameters: [parameter("workflow_name", "The graph's name, or `sheet::graph`.")],
      },
    },
    "/validation/csv": {
      post: {
        ...guarded(
          {
            operationId: "validate",
            summary: "Find every problem of a sheet; nothing is run",
            tags: ["workflows"],
          },
          ok(schemas.validationReport, "What was found; `valid` tells whether it can run."),
          [...BODY, "sheet_too_complex", "overloaded"],
        ),
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: schemas.validationBody },
            "text/csv": { schema: { type: "string" } },
          },
        },
      },
    },
    "/health": { get: open("Whether the service is up", ok(schemas.health, "It is.")) },
    "/ready": {
      get: {
        ...open("Whether runs would find what they need", ok(schemas.readiness, "They would.")),
        responses: {
          "200": ok(schemas.readiness, "They would."),
          "503": ok(schemas.readiness, "They would not: `help` of a check says what to do."),
          ...problems([...ANYWHERE, ...GUARDED.filter((code) => code !== "identity_unavailable")]),
        },
      },
    },
    "/": {
      get: open("What this is, and where its parts are", {
        description: "JSON; a page for `Accept: text/html`.",
        content: {
          "application/json": { schema: schemas.home },
          "text/html": { schema: { type: "string" } },
        },
      }),
    },
    "/docs": { get: open("This description, to try out", page("text/html", "A page.")) },
    "/redoc": { get: open("This description, to read", page("text/html", "A page.")) },
    "/openapi.json": { get: open("This description", page("application/json", "OpenAPI 3.1.")) },
    "/favicon.ico": { get: open("An icon", page("image/x-icon", "The icon.")) },
    "/metrics": {
      get: guarded(
        { operationId: "metrics", summary: "Counters for Prometheus", tags: ["service"] },
        page("text/plain", "Prometheus text."),
      ),
    },
  };
}

const keySchemes = {
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
  bearer: { type: "http", scheme: "bearer" },
  queryKey: { type: "apiKey", in: "query", name: "api_key" },
} as const;

/** The service's description as OpenAPI 3.1, made from the schemas that check its requests. */
export function createOpenApi({ version, base, workflows }: Description): object {
  const own = workflows.map((workflow, i) => ({ workflow, id: componentName(workflow, i) }));
  const schemasOf = own.flatMap(({ workflow: { ir }, id }) => [
    [`Input.${id}`, inputSchema(ir)],
    [`State.${id}`, stateSchema(ir)],
  ]);
  const document = createDocument({
    openapi: "3.1.0",
    info: {
      title: "Flowsheet",
      version,
      description: "Runs workflows that are written in spreadsheets.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: base === "" ? "/" : base }],
    security: [{ apiKey: [] }, { bearer: [] }, { queryKey: [] }],
    tags: [
      { name: "runs", description: "Run workflows, and go on with runs that wait." },
      { name: "workflows", description: "What can be run." },
      { name: "service", description: "The service itself." },
    ],
    paths: pathsOf({
      schema: own.length === 0 ? schemas.executeBody : executeSchema(own),
      example: executeExample(workflows),
    }),
    components: {
      securitySchemes: keySchemes,
      schemas: { ExecuteRequest: schemas.executeBody, ...Object.fromEntries(schemasOf) },
    },
  });
  return document;
}

interface Named {
  readonly workflow: Workflow;
  readonly id: string;
}

/** What `/execute` takes, with the inputs of each workflow. */
function executeSchema(own: readonly Named[]): oas31.SchemaObject {
  return {
    allOf: [
      { $ref: "#/components/schemas/ExecuteRequest" },
      {
        anyOf: [
          ...own.map(({ workflow, id }) => ({
            title: workflow.name,
            type: "object" as const,
            properties: {
              graph_name: { const: workflow.name },
              initial_state: { $ref: `#/components/schemas/Input.${id}` },
            },
            required: ["graph_name"],
          })),
          { title: "Named by `workflow`", type: "object" as const, required: ["workflow"] },
        ],
      },
    ],
  };
}

/** Names of components know letters, digits, `.`, `-` and `_`; the number keeps them apart. */
const componentName = ({ name }: Workflow, i: number): string => {
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, "_");
  return plain === name ? name : `${plain}.${i + 1}`;
};
