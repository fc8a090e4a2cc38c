import { clip } from "../../../compiler/diagnostics/visible.js";
import { REFUSALS, type Refusal } from "../../auth/result.js";
import { FlowsheetError } from "../../graph/contract/errors.js";
import { withoutKeys } from "../../runs/redact.js";

/** All problems with status and title. Codes are stable. */
export const PROBLEMS = {
  ...REFUSALS,
  signature_invalid: [401, "The sender is not proved"],
  path_invalid: [400, "The path is not written in its plain form"],
  body_invalid: [400, "The body cannot be read"],
  request_invalid: [400, "The request cannot be read"],
  origin_refused: [403, "Pages of other sites may not ask this"],
  not_assignee: [403, "The question is asked of somebody else"],
  starter_may_not_answer: [403, "Whoever started the run may not answer it"],
  route_not_found: [404, "There is nothing at this path"],
  workflow_not_found: [404, "There is no such workflow"],
  sheet_not_found: [404, "There is no such sheet"],
  run_not_found: [404, "No run has this id"],
  debugger_not_found: [404, "No debugger has this id"],
  method_not_allowed: [405, "The path does not take this method"],
  request_timeout: [408, "The request took too long to arrive"],
  workflow_ambiguous: [409, "Several sheets have a workflow of this name"],
  run_taken: [409, "The run is being resumed by somebody else"],
  run_stale: [409, "The workflow has changed its meaning since the run was suspended"],
  already_answered: [409, "The question has an answer already"],
  already_ended: [409, "The run, or the time to answer, is over"],
  sheet_read_only: [409, "The sheet is only read here"],
  run_not_open: [409, "The run has ended"],
  not_stopped: [409, "The run is not stopped"],
  run_not_ended: [409, "The run goes on"],
  run_completed: [409, "The run has completed"],
  run_without_history: [409, "The run was kept only when it began to wait"],
  run_erased: [409, "The values of the run were deleted when it ended"],
  run_held: [409, "The run cannot go on here at present"],
  run_stuck: [409, "The workers of the run died too often"],
  sheet_changed: [412, "The sheet has other text by now"],
  body_too_large: [413, "The body is too large"],
  url_too_long: [414, "The address is too long"],
  media_type_unsupported: [415, "The body is of a type that is not taken here"],
  edit_invalid: [422, "No sheet could take the edit"],
  input_invalid: [422, "The request is not as it must be"],
  key_reused: [422, "The key has begun a run with other input"],
  sheet_too_complex: [422, "The sheet takes too long, or too much memory, to check"],
  workflow_invalid: [422, "The workflow's sheet has errors"],
  condition_missing: [428, "The request must say which text it means"],
  too_many_debuggers: [429, "Too many debuggers are open"],
  headers_too_large: [431, "The headers are too large"],
  internal: [500, "A bug of the service"],
  overloaded: [503, "The service has no room for another run"],
  storage_unavailable: [503, "Runs that wait can neither be kept nor read now"],
  sheet_busy: [503, "Another program holds the sheet"],
  webhook_unusable: [503, "The webhook cannot be used now"],
  shutting_down: [503, "The service is stopping"],
  store_unwritable: [507, "The store of runs cannot be used now"],
  sheet_unwritable: [507, "The sheet cannot be written, and is as it was"],
} as const satisfies { readonly [code: string]: readonly [status: number, title: string] };

export type ProblemCode = keyof typeof PROBLEMS;

/** An error in a body: a JSON pointer and a message. */
export interface BodyError {
  readonly pointer: string;
  readonly message: string;
}

export interface ProblemOptions {
  /** A text for the client. It never holds an exception's message, a path of the disk, or a credential. */
  readonly detail?: string | undefined;
  readonly headers?: { readonly [name: string]: string } | undefined;
  readonly more?: { readonly [member: string]: unknown } | undefined;
  /** Closes the connection after the answer, because the rest of the request is not read. */
  readonly close?: boolean;
}

export class HttpProblem extends FlowsheetError {
  declare readonly code: ProblemCode;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(code, options.detail ?? PROBLEMS[code][1]);
    this.options = options;
  }

  get status(): number {
    return PROBLEMS[this.code][0];
  }
}

export const refusalProblem = ({ code, detail, headers, required }: Refusal): HttpProblem =>
  new HttpProblem(code, { detail, headers, more: required && { required } });

/** Without an answer to the body: the client sends the request again after some seconds. */
export const tryLater = (code: ProblemCode, seconds: number, detail?: string): HttpProblem =>
  new HttpProblem(code, { detail, headers: { "Retry-After": `${seconds}` }, close: true });

/** So much of a path or a name is told. */
const LONGEST = 256;

/** A name escaped for a JSON pointer, and cut. */
export const escaped = (name: string): string =>
  clip(name, LONGEST).replaceAll("~", "~0").replaceAll("/", "~1");

export function inputInvalid(errors: readonly [BodyError, ...BodyError[]]): HttpProblem {
  const [{ pointer, message }] = errors;
  const detail = pointer === "" ? message : `${pointer}: ${message}`;
  return new HttpProblem("input_invalid", { detail, more: { errors } });
}

/** The body of a problem (RFC 9457). JSON leaves out undefined members. */
export function describeProblem(
  { code, options: { detail, more } }: HttpProblem,
  { path, id }: { readonly path: string; readonly id: string },
): object {
  const [status, title] = PROBLEMS[code];
  const instance = path === "" ? undefined : withoutKeys(path.slice(0, LONGEST));
  return { type: `/problems/${code}`, title, status, code, detail, instance, request_id: id, ...more };
}
