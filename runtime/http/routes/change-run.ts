import { z } from "zod";
import { resultOf } from "../../durable/kept-result.js";
import type { FullRun, WaitRow } from "../../durable/rows.js";
import { StoreError } from "../../durable/store-error.js";
import { AnswerError, StaleError } from "../../graph/contract/errors.js";
import { hasEnded } from "../../runs/describe-run.js";
import { readSettings } from "../../runs/request.js";
import { StoredRunError } from "../../runs/suspended.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import { answersJson, BODY_PROBLEMS } from "../openapi/operation.js";
import { type Answer, json } from "../request/answer.js";
import { hasBody, readJson } from "../request/body.js";
import { escaped, HttpProblem, inputInvalid } from "../request/problem.js";
import { KEY_HEADER, keyOf, replayed } from "../request/start-key.js";
import type { RequestContext, Route } from "../route.js";
import { answererOf, starterOf, viewOfFile } from "../run-access.js";
import { acceptNow, answerKept, placeOf } from "./kept-answer.js";
import {
  answerRun,
  MAX_RUN_MS,
  outcome,
  RUN_PROBLEMS,
  runResult,
  visitsInto,
  wantsEvents,
} from "./run-answer.js";
import { accepted, run as toldRun } from "./run-schemas.js";
import { describerOf, findKept, findServed, type ServedRun } from "./served-runs.js";
import { ID } from "./show-run.js";

const resumeBody = z
  .strictObject({
    answers: z.record(z.string(), z.json()).meta({ description: "Answers by node." }).optional(),
    options: z
      .strictObject({
        detach: z
          .boolean()
          .optional()
          .meta({ description: "Answer 202 at once: the run goes on without the request." }),
        trace: z
          .boolean()
          .optional()
          .meta({ description: "Tell inputs, prompts and outputs of each visit, too, to whoever may read." }),
      })
      .optional(),
  })
  .meta({ id: "ResumeRequest" });

type ResumeBody = z.infer<typeof resumeBody>;
interface Given {
  readonly detach: boolean;
  readonly trace: boolean;
  readonly answers: NonNullable<ResumeBody["answers"]>;
}
type KeptRun = Extract<ServedRun, { kind: "kept" }>;

export const resumeRun: Route = {
  method: "POST",
  path: "/runs/{run_id}/resume",
  permission: "answer",
  operation: {
    operationId: "resume",
    summary: "Go on with a suspended run",
    tag: "runs",
    names: ID,
    body: { "application/json": { schema: resumeBody, example: { answers: { Approve: "yes" } } } },
    answers: {
      "200": answersJson(
        z.union([runResult, outcome]),
        "The run has completed or failed: `status` tells.",
        "text/event-stream",
      ),
      "202": answersJson(
        z.union([runResult, accepted, outcome]),
        "The run waits for another answer, or goes on without the request.",
      ),
    },
    problems: [
      ...RUN_PROBLEMS,
      ...["run_not_found", "run_taken", "run_stale", "workflow_invalid"],
      ...[
        "not_assignee",
        "starter_may_not_answer",
        "already_answered",
        "already_ended",
        "run_stuck",
        "store_unwritable",
      ],
    ] as const,
  },
  handle: async (context) => {
    const { answers = {}, options = {} } = await readJson(context, resumeBody);
    const { detach = false, trace = false } = options;
    if (!detach) await context.takeSlot();
    const found = await findServed(context, { does: "execute", answers: true });
    if (found.kind === "kept") return resumeKept(context, found, { answers, detach, trace });
    if (detach)
      throw inputInvalid([
        { pointer: "/options/detach", message: "the run is in a file of before, so it cannot be detached" },
      ]);
    if (found.run.status === "taken") throw new HttpProblem("run_taken");
    return resumeFile(context, found.run.runId, { answers, trace });
  },
};

async function resumeKept(
  context: RequestContext,
  { executor, run, view }: KeptRun,
  { answers, detach, trace }: Given,
): Promise<Answer> {
  const { runId } = run;
  const after = await executor.lastEvent(runId);
  await executor.answer(runId, answers, answererOf(context)).catch((error: unknown) => {
    throw problemOf(error, runId);
  });
  noteAnswer(context, runId, answers);
  const now = (): Promise<Answer> => acceptNow(context, { executor, run });
  if (detach) return now();
  try {
    return await answerKept(context, {
      ...{ executor, run, after },
      follow: (follower) => executor.follow(runId, follower),
      // What has been answered stays answered, whoever waits for it.
      endsWithClient: false,
      trace: trace && view === "whole",
      view,
    });
  } catch (error) {
    if (error instanceof StoreError && error.code !== "run_held") throw error;
    // Its agents are not here at present. The answer is kept.
    if (((await executor.get(runId))?.held ?? null) !== null) return now();
    throw error;
  }
}

/** Who answered. No answer is logged. */
function noteAnswer({ service, principal, id }: RequestContext, runId: string, answers: object): void {
  const nodes = Object.keys(answers);
  if (nodes.length === 0) return;
  const by = principal.userId ?? principal.name;
  const about = { by, run_id: runId, nodes: nodes.join(", "), request_id: id };
  service.loggers.of("flowsheet.http").info("a run was answered", about);
}

