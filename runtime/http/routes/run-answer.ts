import { z } from "zod";
import type { RunEvent } from "../../graph/contract/contract.js";
import { describeOutcome, describeResult, type WorkflowResult } from "../../runs/result.js";
import type { WorkflowEvent, WorkflowStream } from "../../runs/stream.js";
import { answersJson, BODY_PROBLEMS } from "../openapi/operation.js";
import { type Answer, json } from "../request/answer.js";
import { describeEvent, streamEvents } from "../request/event-stream.js";
import type { ProblemCode } from "../request/problem.js";
import type { RequestContext } from "../route.js";
import type { View } from "../run-access.js";

export const fields = z.record(z.string(), z.json()).meta({ description: "Values by field." });

export const waiting = z
  .object({
    node: z.string(),
    field: z.string().nullable(),
    prompt: z.string(),
    options: z.array(z.string()).nullable(),
  })
  .meta({ id: "Waiting" });

export const runResult = z
  .object({
    run_id: z.string(),
    graph_name: z.string(),
    status: z.enum(["completed", "failed", "suspended", "cancelled"]),
    success: z.boolean(),
    state: fields,
    path: z.array(z.string()).meta({ description: "The visited nodes." }),
    steps: z.int(),
    duration_ms: z.number(),
    error: z
      .object({
        code: z.enum([
          "agent_failed",
          "node_timeout",
          "run_timeout",
          "step_limit",
          "provider_failed",
          "bad_value",
          "cancelled",
          "internal",
        ]),
        message: z.string(),
        graph: z.string(),
        node: z.string().nullable(),
        file: z.string().nullable(),
        line: z.int().nullable(),
        cell: z.string().nullable(),
        worksheet: z.string().optional().meta({ description: "Of a workbook." }),
      })
      .nullable(),
    waiting: z.array(waiting),
    trace: z.array(z.record(z.string(), z.json())).optional(),
  })
  .meta({ id: "RunResult" });

/** What a credential with `answer` alone is told: no values. */
export const outcome = runResult.omit({ state: true, trace: true }).meta({ id: "RunOutcome" });

/** The longest time-out of a run that a request may set. */
export const MAX_RUN_MS = 60_000;

export const RUN_ANSWERS = {
  "200": answersJson(runResult, "The run has completed or failed: `status` tells.", "text/event-stream"),
  "202": answersJson(runResult, "The run waits for an answer: `waiting` tells for what."),
} as const;

export const RUN_PROBLEMS = [
  ...BODY_PROBLEMS,
  "workflow_not_found",
  "workflow_ambiguous",
  "overloaded",
  "storage_unavailable",
] as const satisfies readonly ProblemCode[];

/** True when the client asks for the events of a run instead of its result. */
export const wantsEvents = ({ request }: RequestContext): boolean =>
  /(^|,)\s*text\/event-stream\b/i.test(request.headers.accept ?? "");

/** Keeps the visits of a traced run for its answer. */
export const visitsInto =
  (visits: object[]) =>
  (event: RunEvent | WorkflowEvent): void => {
    if (event.type === "node_end") visits.push(describeEvent(event));
  };

interface RunStart {
  readonly run: () => Promise<WorkflowResult>;
  readonly stream: () => WorkflowStream | Promise<WorkflowStream>;
  readonly trace?: readonly object[] | undefined;
  /** The whole of the run, unless said otherwise. */
  readonly view?: View;
}

/** Starts a run, and answers with its result or its events. */
export async function answerRun(
  context: RequestContext,
  { run, stream, trace, view = "whole" }: RunStart,
): Promise<Answer> {
  const { metrics } = context.service;
  if (wantsEvents(context) && view === "whole") {
    const events = await stream();
    events.result.then(metrics.ran, () => {});
    return streamEvents(events);
  }
  const result = await run();
  metrics.ran(result);
  const told = view === "whole" ? describeResult(result) : describeOutcome(result);
  // 202: a waiting run was accepted, but is not done.
  return json({ ...told, trace }, result.status === "suspended" ? 202 : 200);
}
