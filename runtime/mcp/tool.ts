import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import type { JsonSchema } from "../../compiler/types/json-schema.js";
import type { Permission } from "../auth/permissions.js";
import type { McpCaller } from "./caller.js";
import type { Sealing } from "./sealing.js";

export type ToolResult = CallToolResult | InputRequiredResult;

/** A call of a tool. */
export interface ToolCall {
  readonly args: { readonly [name: string]: unknown };
  readonly caller: McpCaller;
  readonly context: ServerContext;
  readonly sealing: Sealing;
  /** The client can ask its user. */
  readonly canAsk: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly isReading: boolean;
  readonly permission: Permission;
  readonly call: (call: ToolCall) => Promise<ToolResult>;
}

/** Data for programs, and the same as text for models. */
export const dataResult = (data: object): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(data) }],
  structuredContent: data as { [name: string]: unknown },
});

export const textResult = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

/** What the caller did wrong, or what went wrong: a code for programs, and words for models. */
export const faultResult = (code: string, message: string, more: object = {}): CallToolResult => ({
  content: [{ type: "text", text: `${code}: ${message}` }],
  structuredContent: { ...more, code, message },
  isError: true,
});

const texts = (
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[],
): JsonSchema => ({
  type: "object",
  properties,
  required: [...required],
  additionalProperties: false,
});

/** The schema of a tool's arguments. */
export const argsSchema = (
  properties: { readonly [name: string]: JsonSchema },
  ...required: readonly string[]
): JsonSchema => texts(properties, required);
