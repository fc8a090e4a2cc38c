import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameterObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import type { Permission } from "../../auth/permissions.js";
import { DEFAULT_PUBLIC_PATHS } from "../../auth/plan/public-endpoints.js";
import type { Workflow } from "../../workflows/catalogue.js";
import { PROBLEMS, type ProblemCode } from "../request/problem.js";
import type { Route } from "../route.js";
import { inputSchema, stateSchema } from "./field-schema.js";
import type { Described } from "./kept-documents.js";
import type { NamedWorkflow, Operation, Responses } from "./operation.js";

const ANYWHERE = [
  "request_invalid",
  "path_invalid",
  "url_too_long",
  "rate_limited",
  "internal",
  "method_not_allowed",
  "credential_missing",
  "permission_denied",
  "credential_ambiguous",
  "host_refused",
  "identity_unavailable",
] as const;

const STUDIO = { name: "studio", description: "What the pages of the Studio ask for." };

/** The OpenAPI 3.1 document, made from the routes and the schemas of the checks. */
export function createOpenApi(routes: readonly Route[], { version, base, workflows }: Described): object {
  const named = workflows.map((workflow, i) => ({ workflow, id: componentName(workflow, i) }));
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const { operation, method } = route;
    const path = route.path.replace("*}", "}");
    if (operation !== undefined)
      paths[path] = {
        ...paths[path],
        [method.toLowerCase()]: describeOperation(operation, route, named),
      };
  }
  return createDocument({
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
      ...(routes.some(({ operation }) => operation?.tag === "studio") ? [STUDIO] : []),
      { name: "service", description: "The service itself." },
    ],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
        bearer: { type: "http", scheme: "bearer" },
        queryKey: { type: "apiKey", in: "query", name: "api_key" },
      },
      schemas: Object.fromEntries(
        named.flatMap(({ workflow: { ir }, id }) => [
          [`Input.${id}`, inputSchema(ir)],
          [`State.${id}`, stateSchema(ir)],
        ]),
      ),
    },
  });
}

function describeOperation(
  { tag, names = "", query = [], headers = [], body, answers, problems = [], ...about }: Operation,
  { path, publicAs = path, permission, instead, isOpen }: Route,
  named: readonly NamedWorkflow[],
): ZodOpenApiOperationObject {
  const isPublic = isOpen === true || DEFAULT_PUBLIC_PATHS.some((one) => one === publicAs);
  const inPath = [...path.matchAll(/\{(\w+)\*?\}/g)].map(
    ([, name = ""]): ZodOpenApiParameterObject => ({
      name,
      in: "path",
      required: true,
      description: names,
      schema: { type: "string" },
    }),
  );
  const parameters = [...inPath, ...query, ...headers];
  const content = typeof body === "function" ? body(named) : body;
  return {
    ...about,
    tags: [tag],
    ...(isPublic ? { security: [] } : { description: needText(permission, instead) }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(content === undefined ? {} : { requestBody: { required: true, content } }),
    responses: { ...problemResponses([...ANYWHERE, ...problems]), ...answers },
  };
}

const needText = (permission: Permission, instead: Permission | undefined): string =>
  `Needs the permission \`${permission}\`${instead === undefined ? "" : `; with \`${instead}\` alone less is told`}.`;

const problem = z
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

function problemResponses(codes: readonly ProblemCode[]): Responses {
  const statuses = new Set(codes.map((code) => PROBLEMS[code][0]));
  const entries = [...statuses].map((status) => {
    const found = codes.filter((code) => PROBLEMS[code][0] === status);
    const description = found.map((code) => `\`${code}\`: ${PROBLEMS[code][1]}`).join("\n\n");
    return [status, { description, content: { "application/problem+json": { schema: problem } } }];
  });
  return Object.fromEntries(entries) as Responses;
}

/** Names of components allow only letters, digits, `.`, `-` and `_`. The number makes them unique. */
const componentName = ({ name }: Workflow, i: number): string => {
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, "_");
  return plain === name ? name : `${plain}.${i + 1}`;
};