async function resumeFile(
  context: RequestContext,
  runId: string,
  { answers, trace }: Omit<Given, "detach">,
): Promise<Answer> {
  const { service, signal } = context;
  const { runner } = service;
  const { user, roles, isAdmin } = answererOf(context);
  const who = { userId: user ?? undefined, roles, isAdmin };
  const view = viewOfFile(context);
  const visits: object[] = [];
  const isTraced = trace && view === "whole";
  const on = isTraced && !wantsEvents(context) ? visitsInto(visits) : undefined;
  const settings = {
    ...readSettings({ signal, timeoutMs: MAX_RUN_MS, trace: isTraced, on }),
    ...who,
  };
  try {
    const answer = await answerRun(context, {
      view,
      trace: isTraced ? visits : undefined,
      run: () => runner.resume(runId, answers, settings),
      stream: () => runner.streamResume(runId, answers, settings),
    });
    noteAnswer(context, runId, answers);
    return answer;
  } catch (error) {
    const isTaken = error instanceof StoredRunError && error.code === "run_taken";
    // Another request may have completed the run.
    if (isTaken && (await findServed(context, { does: "execute" }))) throw new HttpProblem("run_taken");
    throw problemOf(error, runId);
  }
}

function problemOf(error: unknown, runId: string): unknown {
  if (error instanceof StaleError) return new HttpProblem("run_stale", { more: { run_id: runId } });
  if (error instanceof AnswerError)
    return inputInvalid([{ pointer: `/answers/${escaped(error.node)}`, message: error.message }]);
  if (error instanceof WorkflowError)
    return error.code === "workflow_invalid"
      ? new HttpProblem("workflow_invalid", { detail: "the run's sheet has errors now" })
      : new HttpProblem("run_not_found", { detail: "the run's sheet is not there any more" });
  if (error instanceof StoredRunError && error.code !== "run_unwritable" && error.code !== "run_unreadable")
    return new HttpProblem("run_not_found");
  return error;
}

const CHANGED = { "202": answersJson(toldRun, "The run as it is now.") } as const;
const CHANGE_PROBLEMS = ["run_not_found", "store_unwritable", "storage_unavailable"] as const;

export const cancelRun: Route = {
  method: "POST",
  path: "/runs/{run_id}/cancel",
  permission: "execute",
  operation: {
    operationId: "cancelRun",
    summary: "End a run that has not ended",
    tag: "runs",
    names: ID,
    answers: CHANGED,
    problems: [...CHANGE_PROBLEMS, "run_not_open"],
  },
  handle: async (context) => {
    const { executor, run, waits } = await findKept(context, "execute");
    return changed(context, { ...run, ...(await executor.cancel(run.runId)) }, waits);
  },
};

const retryBody = z
  .strictObject({
    from: z.string().optional().meta({
      description: "A node, or `Node#2` for its second visit: it and what came after are called again.",
    }),
  })
  .meta({ id: "RetryRequest" });

export const retryRun: Route = {
  method: "POST",
  path: "/runs/{run_id}/retry",
  permission: "execute",
  operation: {
    operationId: "retryRun",
    summary: "Go on with a run that failed, was cancelled or is stuck",
    tag: "runs",
    names: ID,
    body: { "application/json": { schema: retryBody, example: {} } },
    answers: CHANGED,
    problems: [
      ...CHANGE_PROBLEMS,
      "run_not_ended",
      "run_without_history",
      "run_completed",
      "run_erased",
      "body_invalid",
      "input_invalid",
    ],
  },
  handle: async (context) => {
    const { from } = hasBody(context.request) ? await readJson(context, retryBody) : {};
    const { executor, run, waits } = await findKept(context, "execute");
    return changed(context, { ...run, ...(await executor.retry(run.runId, from ?? null)) }, waits);
  },
};

const forkBody = z
  .strictObject({
    from: z.string().meta({
      description: "A node, or `Node#2` for its second visit: what was recorded before it is kept.",
    }),
    set: z.record(z.string(), z.json()).optional().meta({
      description: "Written on the state in front of that visit, by field.",
    }),
    current: z.boolean().optional().meta({
      description: "On the graph as it now is, when what was recorded before the visit fits it.",
    }),
  })
  .meta({ id: "ForkRequest" });

export const forkRun: Route = {
  method: "POST",
  path: "/runs/{run_id}/fork",
  permission: "execute",
  operation: {
    operationId: "forkRun",
    summary: "Begin a new run with what another recorded before a visit",
    tag: "runs",
    names: ID,
    headers: [KEY_HEADER],
    body: { "application/json": { schema: forkBody, example: { from: "Approve", set: { total: 99 } } } },
    answers: { "202": answersJson(toldRun, "The new run; `Location` is its place.") },
    problems: [
      ...CHANGE_PROBLEMS,
      ...BODY_PROBLEMS,
      ...([
        "input_invalid",
        "key_reused",
        "run_without_history",
        "run_erased",
        "run_stale",
        "run_held",
      ] as const),
    ],
  },
  handle: async (context) => {
    const { from, set = {}, current = false } = await readJson(context, forkBody);
    const key = keyOf(context.request);
    const { runs, run } = await findKept(context, "execute");
    const { encoding, project } = context.service;
    const about = { starter: { key, ...starterOf(context) }, cwd: project.root, encoding };
    const forked = await runs.fork(run, { from, set, current }, about);
    const told = describerOf(context)(forked.run, [], null);
    const headers = { ...replayed(forked.created), Location: placeOf(context, forked.run) };
    return json(told, 202, headers);
  },
};

const changed = (context: RequestContext, run: FullRun, waits: readonly WaitRow[]): Answer =>
  json(describerOf(context)(run, waits, hasEnded(run) ? resultOf(run) : null), 202);
