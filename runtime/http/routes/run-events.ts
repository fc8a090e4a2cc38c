import { answersText } from "../openapi/operation.js";
import { type SentEvent, streamOf } from "../request/event-stream.js";
import { HttpProblem } from "../request/problem.js";
import type { RequestContext, Route } from "../route.js";
import { maySeeAlways } from "../run-access.js";
import { findKept } from "./served-runs.js";
import { ID } from "./show-run.js";
import { storedEvents } from "./stored-events.js";

export const runEvents: Route = {
  method: "GET",
  path: "/runs/{run_id}/events",
  permission: "read",
  operation: {
    operationId: "runEvents",
    summary: "The events of a run, until it ends",
    tag: "runs",
    names: ID,
    answers: {
      "200": answersText(
        "text/event-stream",
        "Numbered events. The header `Last-Event-ID` goes on after one; the last is `run_end`.",
      ),
    },
    problems: ["run_not_found", "request_invalid", "storage_unavailable"],
  },
  handle: async (context) => {
    const after = lastEventOf(context);
    const { executor, run } = await findKept(context);
    const { service, signal } = context;
    const isOver = (): boolean => signal.aborted || service.slots.isClosed();
    const events = storedEvents({ executor, runId: run.runId, after, isOver });
    const stream = streamOf(maySeeAlways(context, run) ? events : whileSeen(context, events), {
      until: null,
    });
    return { ...stream, write: (...to) => service.streams.use(context.caller, () => stream.write(...to)) };
  },
};

/** Whoever sees a run because it asks them sees it no more when it has its answer. */
async function* whileSeen(
  context: RequestContext,
  events: AsyncIterable<SentEvent>,
): AsyncGenerator<SentEvent, undefined> {
  for await (const event of events) {
    const isSeen = await findKept(context).then(() => true, falseWhenHidden);
    if (!isSeen) return;
    yield event;
  }
}

function falseWhenHidden(error: unknown): false {
  if (error instanceof HttpProblem && error.code === "run_not_found") return false;
  throw error;
}

/** Browsers send it when they connect again. */
function lastEventOf({ request }: RequestContext): number {
  const given = request.headers["last-event-id"] ?? "0";
  if (typeof given === "string" && /^\d{1,15}$/.test(given)) return Number(given);
  throw new HttpProblem("request_invalid", { detail: "Last-Event-ID is the number of an event" });
}
