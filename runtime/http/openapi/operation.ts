import type { z } from "zod";
import type {
  ZodOpenApiMediaTypeObject,
  ZodOpenApiOperationObject,
  ZodOpenApiParameterObject,
  ZodOpenApiResponseObject,
} from "zod-openapi";
import type { Workflow } from "../../workflows/catalogue.js";
import type { ProblemCode } from "../request/problem.js";

/** What the OpenAPI document says of a route, beside what follows from its path and permission. */
export interface Operation {
  readonly operationId?: string;
  readonly summary: string;
  readonly tag: "runs" | "workflows" | "service";
  /** What its parameter in the path names. */
  readonly names?: string;
  readonly query?: readonly ZodOpenApiParameterObject[];
  /** The body by media type; it may depend on the workflows that the reader may see. */
  readonly body?: Content | ((workflows: readonly NamedWorkflow[]) => Content);
  readonly answers: { readonly [status: `${1 | 2 | 3 | 4 | 5}${string}`]: ZodOpenApiResponseObject };
  /** Problems that only some routes have. */
  readonly problems?: readonly ProblemCode[];
}

export type Content = NonNullable<ZodOpenApiResponseObject["content"]>;
export type Responses = ZodOpenApiOperationObject["responses"];

/** A workflow with the name of its schemas in the document. */
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

/** An answer with JSON, which may also be asked for as a text of another type. */
export const answersJson = (
  schema: z.ZodType,
  description: string,
  ...others: readonly string[]
): ZodOpenApiResponseObject => ({
  description,
  content: { "application/json": { schema }, ...textsOf(others) },
});

/** An answer that is a text. */
export const answersText = (type: string, description: string): ZodOpenApiResponseObject => ({
  description,
  content: textsOf([type]),
});

export const textsOf = (types: readonly string[]): Content =>
  Object.fromEntries(types.map((type) => [type, TEXT]));
