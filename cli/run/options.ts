import type { Project } from "../../runtime/config/folders.js";
import type { Logger, NodeEnd, RunEvent, RunOptions } from "../../runtime/graph/contract/contract.js";
import { messageOf } from "../../runtime/graph/contract/errors.js";
import type { RunLimits } from "../../runtime/runs/record.js";
import { createRedactor, redactLog } from "../../runtime/runs/redact.js";
import { createServices } from "../../runtime/services.js";
import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import type { Cancellation } from "./cancellation.js";
import { createProgress, describeVisit } from "./progress.js";
import type { Recording } from "./recording.js";

export function projectOptions(context: Context, project: Project) {
  const { env } = context;
  const redact = createRedactor(env, project.configuration);
  const { maxSteps } = project.execution;
  return {
    redact,
    log: redactLog(createLog(context), redact),
    services: createServices({ project, env, redact }),
    ...(maxSteps === null ? {} : { maxSteps }),
  };
}

/** Where agents write notes: on stderr, the lesser ones for those who ask for more. */
export function createLog({ detail, note, fail }: Pick<Context, "detail" | "note" | "fail">): Logger {
  const to =
    (say: (text: string) => void) =>
    (message: string, details?: unknown): void =>
      say(details === undefined ? String(message) : `${message} ${detailsText(details)}`);
  return { debug: to(detail), info: to(detail), warn: to(note), error: to((text) => fail(text)) };
}

function detailsText(details: unknown): string {
  if (details instanceof Error) return messageOf(details);
  try {
    return JSON.stringify(details) ?? String(details);
  } catch {
    return "(details that cannot be shown)";
  }
}

export interface Watched {
  readonly runId: string;
  readonly options: RunOptions;
  /** The visits so far in their order; null unless they are asked for. */
  readonly trace: () => readonly object[] | null;
}

export interface Watching {
  readonly project: Project;
  readonly given: Given;
  readonly limits: RunLimits;
  readonly cancellation: Cancellation;
  /** A person is there, who is asked what the run waits for. */
  readonly asks: boolean;
  readonly recording?: Recording | null;
}

/** What the driver is told for a run of the command line. */
export function watchRun(context: Context, watching: Watching): Watched {
  const { project, given, limits, cancellation, asks, recording = null } = watching;
  const traced = given.flag("trace");
  const usual = projectOptions(context, project);
  const visits: NodeEnd[] = [];
  const show = context.quiet ? null : createProgress(context, { trace: traced && !given.flag("json") });
  const on = (event: RunEvent): void => {
    if (traced && event.type === "node_end") visits.push(event);
    // The question itself says that the run waits.
    if (!(asks && event.type === "node_end" && event.outcome === "waiting")) show?.(event);
  };
  const { maxSteps } = limits;
  const timeoutMs = limits.timeoutMs ?? project.execution.timeoutMs;
  const runId = createRunId();
  return {
    runId,
    options: {
      ...usual,
      runId,
      on,
      trace: traced,
      signal: cancellation.signal,
      services: recording === null ? usual.services : recording.wrap(usual.services),
      ...(maxSteps === null ? {} : { maxSteps }),
      ...(timeoutMs === null ? {} : { timeoutMs }),
    },
    trace: () => (traced ? visits.sort((a, b) => a.step - b.step).map(describeVisit) : null),
  };
}

/** An id is no secret: Node's cryptography takes longer to load than a small run takes. */
function createRunId(): string {
  const words = Array.from({ length: 4 }, () => Math.floor(Math.random() * 2 ** 32));
  return words.map((word) => word.toString(16).padStart(8, "0")).join("");
}

export const limitsOf = (given: Given): RunLimits => ({
  maxSteps: limit(given, "maxSteps", "--max-steps"),
  timeoutMs: limit(given, "timeout", "--timeout"),
});

function limit(given: Given, name: string, option: string): number | null {
  const text = given.text(name);
  if (text === null) return null;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= 1) return value;
  throw new UsageError(`${option} must be a whole number, 1 or more, not ${JSON.stringify(text)}`);
}
