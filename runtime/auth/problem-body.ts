import { withoutKeys } from "../runs/redact.js";

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
