import { z } from "zod";
import { resultOf } from "../../durable/kept-result.js";
import type { FullRun, WaitRow } from "../../durable/rows.js";
import { hasEnded } from "../../runs/describe-run.js";
import { answersJson, BODY_PROBLEMS } from "../openapi/operation.js";
import { type Answer, json } from "../request/answer.js";
import { hasBody, readJson } from "../request/body.js";
import { KEY_HEADER, keyOf, replayed } from "../request/start-key.js";
import type { RequestContext, Route } from "../route.js";
import { answererOf, starterOf } from "../run-access.js";
import { placeOf } from "./kept-answer.js";
import { run as toldRun } from "./run-schemas.js";
import { describerOf, findKept } from "./served-runs.js";
import { ID } from "./show-run.js";

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
        "not_assignee",
        "starter_may_not_answer",
      ] as const),
    ],
  },
  handle: async (context) => {
    const { from, set = {}, current = false } = await readJson(context, forkBody);
    const key = keyOf(context.request);
    const { runs, run } = await findKept(context, "execute");
    const { encoding, project } = context.service;
    const about = { starter: { key, ...starterOf(context) }, cwd: project.root, encoding };
    const forked = await runs.fork(run, { from, set, current, by: answererOf(context) }, about);
    const told = describerOf(context)(forked.run, [], null);
    const headers = { ...replayed(forked.created), Location: placeOf(context, forked.run) };
    return json(told, 202, headers);
  },
};

const changed = (context: RequestContext, run: FullRun, waits: readonly WaitRow[]): Answer =>
  json(describerOf(context)(run, waits, hasEnded(run) ? resultOf(run) : null), 202);
