import { withoutKeys } from "../runs/redact.js";

export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly instance?: string | undefined;
  readonly requestId: string;
  /** More members of the body. */
  readonly more?: { readonly [member: string]: unknown } | undefined;
}

/** The body of a problem (RFC 9457). JSON leaves out undefined members. */
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
