import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { MOMENT, readMoment } from "../../runtime/config/moment.js";
import type { FullRun } from "../../runtime/durable/rows.js";
import { sheetFrom } from "../../runtime/runs/resume.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { noteNobody } from "../runs/change.js";
import { withRuns } from "../runs/open.js";
import { elapsedText } from "../runs/time-text.js";
import { openRun } from "./open.js";
import { limitsOf } from "./options.js";
import { systemUser } from "./system-user.js";

/** What only a run in this process can do. */
const ATTENDED = ["--record", "--replay", "--trace", "--generated"];

/** `run --detach`: stores the run; workers go on with it. */
export async function runDetached(
  context: Context,
  operands: readonly string[],
  given: Given,
): Promise<number> {
  const refused = given.flags.find((flag) => ATTENDED.includes(flag));
  if (refused !== undefined)
    throw new UsageError(`${refused} needs a run in this process`, "leave out --detach, or this option");
  const asked = limitsOf(given);
  const now = Date.now();
  const [at, deadline] = [readAt(given.text("at"), now), readDeadline(given.text("deadline"), now)];
  const key = readKey(given.text("key"));
  const { project, subject, state } = await openRun(context, operands, given);
  const { execution, keeping } = project;
  const { path } = subject.sheet;
  return withRuns(context, project, async (runs) => {
    const request = runs.request(subject, state, {
      sheet: path === null ? null : sheetFrom(project.root, path),
      limits: {
        maxSteps: asked.maxSteps ?? execution.maxSteps,
        timeoutMs: asked.timeoutMs ?? execution.timeoutMs,
      },
      ...{ key, at, userId: systemUser(), startedBy: systemUser() },
      deadline: deadline ?? (keeping.deadlineMs === null ? null : (at ?? now) + keeping.deadlineMs),
    });
    const { created, run } = await runs.executor.start(request);
    const { status } = created ? run : ((await runs.executor.get(run.runId)) ?? run);
    if (given.flag("json")) context.stdout.write(jsonText({ run_id: run.runId, status, created }));
    else context.stdout.write(`${startedText({ ...run, status }, created)}\n`);
    if (status === "queued") await noteNobody(context, runs);
    return EXIT.done;
  });
}

function startedText({ runId, status, key, created, due }: FullRun, isNew: boolean): string {
  const head = `${runId}  ${status}`;
  if (!isNew) {
    const since = elapsedText(Date.now() - created);
    return `${head}  since ${since}  (this key has started it: nothing new was begun)`;
  }
  const begins = due > created ? `  begins ${new Date(due).toISOString()}` : "";
  return `${head}${begins}${key === null ? "" : `  (key ${key})`}`;
}

function readAt(text: string | null, now: number): number | null {
  return text === null ? null : momentOf("--at", text, now);
}

export function readDeadline(text: string | null, now: number): number | null {
  if (text === null) return null;
  const time = momentOf("--deadline", text, now);
  if (time > now) return time;
  throw new UsageError(`the deadline ${JSON.stringify(text)} is in the past`);
}

function momentOf(option: string, text: string, now: number): number {
  const time = readMoment(text, now, "ahead");
  if (time !== null) return time;
  throw new UsageError(`${option} takes ${MOMENT}, not ${JSON.stringify(text)}`);
}

/** As over HTTP: it must fit a header. */
export function readKey(text: string | null): string | null {
  if (text === null || /^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new UsageError("--key takes 1 to 255 visible ASCII characters, without spaces");
}
