import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { withoutKeys } from "../runs/redact.js";

/** The id that the client gave, when it is a plain one; else a new one. A key in the wrong header is no id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^(?!.*(?:fsk_|eyJ))[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** What an answer objects to. */
export interface Described {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail?: string | undefined;
  /** More members of the answer. */
  readonly more?: { readonly [member: string]: unknown } | undefined;
}

export interface ProblemRequest {
  /** The request's path. */
  readonly instance?: string | undefined;
  readonly requestId?: string | undefined;
}

/** A problem as the body of an answer (RFC 9457). */
export function problemBody(
  { status, code, title, detail, more }: Described,
  { instance, requestId }: ProblemRequest,
): { readonly [name: string]: unknown } {
  return {
    type: `/problems/${code}`,
    title,
    status,
    code,
    ...(detail === undefined ? {} : { detail }),
    ...(instance === undefined ? {} : { instance: withoutKeys(instance) }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...more,
  };
}
