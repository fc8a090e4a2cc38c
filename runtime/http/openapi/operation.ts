import type { z } from "zod";
import type {
  ZodOpenApiMediaTypeObject,
  ZodOpenApiOperationObject,
  ZodOpenApiParameterObject,
  ZodOpenApiResponseObject,
} from "zod-openapi";
import type { Workflow } from "../../workflows/catalogue.js";
import type { ProblemCode } from "../request/problem.js";

/** The texts and schemas of a route in the OpenAPI document. The rest follows from its path and permission. */
export interface Operation {
  readonly operationId?: string;
  readonly summary: string;
  readonly tag: "runs" | "workflows" | "studio" | "service";
  readonly names?: string;
  readonly query?: readonly ZodOpenApiParameterObject[];
  readonly headers?: readonly ZodOpenApiParameterObject[];
  /** The body by media type. It may depend on the visible workflows. */
  readonly body?: Content | ((workflows: readonly NamedWorkflow[]) => Content);
  readonly answers: { readonly [status: `${1 | 2 | 3 | 4 | 5}${string}`]: ZodOpenApiResponseObject };
  /** Problems of this route beside the common ones. */
  readonly problems?: readonly ProblemCode[];
}

export type Content = NonNullable<ZodOpenApiResponseObject["content"]>;
export type Responses = ZodOpenApiOperationObject["responses"];

/** A workflow with the name of its schemas. */
export interface NamedWorkflow {
  readonly workflow: Workflow;
  readonly id: string;
}

/** Problems of routes that read a body. */
export const BODY_PROBLEMS = [
  "body_invalid",
  "request_timeout",
  "body_too_large",
  "media_type_unsupported",
  "input_invalid",
] as const satisfies readonly ProblemCode[];

const TEXT: ZodOpenApiMediaTypeObject = { schema: { type: "string" } };

/** An answer with JSON, which other media types can replace. */
export const answersJson = (
  schema: z.ZodType,
  description: string,
  ...others: readonly string[]
): ZodOpenApiResponseObject => ({
  description,
  content: { "application/json": { schema }, ...textsOf(others) },
});

export const answersText = (type: string, description: string): ZodOpenApiResponseObject => ({
  description,
  content: textsOf([type]),
});

export const textsOf = (types: readonly string[]): Content =>
  Object.fromEntries(types.map((type) => [type, TEXT]));
