import { jsonText } from "../../compiler/diagnostics/json-text.js";
import type { FullRun } from "../../runtime/durable/rows.js";
import { sheetFrom } from "../../runtime/runs/resume.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { noteNobody } from "../runs/change.js";
import { withRuns } from "../runs/open.js";
import { elapsedText, momentText } from "../runs/time-text.js";
import { readAt, readDeadline, readKey } from "./key-and-times.js";
import { openRun } from "./open.js";
import { limitsOf } from "./options.js";
import { systemUser } from "./system-user.js";

/** What only a run in this process can do. */
const ATTENDED = ["--record", "--replay", "--trace", "--generated", "--no-keep"];

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
  const at = readAt(given.text("at"), now);
  const deadline = readDeadline(given.text("deadline"), now, at);
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
  const begins = due > created ? `  begins ${momentText(due)}` : "";
  return `${head}${begins}${key === null ? "" : `  (key ${key})`}`;
}
