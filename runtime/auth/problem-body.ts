import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { withoutKeys } from "../runs/redact.js";

/** The id that the client gave, when it is a plain one; else a new one. A key in the wrong header is no id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^(?!.*(?:fsk_|eyJ))[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** What an answer objects to, and to which request. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail?: string | undefined;
  /** The request's path. */
  readonly instance?: string | undefined;
  readonly requestId: string;
  /** More members of the answer. */
  readonly more?: { readonly [member: string]: unknown } | undefined;
}

/** A problem as the body of an answer (RFC 9457); JSON leaves out what is undefined. */
export const problemBody = ({ status, code, title, detail, instance, requestId, more }: Problem): object => ({
  type: `/problems/${code}`,
  title,
  status,
  code,
  detail,
  instance: instance === undefined ? undefined : withoutKeys(instance),
  request_id: requestId,
  ...more,
});
