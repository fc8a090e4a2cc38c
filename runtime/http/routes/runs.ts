import { dirname, posix, relative, resolve, sep } from "node:path";
import { AnswerError, StaleError } from "../../graph/contract/errors.js";
import { readSettings } from "../../runs/request.js";
import { StoredRunError } from "../../runs/run-error.js";
import type { IndexedRun } from "../../runs/run-index.js";
import { describeSuspended, type SuspendedRun } from "../../runs/suspended.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import { checkBody, keysOf, resumeBody } from "../openapi/schemas.js";
import { type Answer, json } from "../request/answer.js";
import { mediaType, parseJsonBody, receive } from "../request/body.js";
import type { Call } from "../request/call.js";
import { wantsEvents } from "../request/event-stream.js";
import { cursorOf, limitOf, readCursor } from "../request/paging.js";
import { HttpProblem, inputInvalid } from "../request/problem.js";
import type { Route } from "../route.js";
import type { Service } from "../service.js";
import { answerOf, eventsOf } from "./execute.js";

const KEYS = keysOf(resumeBody);
const JSON_ONLY = ["application/json"];

/** Runs of one page. */
const MOST = 100;

const placeOf = ({ suspendedAt, runId }: IndexedRun): readonly [string, string] => [suspendedAt, runId];

export const listRuns: Route = {
  method: "GET",
  path: "/runs",
  permission: "read",
  handle: async ({ service, query }) => {
    const limit = limitOf(query, MOST);
    const cursor = query.get("cursor");
    const after = cursor === null ? null : readCursor(cursor);
    const runs = (await service.runner.runIndex()).filter((run) => isServed(service, run));
    // Those that wait longest come first; of those that began to wait together, the ids decide.
    const order = (one: readonly [string, string], other: readonly [string, string]): number =>
      one[0] < other[0] || (one[0] === other[0] && one[1] <= other[1]) ? -1 : 1;
    const sorted = [...runs].sort((a, b) => order(placeOf(a), placeOf(b)));
    const rest = after === null ? sorted : sorted.filter((run) => order(placeOf(run), after) > 0);
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    // One after the other: of runs with a large state, one is in memory at a time.
    const told: object[] = [];
    for (const { runId } of page) {
      const run = await lookUp(service, runId);
      if (run !== null) told.push(describeSuspended(run));
    }
    return json({
      runs: told,
      total: runs.length,
      next_cursor: last === undefined || page.length === rest.length ? null : cursorOf(placeOf(last)),
    });
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
  handle: async (call) => {
    mediaType(call.request, JSON_ONLY);
    const { service, params } = call;
    const body = checkBody(resumeBody, KEYS, parseJsonBody(await receive(call)));
    await call.takePlace();
    const { runId, status } = await findRun(service, params);
    if (status === "taken") throw new HttpProblem("run_taken");
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
    const isTaken = error instanceof StoredRunError && error.code === "run_taken";
    // Whoever was faster may have come to the end already.
    if (isTaken && (await findRun(call.service, call.params))) throw new HttpProblem("run_taken");
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

/** A run of what is served, with its sheet named from the workflows folder; null for any other. */
function served(service: Service, run: SuspendedRun): SuspendedRun | null {
  const sheet = sheetOf(service, run);
  return sheet === undefined ? null : { ...run, sheet };
}

const isServed = (service: Service, run: IndexedRun): boolean => sheetOf(service, run) !== undefined;

/** A sheet from the workflows folder; null for a generated module, undefined for what is not served. */
function sheetOf({ project }: Service, { sheet }: Pick<IndexedRun, "sheet">): string | null | undefined {
  if (sheet === null) return undefined;
  const path = resolve(project.root, sheet);
  if (dirname(path) === project.generated && sheet.endsWith(".gen.ts")) return null;
  const way = relative(project.workflows, path).replaceAll(sep, posix.sep);
  return way.startsWith("../") ? undefined : way;
}

/** Null for a run that is not there, or not served. */
async function lookUp(service: Service, runId: string): Promise<SuspendedRun | null> {
  const found = await service.runner.find(runId).catch((error: unknown) => {
    if (error instanceof StoredRunError) return null;
    throw error;
  });
  return found === null ? null : served(service, found);
}

async function findRun(service: Service, params: ReadonlyMap<string, string>): Promise<SuspendedRun> {
  const run = await lookUp(service, params.get("run_id") ?? "");
  if (run === null) throw new HttpProblem("run_not_found");
  return run;
}
