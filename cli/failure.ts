import { type FlowsheetError, InputError } from "../runtime/graph/contract/errors.js";

/** An error that the user can fix, such as an unknown option or an unreadable file. Exit code 2. */
export class UsageError extends Error {
  readonly help: string | null;

  constructor(message: string, help: string | null = null) {
    super(message);
    this.name = "UsageError";
    this.help = help;
  }
}

export const EXIT = { done: 0, findings: 1, usage: 2, suspended: 3, bug: 70, interrupted: 130 } as const;

/** Errors of the project itself; all others are errors of the request. */
const FINDINGS: ReadonlySet<string> = new Set([
  "workflow_invalid",
  "module_stale",
  "run_stale",
  "agent_unusable",
  "agent_name_taken",
  "graph_invalid",
  "already_answered",
  "already_ended",
  "not_assignee",
  "starter_may_not_answer",
  "input_invalid",
  "run_not_open",
  "run_not_ended",
  "run_completed",
  "run_erased",
  "run_held",
  "run_stuck",
  "store_unwritable",
]);

/** Values that no run can begin with are the caller's mistake. A run has the same code for an answer it never asked for. */
export const exitOf = (error: FlowsheetError): number =>
  FINDINGS.has(error.code) && !(error instanceof InputError) ? EXIT.findings : EXIT.usage;

export function helpOf(error: FlowsheetError): string | null {
  if (error.code === "graph_needed") return "name one with --graph";
  const { help } = error as { readonly help?: unknown };
  return typeof help === "string" ? help : null;
}
