import { dirname, posix, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { AnswerError, StaleError } from "../../graph/contract/errors.js";
import { readSettings } from "../../runs/request.js";
import {
  describeSuspended,
  type IndexedRun,
  StoredRunError,
  type SuspendedRun,
} from "../../runs/suspended.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import { answersJson } from "../openapi/operation.js";
import { type Answer, json } from "../request/answer.js";
import { readJson } from "../request/body.js";
import { cursorOf, limitOf, pagesOf, readCursor } from "../request/paging.js";
import { HttpProblem, inputInvalid } from "../request/problem.js";
import type { RequestContext, Route } from "../route.js";
import type { Service } from "../service.js";
import { answerRun, MAX_RUN_MS, RUN_ANSWERS, RUN_PROBLEMS, waiting } from "./run-answer.js";

const resumeBody = z
  .strictObject({
    answers: z.record(z.string(), z.json()).meta({ description: "Answers by node." }).optional(),
  })
  .meta({ id: "ResumeRequest" });

const suspendedRun = z
  .object({
    run_id: z.string(),
    graph_name: z.string(),
    sheet: z.string().nullable(),
    suspended_at: z.string(),
    status: z.enum(["waiting", "taken", "interrupted", "ended"]),
    waiting: z.array(waiting),
  })
  .meta({ id: "SuspendedRun" });

const suspendedRuns = z
  .object({ runs: z.array(suspendedRun), total: z.int(), next_cursor: z.string().nullable() })
  .meta({ id: "SuspendedRuns" });

const ID = "As the answer that suspended it tells.";

const MOST = 100;

const cursorKeyOf = ({ suspendedAt, runId }: IndexedRun): readonly [string, string] => [suspendedAt, runId];

export const listRuns: Route = {
  method: "GET",
  path: "/runs",
  permission: "read",
  operation: {
    operationId: "listRuns",
    summary: "The suspended runs, and what they wait for",
    tag: "runs",
    query: pagesOf(MOST),
    answers: {
      "200": answersJson(suspendedRuns, "A page of suspended runs, those that wait longest first."),
    },
    problems: ["input_invalid"],
  },
  handle: async ({ service, query }) => {
    const limit = limitOf(query, MOST);
    const cursor = query.get("cursor");
    const after = cursor === null ? null : readCursor(cursor);
    const runs = (await service.runner.runIndex()).filter((run) => sheetOf(service, run) !== undefined);
    // The longest wait comes first. Ids decide between equal times.
    const order = (one: readonly [string, string], other: readonly [string, string]): number =>
      one[0] < other[0] || (one[0] === other[0] && one[1] <= other[1]) ? -1 : 1;
    const sorted = [...runs].sort((a, b) => order(cursorKeyOf(a), cursorKeyOf(b)));
    const rest = after === null ? sorted : sorted.filter((run) => order(cursorKeyOf(run), after) > 0);
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    // Read one by one, so that only one large state is in memory.
    const told: object[] = [];
    for (const { runId } of page) {
      const run = await lookUp(service, runId);
      if (run !== null) told.push(describeSuspended(run));
    }
    return json({
      runs: told,
      total: runs.length,
      next_cursor: last === undefined || page.length === rest.length ? null : cursorOf(cursorKeyOf(last)),
    });
  },
};

export const showRun: Route = {
  method: "GET",
  path: "/runs/{run_id}",
  permission: "read",
  operation: {
    operationId: "showRun",
    summary: "One suspended run",
    tag: "runs",
    names: ID,
    answers: { "200": answersJson(suspendedRun, "The run.") },
    problems: ["run_not_found"],
  },
  handle: async ({ service, params }) => json(describeSuspended(await findRun(service, params))),
};

export const resumeRun: Route = {
  method: "POST",
  path: "/runs/{run_id}/resume",
  permission: "execute",
  operation: {
    operationId: "resume",
    summary: "Go on with a suspended run",
    tag: "runs",
    names: ID,
    body: { "application/json": { schema: resumeBody, example: { answers: { Approve: "yes" } } } },
    answers: RUN_ANSWERS,
    problems: [...RUN_PROBLEMS, "run_not_found", "run_taken", "run_stale", "workflow_invalid"],
  },
  handle: async (context) => {
    const { answers = {} } = await readJson(context, resumeBody);
    await context.takeSlot();
    const { runId, status } = await findRun(context.service, context.params);
    if (status === "taken") throw new HttpProblem("run_taken");
    return resume(context, runId, answers);
  },
};

async function resume(context: RequestContext, runId: string, answers: Answers): Promise<Answer> {
  const { service, params, signal } = context;
  const { runner } = service;
  const settings = readSettings({ signal, timeoutMs: MAX_RUN_MS });
  try {
    return await answerRun(context, {
      run: () => runner.resume(runId, answers, settings),
      stream: () => runner.streamResume(runId, answers, settings),
    });
  } catch (error) {
    const isTaken = error instanceof StoredRunError && error.code === "run_taken";
    // Another request may have completed the run.
    if (isTaken && (await findRun(service, params))) throw new HttpProblem("run_taken");
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

/** The sheet in the workflows folder; null for a generated module, undefined for sheets that are not served. */
function sheetOf({ project }: Service, { sheet }: Pick<IndexedRun, "sheet">): string | null | undefined {
  if (sheet === null) return undefined;
  const path = resolve(project.root, sheet);
  if (dirname(path) === project.generated && sheet.endsWith(".gen.ts")) return null;
  const way = relative(project.workflows, path).replaceAll(sep, posix.sep);
  return way.startsWith("../") ? undefined : way;
}

/** A run with the name of its sheet; null when it is missing or not served. */
async function lookUp(service: Service, runId: string): Promise<SuspendedRun | null> {
  const found = await service.runner.find(runId).catch((error: unknown) => {
    if (error instanceof StoredRunError) return null;
    throw error;
  });
  const sheet = found === null ? undefined : sheetOf(service, found);
  return found === null || sheet === undefined ? null : { ...found, sheet };
}

async function findRun(service: Service, params: ReadonlyMap<string, string>): Promise<SuspendedRun> {
  const run = await lookUp(service, params.get("run_id") ?? "");
  if (run === null) throw new HttpProblem("run_not_found");
  return run;
}
