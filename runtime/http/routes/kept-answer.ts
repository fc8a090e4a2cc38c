import type { DurableExecutor } from "../../durable/executor.js";
import type { Followed, Follower } from "../../durable/following.js";
import type { EventRow, RunRow } from "../../durable/rows.js";
import { describeOutcome, describeResult, type WorkflowResult } from "../../runs/result.js";
import { type Answer, type Headers, json } from "../request/answer.js";
import { streamOf } from "../request/event-stream.js";
import type { RequestContext } from "../route.js";
import type { View } from "../run-access.js";
import { MAX_RUN_MS, visitsInto, wantsEvents } from "./run-answer.js";
import { nullWhileAway, storedEvents } from "./stored-events.js";

/** A request waits a little longer than its run may be at work, so that it can say how it ended. */
const PATIENCE_MS = MAX_RUN_MS + 5_000;

export interface KeptAnswer {
  readonly executor: DurableExecutor;
  readonly run: Pick<RunRow, "runId">;
  readonly follow: (follower: Follower) => Promise<Followed>;
  /** The number of the last event before the request. */
  readonly after: number;
  /** A client that goes takes the run with it. */
  readonly endsWithClient: boolean;
  readonly trace?: boolean;
  readonly headers?: Headers;
  /** The whole of the run, unless said otherwise. */
  readonly view?: View;
}

/** Waits for the end of a run, or tells its events. */
export function answerKept(context: RequestContext, kept: KeptAnswer): Answer | Promise<Answer> {
  const { service } = context;
  const visits: object[] = [];
  const { trace = false } = kept;
  const following = kept.follow({
    works: service.works,
    ...(kept.endsWithClient ? { signal: context.signal } : {}),
    ...(trace ? { trace, on: visitsInto(visits) } : {}),
  });
  // What is at work here is counted with its legs, whether or not a request waits for it.
  const count = (followed: Followed): void => {
    if (!service.works && followed.kind === "result") service.metrics.ran(followed.result);
  };
  following.then(count, () => {});
  // Events hold states, so whoever only answers is told the outcome.
  return wantsEvents(context) && kept.view !== "question"
    ? streamKept(context, kept, following, visits)
    : resultOfKept(context, kept, following, trace ? visits : undefined);
}

async function resultOfKept(
  context: RequestContext,
  { executor, run, headers = {}, view = "whole" }: KeptAnswer,
  following: Promise<Followed>,
  trace: readonly object[] | undefined,
): Promise<Answer> {
  // A run that has begun is not undone by a full disk, or a server that is away: it goes on afterwards.
  const followed = await atMost(PATIENCE_MS, following.catch(nullWhileAway));
  if (followed?.kind !== "result") return acceptNow(context, { executor, run }, headers);
  const { result } = followed;
  await followed.told();
  // 202: a waiting run was accepted, but is not done.
  const status = result.status === "suspended" ? 202 : 200;
  const told = view === "whole" ? describeResult(result) : describeOutcome(result);
  return json({ ...told, trace }, status, headers);
}

/** What is promised, or null after that time. A signal would cost an error for each request. */
function atMost<T>(ms: number, promised: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, null);
    timer.unref();
    promised.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/** The same, with its status as it is now, where that can be read. */
export async function acceptNow(
  context: RequestContext,
  { executor, run }: Pick<KeptAnswer, "executor" | "run">,
  headers: Headers = {},
): Promise<Answer> {
  const now = await executor.get(run.runId).catch(nullWhileAway);
  return accept(context, now ?? run, headers);
}

/** The run goes on without the request. */
export function accept(
  context: RequestContext,
  run: Pick<RunRow, "runId"> & Partial<RunRow>,
  headers: Headers = {},
): Answer {
  const { runId, status = "queued" } = run;
  return json({ run_id: runId, status }, 202, { ...headers, Location: placeOf(context, run) });
}

/** The path of a run, from the server's own address. */
export const placeOf = ({ service, request }: RequestContext, { runId }: Pick<RunRow, "runId">): string =>
  `${request.baseUrl ?? ""}${service.settings.server.base_path}/runs/${runId}`;

function streamKept(
  { signal }: RequestContext,
  { executor, run: { runId }, after, headers = {} }: KeptAnswer,
  following: Promise<Followed>,
  visits: readonly object[],
): Answer {
  const isOver = (): boolean => signal.aborted;
  async function* events() {
    yield* storedEvents({ executor, runId, after, isOver, until: following, traced: detailsIn(visits) });
    const followed = await following;
    if (followed.kind === "result" && followed.result.status === "suspended")
      yield waitingEnd(followed.result);
    if (followed.kind === "result") await followed.told();
  }
  return streamOf(events(), { until: following, more: headers });
}

/** Not stored: the run goes on, and ends later. */
const waitingEnd = (result: WorkflowResult) => ({
  type: "run_end",
  data: { run_id: result.runId, result: describeResult(result) },
});

/** Stored events have no values. Those of a trace come from the leg itself. */
const detailsIn =
  (visits: readonly object[]) =>
  ({ event }: EventRow): object => {
    const { type, node, visit, branch } = event as { readonly [key: string]: unknown };
    if (type !== "node_end") return {};
    const isSame = (one: { readonly [key: string]: unknown }): boolean =>
      one["node"] === node && one["visit"] === visit && String(one["branch"]) === String(branch);
    return (visits as readonly { readonly [key: string]: unknown }[]).find(isSame) ?? {};
  };
