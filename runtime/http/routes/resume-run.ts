import { z } from "zod";
import { StoreError } from "../../durable/store-error.js";
import { AnswerError, StaleError } from "../../graph/contract/errors.js";
import { readSettings } from "../../runs/request.js";
import { StoredRunError } from "../../runs/suspended.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import { answersJson } from "../openapi/operation.js";
import type { Answer } from "../request/answer.js";
import { readJson } from "../request/body.js";
import { escaped, HttpProblem, inputInvalid } from "../request/problem.js";
import type { RequestContext, Route } from "../route.js";
import { answererOf, viewOfFile } from "../run-access.js";
import { acceptNow, answerKept } from "./kept-answer.js";
import {
  answerRun,
  MAX_RUN_MS,
  outcome,
  RUN_PROBLEMS,
  runResult,
  visitsInto,
  wantsEvents,
} from "./run-answer.js";
import { accepted } from "./run-schemas.js";
import { findServed, type ServedRun } from "./served-runs.js";
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
    throw resumeProblem(error, runId);
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
export function noteAnswer(
  { service, principal, id }: Pick<RequestContext, "service" | "principal" | "id">,
  runId: string,
  answers: object,
): void {
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
    throw resumeProblem(error, runId);
  }
}

/** What keeps a run from going on, for whoever answers. */
export function resumeProblem(error: unknown, runId: string): unknown {
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
