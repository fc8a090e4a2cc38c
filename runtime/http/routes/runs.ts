import { dirname, posix, relative, resolve, sep } from "node:path";
import { AnswerError, StaleError } from "../../graph/errors.js";
import { readSettings } from "../../runs/request.js";
import { StoredRunError } from "../../runs/run-error.js";
import { describeSuspended, type SuspendedRun } from "../../runs/suspended.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import { type Answer, json } from "../answer.js";
import { mediaType, parseJsonBody, readBody } from "../body.js";
import type { Call } from "../call.js";
import { wantsEvents } from "../event-stream.js";
import { HttpProblem, inputInvalid } from "../problem.js";
import type { Route } from "../route.js";
import { checkBody, keysOf, resumeBody } from "../schemas.js";
import type { Service } from "../service.js";
import { answerOf, eventsOf } from "./execute.js";

const KEYS = keysOf(resumeBody);
const JSON_ONLY = ["application/json"];

export const listRuns: Route = {
  method: "GET",
  path: "/runs",
  permission: "read",
  handle: async ({ service }) => {
    const runs = await runsOf(service);
    return json({ runs: runs.map(describeSuspended), total: runs.length });
  },
};

export const showRun: Route = {
  method: "GET",
  path: "/runs/{run_id}",
  permission: "read",
  handle: async ({ service, params }) => json(describeSuspended(await findRun(service, params))),
};

export const resumeRun: Route = {
  method: "POST",
  path: "/runs/{run_id}/resume",
  permission: "execute",
  runs: true,
  handle: async (call) => {
    mediaType(call.request, JSON_ONLY);
    const { service, params } = call;
    const body = checkBody(
      resumeBody,
      KEYS,
      parseJsonBody(await readBody(call.request, service.limits.body)),
    );
    const { runId, status } = await findRun(service, params);
    if (status === "taken") throw new HttpProblem("run_not_found", { detail: "the run is being resumed" });
    return resume(call, runId, body.answers ?? {});
  },
};

async function resume(call: Call, runId: string, answers: Answers): Promise<Answer> {
  const { runner, metrics, limits } = call.service;
  const settings = readSettings({ signal: call.signal, timeoutMs: limits.runMs });
  try {
    if (wantsEvents(call)) return eventsOf(call, await runner.streamResume(runId, answers, settings));
    const result = await runner.resume(runId, answers, settings);
    metrics.ran(result);
    return answerOf(result);
  } catch (error) {
    throw problemOf(error, runId);
  }
}

type Answers = Parameters<Service["runner"]["resume"]>[1];

function problemOf(error: unknown, runId: string): unknown {
  if (error instanceof StaleError) return new HttpProblem("run_stale", { more: { run_id: runId } });
  if (error instanceof AnswerError)
    return inputInvalid([{ pointer: `/answers/${error.node}`, message: error.message }]);
  if (error instanceof WorkflowError)
    return error.code === "workflow_invalid"
      ? new HttpProblem("workflow_invalid", { detail: "the run's sheet has errors now" })
      : new HttpProblem("run_not_found", { detail: "the run's sheet is not there any more" });
  if (error instanceof StoredRunError && error.code !== "run_unwritable" && error.code !== "run_unreadable")
    return new HttpProblem("run_not_found");
  return error;
}

/** The suspended runs of what is served, with their sheets named from the workflows folder. */
async function runsOf({ runner, project }: Service): Promise<readonly SuspendedRun[]> {
  return (await runner.runs()).flatMap((run): readonly SuspendedRun[] => {
    if (run.sheet === null) return [];
    if (dirname(resolve(project.root, run.sheet)) === project.generated && run.sheet.endsWith(".gen.ts"))
      return [{ ...run, sheet: null }];
    const sheet = relative(project.workflows, resolve(project.root, run.sheet)).replaceAll(sep, posix.sep);
    return sheet.startsWith("../") ? [] : [{ ...run, sheet }];
  });
}

async function findRun(service: Service, params: ReadonlyMap<string, string>): Promise<SuspendedRun> {
  const id = params.get("run_id");
  const found = (await runsOf(service)).find(({ runId }) => runId === id);
  if (found === undefined) throw new HttpProblem("run_not_found");
  return found;
}
