import type { CallToolResult } from "@modelcontextprotocol/server";
import { HttpProblem } from "../http/request/problem.js";
import { problemOf } from "../http/request/problem-of.js";
import type { McpCaller } from "./caller.js";
import { faultResult } from "./tool.js";

/** What a failed call answers: the codes and texts of the HTTP service, never those of an exception. */
export function faultOf(error: unknown, caller: Pick<McpCaller, "service" | "id">): CallToolResult {
  const { code, message, options } =
    error instanceof HttpProblem ? error : problemOf(error, caller.id, caller.service.log);
  const { more = {} } = options;
  const errors =
    "errors" in more && Array.isArray(more["errors"]) ? (more["errors"] as readonly BodyError[]) : [];
  const all = errors.map(({ pointer, message }) => `${pointer}: ${message}`).join("\n");
  return faultResult(code, errors.length > 1 ? all : message, more);
}

interface BodyError {
  readonly pointer: string;
  readonly message: string;
}
