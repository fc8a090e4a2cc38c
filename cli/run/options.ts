import { quoted } from "../../compiler/diagnostics/visible.js";
import type { Project, RunLimits } from "../../runtime/config/folders.js";
import type { Carrier, Logger } from "../../runtime/graph/contract/contract.js";
import { messageOf } from "../../runtime/graph/contract/errors.js";
import { readCarrier } from "../../runtime/otel/carrier.js";
import type { Telemetry } from "../../runtime/otel/contract.js";
import { openTelemetry } from "../../runtime/otel/open-telemetry.js";
import { createRedactor, redactLog } from "../../runtime/runs/redact.js";
import { createServices } from "../../runtime/services.js";
import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { unreadable } from "../project.js";
import { systemUser } from "./system-user.js";

export function projectOptions(context: Context, project: Project, onlyListedHosts = false) {
  const { env } = context;
  const redact = createRedactor(env, project);
  const { maxSteps } = project.execution;
  const user = systemUser();
  const telemetry = telemetryOf(context, project);
  return {
    redact,
    log: redactLog(createLog(context), redact),
    services: createServices({ project, env, redact, onlyListedHosts, telemetry }),
    ...(telemetry === null ? {} : { observer: telemetry.from({ carrier: carrierIn(env) }) }),
    ...(maxSteps === null ? {} : { maxSteps }),
    ...{ startedBy: user, answeredBy: user },
    ...(project.timezone === null ? {} : { timezone: project.timezone }),
  };
}

/** As other tools name the trace that a command belongs to. */
const carrierIn = ({ TRACEPARENT, TRACESTATE }: Context["env"]): Carrier | null =>
  readCarrier(TRACEPARENT, TRACESTATE);

function telemetryOf({ env, cwd }: Context, project: Project): Telemetry | null {
  try {
    return openTelemetry(project, env);
  } catch (error) {
    throw unreadable(error, cwd);
  }
}

/** Notes of agents go to stderr; `debug` and `info` need `--verbose`. */
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

export const limitsOf = (given: Given): RunLimits => ({
  maxSteps: limit(given, "maxSteps", "--max-steps"),
  timeoutMs: limit(given, "timeout", "--timeout"),
});

function limit(given: Given, name: string, option: string): number | null {
  const text = given.text(name);
  if (text === null) return null;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= 1) return value;
  throw new UsageError(`${option} must be a whole number, 1 or more, not ${quoted(text)}`);
}
